package skein.node.config;

import java.time.Duration;

/**
 * The hub by which Elsa's clients observe instances; of each node.
 *
 * @param connectionsMax of all clients at one time
 * @param instancesMax that one connection observes
 * @param messageBytesMax of one message of a client
 */
public record HubConfig(
    Duration interval,
    Duration statisticsInterval,
    Retries retries,
    int connectionsMax,
    int instancesMax,
    int messageBytesMax,
    Times times) {
  private static final Duration MS = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  /**
   * What the intervals grow to while the database fails.
   *
   * @param lookMax from one look at the observed instances to the next
   * @param statisticsMax from one count of the activities of an instance to the next
   */
  public record Retries(Duration lookMax, Duration statisticsMax) {}

  /**
   * @param handshake until a client has said which protocol it speaks
   * @param keepAlive without a message from the server until it sends a ping
   * @param client without a message from a client until it is cut off
   * @param poll that a request of the long polling transport waits
   * @param connection after which a connection ends
   */
  public record Times(
      Duration handshake,
      Duration keepAlive,
      Duration client,
      Duration poll,
      Duration connection) {}

  static HubConfig from(Settings s) {
    return new HubConfig(
        s.duration("hub.interval", "250ms", MS.multipliedBy(50)),
        s.duration("hub.statistics-interval", "1s", MS.multipliedBy(50)),
        new Retries(
            s.duration("hub.retry-delay-max", "5s", MS.multipliedBy(50)),
            s.duration("hub.statistics-retry-delay-max", "1m", MS.multipliedBy(50))),
        s.integer("hub.connections-max", "1000", 1, 100_000),
        s.integer("hub.instances-max", "10", 1, 1_000),
        s.integer("hub.message-bytes-max", "32768", 1_024, 1_048_576),
        new Times(
            s.duration("hub.handshake-timeout", "15s", SECOND),
            s.duration("hub.keep-alive", "15s", SECOND),
            s.duration("hub.client-timeout", "30s", SECOND),
            s.duration("hub.poll-max", "20s", SECOND),
            s.duration("hub.connection-max", "12h", SECOND)));
  }
}
