package skein.timers;

import java.time.Instant;
import skein.model.Timer;

/**
 * A position in the index, which is in order of due time and id. Which of two ids comes first only
 * the database knows.
 *
 * @param id empty: in front of all that is due at that instant
 */
record IndexCursor(Instant dueAt, String id) {
  /** No timer is due earlier than the year 1. */
  static final IndexCursor BEGINNING = new IndexCursor(Instant.parse("0001-01-01T00:00:00Z"), "");

  static IndexCursor of(Timer timer) {
    return new IndexCursor(timer.dueAt(), timer.id());
  }

  /** A cursor in front of a timer and of all that are due with it. */
  static IndexCursor before(Timer timer) {
    return new IndexCursor(timer.dueAt(), "");
  }

  /**
   * The earlier of two positions, of which the other is in front of all that is due at its instant.
   */
  IndexCursor orEarlier(IndexCursor other) {
    return other.dueAt.isAfter(dueAt) ? this : other;
  }
}
