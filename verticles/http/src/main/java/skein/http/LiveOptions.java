package skein.http;

import java.time.Duration;

/**
 * The limits of followed states on a node.
 *
 * @param interval from one look at a state to the next; a reader gets no more than one message in
 *     it
 * @param readersMax clients that follow something at one time; more are refused
 * @param topicsMax different states that are followed at one time, each read once for all readers
 * @param streamMax after this a stream ends and its client opens the next one, maybe to another
 *     node
 * @param recentMax newest instances that the overview, and what is shown of a definition, is made
 *     from
 * @param search what one search of the data of instances may cost
 */
public record LiveOptions(
    Duration interval,
    int readersMax,
    int topicsMax,
    Duration streamMax,
    int recentMax,
    SearchBounds search) {
  /** Once a second, 200 readers, 50 states, 5 minutes, 10,000 instances. */
  public static final LiveOptions DEFAULT =
      new LiveOptions(Duration.ofSeconds(1), 200, 50, Duration.ofMinutes(5), 10_000);

  /** With the default bounds of a search. */
  public LiveOptions(
      Duration interval, int readersMax, int topicsMax, Duration streamMax, int recentMax) {
    this(interval, readersMax, topicsMax, streamMax, recentMax, SearchBounds.DEFAULT);
  }

  public LiveOptions {
    if (interval.toMillis() < 1 || streamMax.toMillis() < 1) {
      throw new IllegalArgumentException(
          "interval %s, streamMax %s: 1 ms or more".formatted(interval, streamMax));
    }
    if (readersMax < 1 || topicsMax < 1 || recentMax < 1) {
      throw new IllegalArgumentException(
          "readersMax %d, topicsMax %d, recentMax %d: 1 or more"
              .formatted(readersMax, topicsMax, recentMax));
    }
  }
}
