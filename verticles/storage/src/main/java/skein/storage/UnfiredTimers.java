package skein.storage;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.Timer;

/**
 * Timers that could not be fired are due again later, so that others are not held up by them.
 * Thread-safe.
 *
 * @param delay until a timer is due again after its first failure
 * @param delayMax the delay doubles with every failure up to this
 */
public record UnfiredTimers(DueTimers timers, Duration delay, Duration delayMax) {
  /** The database or the cluster does not answer, whatever it is asked. */
  private static final Set<ErrorCode> OUTAGES =
      EnumSet.of(
          ErrorCode.NOT_READY,
          ErrorCode.RUNTIME_PAUSED,
          ErrorCode.STORAGE_UNAVAILABLE,
          ErrorCode.OUTCOME_UNKNOWN);

  /**
   * Later each time, and noted, unless what failed is not the timer's: that is over for all at
   * once.
   */
  public Future<Void> failed(Timer timer, SkeinException failure) {
    return OUTAGES.contains(failure.code())
        ? postponed(timer)
        : timers
            .backOff(timer.id(), delay, delayMax)
            .compose(_ -> timers.failed(timer, failure.code().name(), failure.detail()));
  }

  /** Due again soon; it does not count as a failure of the timer. */
  public Future<Void> postponed(Timer timer) {
    return timers.extendDeadline(List.of(timer.id()), delay.dividedBy(2));
  }
}
