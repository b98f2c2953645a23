package skein.activities;

import java.time.Duration;

/**
 * How often an activity is tried, and the delays in between. The engine may make delays of a few
 * milliseconds longer.
 *
 * @param attemptsMax the first one included; at least 1
 * @param delay before the second attempt
 * @param delayMax no rest is longer, before jitter
 * @param jitter true spreads each rest evenly over half to one and a half of its length
 */
public record RetryPolicy(
    int attemptsMax, Duration delay, Backoff backoff, Duration delayMax, boolean jitter) {
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(4, Duration.ofSeconds(1), Backoff.Exponential, Duration.ofHours(1), true);

  /** How the rest grows from attempt to attempt. */
  public enum Backoff {
    Constant,
    Linear,
    Exponential
  }

  /**
   * @param failed attempts so far, at least 1
   * @param random 0 to below 1
   */
  public Duration delayAfter(int failed, double random) {
    double factor =
        switch (backoff) {
          case Constant -> 1;
          case Linear -> failed;
          case Exponential -> Math.pow(2, failed - 1.0);
        };
    double millis = Math.min(delay.toMillis() * factor, (double) delayMax.toMillis());
    return Duration.ofMillis(Math.round(jitter ? millis * (0.5 + random) : millis));
  }
}
