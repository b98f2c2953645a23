package skein.decisions;

import java.util.List;
import skein.burst.BurstInputs;
import skein.model.Bookmark;
import skein.model.Transition;
import skein.model.WorkflowInstance;

/** A transition in which nothing runs: one bookmark says something else. */
final class BookmarkChange {
  private BookmarkChange() {}

  static Transition of(WorkflowInstance current, Bookmark changed, BurstInputs inputs) {
    var bookmarks =
        current.bookmarks().stream().map(b -> b.id().equals(changed.id()) ? changed : b).toList();
    return new Transition(
        current.nextWith(bookmarks, inputs.now()),
        inputs.commitId(),
        Transition.Guard.NONE,
        List.of(changed),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }
}
