package skein.burst;

import org.jspecify.annotations.Nullable;

/** How a burst ends: the status of the instance, and whether the burst has any effect. */
final class Ending {
  private boolean faulted;
  private boolean cancelled;
  private boolean stopped;
  private @Nullable RuntimeException refusal;

  /** The instance ends faulted once what is queued has run. */
  void fault() {
    faulted = true;
  }

  /** The instance has something to undo before it may end faulted. */
  void postponeFault() {
    faulted = false;
  }

  boolean isFaulted() {
    return faulted;
  }

  /** The instance ends cancelled, and nothing queued happens any more. */
  void cancel() {
    cancelled = true;
    stopped = true;
  }

  boolean isCancelled() {
    return cancelled;
  }

  /** Nothing that is queued happens any more. */
  void stop() {
    stopped = true;
  }

  boolean isStopped() {
    return stopped;
  }

  /** Nothing must come of this burst, even if an activity catches what is thrown now. */
  <E extends RuntimeException> E refuse(E cause) {
    refusal = cause;
    return cause;
  }

  /** The reason to give up the burst; null while there is none. */
  @Nullable RuntimeException refusal() {
    return refusal;
  }
}
