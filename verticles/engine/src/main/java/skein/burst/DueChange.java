package skein.burst;

import java.time.Instant;
import java.util.LinkedHashMap;
import skein.activities.Json;
import skein.activities.Wait;
import skein.model.Bookmark;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/** Moves the instant at which a bookmark falls due, by another bookmark in its place. */
final class DueChange {
  private DueChange() {}

  static void of(RunState state, Bookmark bookmark, Instant dueAt) {
    var before = bookmark.dueAt();
    var execution = state.executions.get(bookmark.execution());
    if (before == null || execution == null) {
      throw refused("Bookmark " + bookmark.id() + " waits for no instant");
    }
    if (OutsideWork.WORK.equals(bookmark.tag())) {
      throw refused("The activity of bookmark " + bookmark.id() + " is at work outside");
    }
    if (bookmark.token() != null) {
      throw refused(
          "The resume link of bookmark " + bookmark.id() + " would end: revoke it before");
    }
    state.bookmarks.burn(bookmark);
    state.bookmarks.make(execution, wait(bookmark, before, dueAt));
    state.journal.add(execution, Journal.DUE_CHANGED, dueAt + " instead of " + before);
  }

  /** The instant within the payload, which its hash includes where it has one. */
  private static Wait wait(Bookmark bookmark, Instant before, Instant dueAt) {
    var said = Json.object(bookmark.payload());
    var payload = new LinkedHashMap<String, Object>();
    if (said != null) {
      said.forEach((name, value) -> {
        if (value != null) {
          payload.put(name, value.equals(before.toString()) ? dueAt.toString() : value);
        }
      });
    }
    var hash =
        payload.containsValue(dueAt.toString())
            ? Wait.until(dueAt, bookmark.name(), payload, bookmark.execution()).hash()
            : bookmark.hash();
    return new Wait(bookmark.name(), hash, payload, dueAt, bookmark.tag());
  }

  private static SkeinException refused(String detail) {
    return new SkeinException(ErrorCode.ALTERATION_REFUSED, detail);
  }
}
