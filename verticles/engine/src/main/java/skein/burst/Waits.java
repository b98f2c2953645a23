package skein.burst;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.FaultException;
import skein.activities.Resumption;
import skein.activities.Wait;
import skein.model.Bookmark;

/** Makes the bookmarks that activities ask for, and brings them what the instance publishes. */
final class Waits {
  private final RunState state;

  Waits(RunState state) {
    this.state = state;
  }

  /** A stimulus that the instance has published to itself before resumes the bookmark at once. */
  Bookmark await(Execution execution, Wait wait) {
    state.usage.mayHold(wait.payload());
    var bookmark = state.bookmarks.make(execution, state.shortWaits.paced(wait));
    int max = state.limits.bookmarksMax();
    if (state.bookmarks.size() > max) {
      throw new FaultException(
          "BookmarkLimit", "The instance waits at " + max + " bookmarks already");
    }
    var missed = state.local.take(wait.hash());
    if (missed != null) {
      resumeSoon(bookmark, missed);
    } else {
      state.expiries.limit(execution, bookmark);
    }
    return bookmark;
  }

  /** Resumes the bookmarks that wait for it; keeps it for a while where none does. */
  void publishLocally(String hash, Map<String, @Nullable Object> input) {
    var waiting = state.bookmarks.withHash(hash);
    if (waiting.isEmpty() && state.usage.mayHold(input)) {
      state.local.keep(hash, input);
    }
    waiting.forEach(bookmark -> resumeSoon(bookmark, input));
  }

  private void resumeSoon(Bookmark bookmark, Map<String, @Nullable Object> input) {
    state.bookmarks.burn(bookmark);
    state.agenda.add(
        new Agenda.Work.Resume(bookmark.execution(), new Resumption(bookmark.tag(), input)));
  }
}
