package skein.client;

import java.time.Duration;

/**
 * How long and how often a client tries.
 *
 * @param timeout of one attempt; 1 ms or more
 * @param attempts in all, for requests that are safe to repeat; 1 to 100
 */
public record Options(Duration timeout, int attempts) {
  /** Three attempts of 30 seconds. */
  public static final Options DEFAULT = new Options(Duration.ofSeconds(30), 3);

  public Options {
    if (timeout.toMillis() < 1) {
      throw new IllegalArgumentException("timeout is " + timeout + ", not 1 ms or more");
    }
    if (attempts < 1 || attempts > 100) {
      throw new IllegalArgumentException("attempts is " + attempts + ", not 1 to 100");
    }
  }
}
