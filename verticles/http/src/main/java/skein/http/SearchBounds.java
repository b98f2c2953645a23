package skein.http;

import java.time.Duration;

/**
 * What one search of the data of instances may cost.
 *
 * @param instancesMax instances whose data are compared; those that are passed over because they
 *     have ended do not count; 1 or more
 * @param timeMax after it nothing further is read or compared; 1 ms or more
 * @param concurrentMax searches that one event loop answers at a time; 1 or more
 */
public record SearchBounds(int instancesMax, Duration timeMax, int concurrentMax) {
  /** 10,000 instances, two seconds, two at a time. */
  public static final SearchBounds DEFAULT = new SearchBounds(10_000, Duration.ofSeconds(2), 2);

  public SearchBounds {
    if (instancesMax < 1 || timeMax.toMillis() < 1 || concurrentMax < 1) {
      throw new IllegalArgumentException(
          "instancesMax %d, timeMax %s, concurrentMax %d: 1 or more, 1 ms or more"
              .formatted(instancesMax, timeMax, concurrentMax));
    }
  }
}
