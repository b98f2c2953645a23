package skein.node.config;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** Discovery of nodes, and the connections between them. */
public record ClusterConfig(
    String name,
    String host,
    int port,
    int busPort,
    List<HostPort> members,
    String serviceDns,
    Meeting meeting,
    String zone,
    Detection detection,
    Size size,
    Links links,
    LockProvider locks,
    Routing routing,
    Bus bus,
    PeersConfig peers) {
  private static final Duration MS = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  public enum LockProvider {
    HAZELCAST,
    POSTGRESQL,
    NONE
  }

  /** How nodes find each other without a list of members. */
  public enum Discovery {
    AUTO,
    DATABASE,
    NONE
  }

  public enum Routing {
    OWNER,
    LOCAL
  }

  private static final Pattern LOOPBACK = Pattern.compile("localhost|127\\..*|\\[?::1]?");

  /** {@code lease}: for how long others keep looking for a silent node. */
  public record Meeting(Discovery discovery, Duration lease) {}

  /**
   * The bytes: also of all messages, of all packets, together that are not complete.
   *
   * @param lookupMax how long Hazelcast may take to say whether a node listens
   * @param refreshInterval how often a node says to what it listens
   * @param settleTime for how long after a change among the members
   * @param pingInterval also how long the answer may take
   */
  public record Bus(
      long messageBytesMax,
      Duration lookupMax,
      Duration refreshInterval,
      Duration settleTime,
      Duration connectTimeout,
      Duration pingInterval,
      Duration idleTimeout,
      long packetBytesMax) {}

  /**
   * How nodes find links that work one way only.
   *
   * @param missedMax reports that have reached others, of which a node may miss so many
   * @param wholeTime for how long links are whole before a node that stepped aside comes back
   * @param aloneTime for how long no executing node is at work before it does
   */
  public record Links(
      Duration interval,
      int missedMax,
      Duration wholeTime,
      Duration aloneTime,
      Duration pingInterval) {}

  /** How soon members notice that one has died, and that two halves can merge again. */
  public record Detection(
      Duration heartbeatInterval,
      Duration heartbeatTimeout,
      Duration joinWait,
      Duration executorWait,
      Duration mergeFirstDelay,
      Duration mergeNextDelay,
      Duration moveTimeout) {}

  /** {@code grace}: for how long a node may see fewer than {@code min} and be ready. */
  public record Size(int min, Duration grace) {}

  /** Whether this node looks in the database where the others are: nothing else says so. */
  public boolean meetsInDatabase() {
    return members.isEmpty()
        && serviceDns.isEmpty()
        && switch (meeting.discovery) {
          case DATABASE -> true;
          case NONE -> false;
          case AUTO -> !host.isEmpty() && !LOOPBACK.matcher(host).matches();
        };
  }

  static ClusterConfig from(Settings s) {
    var name = s.text("cluster.name", "skein");
    var host = s.text("cluster.host", "");
    int port = s.integer("cluster.port", "5701", 1, 65535);
    return new ClusterConfig(
        name,
        host,
        port,
        s.integer("cluster.bus-port", "15701", 1, 65535),
        s.list("cluster.members", text -> HostPort.parse(text, port)),
        s.text("cluster.service-dns", ""),
        new Meeting(
            s.choice("cluster.discovery", Discovery.AUTO),
            s.duration("cluster.discovery-lease", "30s", SECOND.multipliedBy(3))),
        s.text("cluster.zone", ""),
        new Detection(
            s.duration("cluster.heartbeat-interval", "1s", SECOND),
            s.duration("cluster.heartbeat-timeout", "5s", SECOND),
            s.duration("cluster.join-wait", "1s", Duration.ZERO),
            s.duration("cluster.executor-wait", "60s", Duration.ZERO),
            s.duration("cluster.merge-first-delay", "10s", SECOND),
            s.duration("cluster.merge-next-delay", "5s", SECOND),
            s.duration("cluster.move-timeout", "10s", SECOND)),
        new Size(
            s.integer("cluster.size-min", "1", 1, 1000),
            s.duration("cluster.size-grace", "30s", SECOND)),
        new Links(
            s.duration("cluster.link-interval", "150ms", Duration.ofMillis(10)),
            s.integer("cluster.link-missed-max", "7", 1, 1000),
            s.duration("cluster.link-whole-time", "10s", MS),
            s.duration("cluster.link-alone-time", "30s", MS),
            s.duration("cluster.ping-interval", "5s", MS.multipliedBy(100))),
        s.choice("cluster.locks", LockProvider.HAZELCAST),
        s.choice("cluster.routing", Routing.OWNER),
        new Bus(
            s.bytes("cluster.message-bytes-max", "32MiB", 1 << 20, 1L << 30),
            s.duration("cluster.bus-lookup-max", "1s", MS),
            s.duration("cluster.bus-refresh-interval", "5s", MS),
            s.duration("cluster.bus-settle-time", "2m", SECOND),
            s.duration("cluster.bus-connect-timeout", "2500ms", MS),
            s.duration("cluster.bus-ping-interval", "5s", SECOND),
            s.duration("cluster.bus-idle-timeout", "60s", SECOND),
            s.bytes("cluster.packet-bytes-max", "4MiB", 1 << 20, 1L << 30)),
        PeersConfig.from(s));
  }

  /** Rules over more than one key. */
  void check(Settings s) {
    s.require(!name.isEmpty(), "cluster.name: must not be empty");
    s.require(
        members.isEmpty() || serviceDns.isEmpty(),
        "cluster.members and cluster.service-dns: set one of them");
    s.require(port != busPort, "cluster.bus-port: must differ from cluster.port");
    s.require(
        detection.heartbeatTimeout.compareTo(detection.heartbeatInterval.multipliedBy(2)) >= 0,
        "cluster.heartbeat-timeout: must be at least twice cluster.heartbeat-interval");
    s.require(
        bus.idleTimeout.compareTo(bus.pingInterval.multipliedBy(2)) > 0,
        "cluster.bus-idle-timeout: must be more than twice cluster.bus-ping-interval");
    s.require(
        links.interval.multipliedBy(links.missedMax).compareTo(bus.lookupMax) > 0,
        "cluster.bus-lookup-max: must be shorter than cluster.link-missed-max times"
            + " cluster.link-interval");
  }
}
