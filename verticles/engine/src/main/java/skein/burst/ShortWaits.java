package skein.burst;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import skein.activities.RetryPolicy;
import skein.activities.Wait;
import skein.model.Bookmark;

/**
 * Keeps an instance from being resumed by the clock without a pause: all instances share the
 * timers. What a burst waits for that a short wait has resumed takes a moment, too.
 */
final class ShortWaits {
  static final Duration SHORT_MAX = Duration.ofMillis(100);

  private @Nullable Instant earliest;

  /** {@code now}: of the burst. */
  void resumed(Bookmark bookmark, Instant now) {
    var dueAt = bookmark.dueAt();
    if (dueAt != null && !dueAt.isAfter(bookmark.createdAt().plus(SHORT_MAX))) {
      earliest = now.plus(SHORT_MAX);
    }
  }

  /**
   * The rest before the next attempt at an activity: the first is as short as its policy says.
   * Attempts at work outside are resumed by its results, which are not waits, so these are counted.
   * What is lengthened is spread too where the policy says so: those that failed together do not
   * come again together.
   *
   * @param failed attempts so far, at least 1
   * @param random 0 to below 1
   */
  static Duration betweenAttempts(RetryPolicy policy, int failed, double random) {
    var rest = policy.delayAfter(failed, random);
    if (failed == 1 || rest.compareTo(SHORT_MAX) >= 0) {
      return rest;
    }
    return policy.jitter()
        ? SHORT_MAX.plusMillis((long) (SHORT_MAX.toMillis() * random))
        : SHORT_MAX;
  }

  Wait paced(Wait wait) {
    return earliest == null ? wait : wait.notBefore(earliest);
  }
}
