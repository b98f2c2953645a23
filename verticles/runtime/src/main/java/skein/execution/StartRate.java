package skein.execution;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Bounds how many instances of one definition this node starts in a second because other instances
 * want them, or of one tenant for any reason. What is too early is given an instant at which it is
 * tried again, each a later one, so that as many come back as may start.
 *
 * <p>Callers are refused instead, and may try again at once and all the time. While starts that
 * were postponed are to come back, callers get every second start at most, so that no number of
 * them keeps the others from being started.
 *
 * <p>Every definition, or tenant, is kept apart, however many there are: a bound on their number
 * would let those that are forgotten start anew. One is forgotten when nothing distinguishes it
 * from a new one: it started nothing for a second, and the instants that it was given are over. So
 * there are about as many as start in a second, and those whose starts were postponed. Thread-safe.
 */
public final class StartRate {
  /** Below so many definitions, or tenants, none is looked for that can be forgotten. */
  static final int OWNERS_MIN = 1_000;

  /** Later instants are not given: a caller that gets this one asks again. */
  static final Duration DELAY_MAX = Duration.ofHours(1);

  private static final Duration DELAY_MIN = Duration.ofMillis(100);

  /** Where a definition has all instances that it may have: they take a while to end. */
  private static final Duration FULL_DELAY_MIN = Duration.ofSeconds(1);

  private static final int FULL_GAPS = 10;

  /**
   * So long after the last instant that was given a start is still expected: the scheduler may be
   * late.
   */
  static final Duration LATE_MAX = Duration.ofSeconds(5);

  /** While postponed starts are expected, callers have one of so many starts. */
  private static final int CALLERS_PART = 2;

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final long gap;
  private final Map<String, Bucket> buckets = new HashMap<>();

  /** So many are looked through for those that can be forgotten; twice what was left then. */
  private int forgetAt = OWNERS_MIN;

  /**
   * {@code perSecondMax}: of one definition or tenant; as many at once after a second without any.
   */
  public StartRate(int perSecondMax) {
    if (perSecondMax < 1) {
      throw new IllegalArgumentException("Starts in a second begin at 1: " + perSecondMax);
    }
    this.gap = SECOND / perSecondMax;
  }

  private static final class Bucket {
    /** When all that was started would have been, had it been started evenly. */
    long started;

    /** The same for what callers started, had they started their part alone. */
    long startedByCallers;

    /** The last instant that was given. */
    long given;

    /** Until then what was given an instant may come back. */
    long expectedUntil;

    Bucket(long now, long gap) {
      started = now - SECOND;
      startedByCallers = now - keptOfCallers(gap);
      given = now;
      expectedUntil = now;
    }

    boolean isSpent(long now, long gap) {
      return Math.max(started, now - SECOND) + gap > now;
    }

    boolean isSpentForCallers(long now, long gap) {
      return isSpent(now, gap)
          || (now < expectedUntil && callersFrom(now, gap) + CALLERS_PART * gap > now);
    }

    /** What callers did not use for longer than a second, or for one start, is not kept. */
    private static long keptOfCallers(long gap) {
      return Math.max(SECOND, CALLERS_PART * gap);
    }

    private long callersFrom(long now, long gap) {
      return Math.max(startedByCallers, now - keptOfCallers(gap));
    }

    boolean isTaken(long now, long gap) {
      if (isSpent(now, gap)) {
        return false;
      }
      started = Math.max(started, now - SECOND) + gap;
      return true;
    }

    /** Whether a new one is as this. */
    boolean isAsNew(long now, long gap) {
      return started <= now - SECOND
          && startedByCallers <= now - keptOfCallers(gap)
          && Math.max(given, expectedUntil) <= now;
    }

    /** What they take beyond their part while nothing else is expected is not held against them. */
    boolean isTakenByCaller(long now, long gap) {
      if (isSpentForCallers(now, gap)) {
        return false;
      }
      startedByCallers = Math.min(now, callersFrom(now, gap) + CALLERS_PART * gap);
      return isTaken(now, gap);
    }

    /** An instant of its own, at least so long from now and so long after the one before. */
    Duration next(long now, Duration delayMin, long gap) {
      given = Math.max(given, now + delayMin.toNanos()) + gap;
      given = Math.min(given, now + DELAY_MAX.toNanos());
      expectedUntil = given + LATE_MAX.toNanos();
      return Duration.ofNanos(given - now);
    }
  }

  private Bucket bucket(String owner, long now) {
    var known = buckets.get(owner);
    if (known != null) {
      return known;
    }
    if (buckets.size() >= forgetAt) {
      buckets.values().removeIf(bucket -> bucket.isAsNew(now, gap));
      forgetAt = Math.max(OWNERS_MIN, 2 * buckets.size());
    }
    var bucket = new Bucket(now, gap);
    buckets.put(owner, bucket);
    return bucket;
  }

  /** Definitions, or tenants, that are remembered. */
  synchronized int owners() {
    return buckets.size();
  }

  /**
   * Zero when an instance may be started now, and counts it; else when to ask again.
   *
   * @param now in nanoseconds, of any clock that goes forward
   */
  synchronized Duration take(String owner, long now) {
    var bucket = bucket(owner, now);
    return bucket.isTaken(now, gap) ? Duration.ZERO : bucket.next(now, DELAY_MIN, gap);
  }

  /**
   * Whether a caller may start an instance now, which is then counted; where it may not, no instant
   * is given, as it may never ask again.
   *
   * @param now in nanoseconds, of any clock that goes forward
   */
  synchronized boolean isTakenByCaller(String owner, long now) {
    return bucket(owner, now).isTakenByCaller(now, gap);
  }

  /** Whether {@link #isTakenByCaller} would say no; counts nothing. */
  synchronized boolean isSpentForCallers(String owner, long now) {
    var bucket = buckets.get(owner);
    return bucket != null && bucket.isSpentForCallers(now, gap);
  }

  /** Whether {@link #take} would say when to ask again; counts nothing. */
  synchronized boolean isSpent(String owner, long now) {
    var bucket = buckets.get(owner);
    return bucket != null && bucket.isSpent(now, gap);
  }

  /**
   * When to ask again for an instance that may not be started now, whatever the rate: a tenth as
   * many come back in a second as may start.
   *
   * @param now in nanoseconds, of any clock that goes forward
   */
  synchronized Duration later(String owner, long now) {
    var bucket = bucket(owner, now);
    return bucket.next(now, FULL_DELAY_MIN, FULL_GAPS * gap);
  }
}
