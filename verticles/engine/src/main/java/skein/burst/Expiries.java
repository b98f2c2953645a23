package skein.burst;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.activities.Stimuli;
import skein.activities.Wait;
import skein.model.Bookmark;
import skein.model.StimulusHash;

/**
 * The ends of bookmarks that wait for an external caller. Each is a bookmark with an instant,
 * beside the one that it ends.
 */
final class Expiries {
  static final String NAME = "Skein.Expiry";

  private static final Set<String> FROM_OUTSIDE =
      Set.of(Stimuli.EVENT, Stimuli.HTTP_ENDPOINT, Stimuli.RUN_TASK, Stimuli.USER_TASK);

  private final Bookmarks bookmarks;
  private final @Nullable Duration expiry;
  private final Instant now;

  /** {@code expiry}: how long each stays open; null: without end. */
  Expiries(Bookmarks bookmarks, @Nullable Duration expiry, Instant now) {
    this.bookmarks = bookmarks;
    this.expiry = expiry;
    this.now = now;
  }

  /**
   * One that is made again while it is resumed keeps its end: a refused caller prolongs nothing.
   */
  void limit(Execution execution, Bookmark bookmark) {
    if (expiry == null
        || execution.node.policy().timeout() != null
        || bookmark.dueAt() != null
        || !FROM_OUTSIDE.contains(bookmark.name())) {
      return;
    }
    var hash = StimulusHash.of(NAME, bookmark.hash(), Integer.toString(execution.number));
    var payload = Map.<String, Object>of(Bookmark.EXPIRES, bookmark.hash());
    var dueAt = now.plus(expiry);
    bookmarks.make(execution, new Wait(NAME, hash, payload, dueAt, Bookmark.EXPIRY));
  }

  /** Removes the ends of bookmarks that were resumed and not made again. */
  void tidy(Execution execution) {
    var ends = bookmarks.of(execution, NAME);
    if (ends.isEmpty()) {
      return;
    }
    var open = bookmarks.open();
    for (var end : ends) {
      if (open.stream().noneMatch(end::ends)) {
        bookmarks.burn(end);
      }
    }
  }
}
