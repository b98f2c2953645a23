package skein.faults;

import java.time.Duration;

/**
 * What befalls one commit, or one statement about an idempotency key, on its way.
 *
 * @param hold how long it is held; zero where nothing is
 * @param then is done when the commit has come this far, as to kill its node: before it is sent, or
 *     with {@code DROP_AFTER} when it is done and its node does not know
 */
record CommitFault(Kind kind, Duration hold, Runnable then) {
  enum Kind {
    /** It never arrives, and the connection breaks. */
    DROP_BEFORE,
    /** It is done, and its answer never arrives: the connection breaks. */
    DROP_AFTER,
    /** It arrives later. */
    HOLD,
    /** The connection breaks, and it arrives all the same, later. */
    LATE,
    /** It is done, and the answer arrives later. */
    HOLD_ANSWER
  }

  static CommitFault of(Kind kind, Duration hold) {
    return new CommitFault(kind, hold, () -> {});
  }
}
