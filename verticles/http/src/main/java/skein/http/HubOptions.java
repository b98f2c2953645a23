package skein.http;

import java.time.Duration;
import java.util.stream.Stream;

/**
 * The limits of the hub on a node.
 *
 * @param interval from one look at the observed instances to the next; 1 ms or more
 * @param statisticsInterval from one count of an instance's activities to the next; 1 ms or more
 */
public record HubOptions(
    Duration interval, Duration statisticsInterval, Retries retries, Limits limits, Times times) {

  /**
   * What the intervals grow to while the database fails; each is 1 ms or more.
   *
   * @param lookMax from one look to the next
   * @param statisticsMax from one count of an instance's activities to the next
   */
  public record Retries(Duration lookMax, Duration statisticsMax) {
    public Retries {
      if (lookMax.toMillis() < 1 || statisticsMax.toMillis() < 1) {
        throw new IllegalArgumentException(
            "lookMax %s, statisticsMax %s: 1 ms or more".formatted(lookMax, statisticsMax));
      }
    }
  }

  /**
   * @param connectionsMax of a node at one time; more are refused
   * @param instancesMax that one connection observes
   * @param messageBytesMax of one message of a client
   */
  public record Limits(int connectionsMax, int instancesMax, int messageBytesMax) {
    public Limits {
      if (connectionsMax < 1 || instancesMax < 1 || messageBytesMax < 1) {
        throw new IllegalArgumentException(
            "connectionsMax %d, instancesMax %d, messageBytesMax %d: 1 or more"
                .formatted(connectionsMax, instancesMax, messageBytesMax));
      }
    }
  }

  /**
   * Each is 1 ms or more.
   *
   * @param handshake until a client has said which protocol it speaks
   * @param keepAlive without a message from the server until it sends a ping
   * @param client without a message from a client, or without its taking any, until it is cut off
   * @param poll that a request of the long polling transport waits
   * @param connection after which a connection ends and its client opens another one
   */
  public record Times(
      Duration handshake, Duration keepAlive, Duration client, Duration poll, Duration connection) {
    public Times {
      var shortest =
          Stream.of(handshake, keepAlive, client, poll, connection)
              .min(Duration::compareTo)
              .orElseThrow();
      if (shortest.toMillis() < 1) {
        throw new IllegalArgumentException(shortest + " is not 1 ms or more");
      }
    }
  }

  /** Four looks and one count a second, 1,000 connections, and the times of Microsoft's server. */
  public static final HubOptions DEFAULT =
      new HubOptions(
          Duration.ofMillis(250),
          Duration.ofSeconds(1),
          new Retries(Duration.ofSeconds(5), Duration.ofMinutes(1)),
          new Limits(1_000, 10, 32_768),
          new Times(
              Duration.ofSeconds(15),
              Duration.ofSeconds(15),
              Duration.ofSeconds(30),
              Duration.ofSeconds(20),
              Duration.ofHours(12)));

  public HubOptions {
    if (interval.toMillis() < 1 || statisticsInterval.toMillis() < 1) {
      throw new IllegalArgumentException(
          "interval %s, statisticsInterval %s: 1 ms or more"
              .formatted(interval, statisticsInterval));
    }
  }
}
