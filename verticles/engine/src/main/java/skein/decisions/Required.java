package skein.decisions;

import org.jspecify.annotations.Nullable;
import skein.graph.Graph;
import skein.messages.Command;
import skein.model.Bookmark;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceRefusals;
import skein.model.SkeinException;
import skein.model.WorkflowInstance;

/** Preconditions of decisions: they hold, or the command is refused. */
final class Required {
  private Required() {}

  static WorkflowInstance instance(Command command, @Nullable WorkflowInstance current) {
    if (current == null) {
      throw InstanceRefusals.instanceNotFound(command.instanceId());
    }
    return current;
  }

  static Graph graph(@Nullable Graph graph) {
    if (graph == null) {
      throw new SkeinException(
          ErrorCode.DEFINITION_NOT_FOUND, "The version of the definition was deleted");
    }
    return graph;
  }

  /** One that is open. */
  static Bookmark bookmark(BookmarkId id, WorkflowInstance current) {
    var bookmark = current.bookmark(id);
    if (bookmark != null) {
      return bookmark;
    }
    if (id.number() > current.counters().bookmarks()) {
      throw InstanceRefusals.bookmarkNotFound(id);
    }
    boolean shelved =
        current.shelved().stream().anyMatch(each -> each.id().equals(id) && !each.isJob());
    throw shelved
        ? InstanceRefusals.shelved(current.id())
        : InstanceRefusals.alreadyResumed(current.id());
  }
}
