package skein.model;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * When something starts by itself, and how late or overlapping occurrences are treated.
 *
 * @param startAt nothing is due before it; null: at once
 * @param endAt nothing is due after it; null: never ends
 * @param jitter each instant is delayed by a part of it that follows from schedule and instant;
 *     whole milliseconds, zero for none
 */
public record Timetable(
    Recurrence recurrence,
    ZoneId zone,
    @Nullable Instant startAt,
    @Nullable Instant endAt,
    Duration jitter,
    Policies policies) {

  /**
   * @param catchUpMax of {@link Misfire#FireAll}: late occurrences that are still started; of more
   *     the latest
   */
  public record Policies(Misfire misfire, int catchUpMax, Overlap overlap) {
    public static final Policies DEFAULT = new Policies(Misfire.FireOnce, 100, Overlap.Allow);
  }

  /** How missed occurrences are treated. The names are stored: add, never rename. */
  public enum Misfire {
    /** The latest of them starts now, for all of them. */
    FireOnce,
    /** Each starts, in order, up to a bound. */
    FireAll,
    /** None starts. */
    Skip
  }

  /**
   * How an occurrence is treated while the instance of an earlier one has not ended. The names are
   * stored: add, never rename.
   */
  public enum Overlap {
    /** It starts beside it. */
    Allow,
    /** It does not start. */
    Skip,
    /** One waits for the end of the other and starts then; more do not start. */
    BufferOne,
    /** The other is cancelled, and it starts when that has ended. */
    CancelRunning
  }
}
