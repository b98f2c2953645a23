package skein.faults;

import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import skein.node.Api;
import skein.node.ServerProcess;
import skein.node.Sql;
import skein.node.TestCluster;
import skein.node.TestPostgres;
import skein.node.dev.Ports;

/**
 * Three nodes as processes with a PostgreSQL of their own, and a proxy on every way between them.
 * Closing ends all of it, by process number.
 */
final class FaultCluster implements AutoCloseable {
  static final int NODES = 3;

  private static final Map<String, String> POSTGRES =
      Map.of("max_connections", "80", "shared_buffers", "32MB");

  /** Shorter than by default, so that a short run sees what a long outage does. */
  private static final Map<String, String> SETTINGS =
      Map.ofEntries(
          Map.entry("database.pool-size", "4"),
          Map.entry("database.read-pool-size", "1"),
          Map.entry("database.statement-timeout", "3s"),
          Map.entry("database.connect-timeout", "3s"),
          Map.entry("timers.lease-duration", "3s"),
          Map.entry("timers.retry-delay", "500ms"),
          Map.entry("timers.retry-delay-max", "2s"),
          Map.entry("work.lease", "4s"),
          Map.entry("work.lost-max", "20"),
          Map.entry("work.http.allow-private", "127.0.0.0/8"),
          Map.entry("cluster.merge-first-delay", "3s"),
          Map.entry("cluster.merge-next-delay", "2s"),
          Map.entry("http.request-timeout", "15s"),
          Map.entry("execution.answer-timeout", "12s"),
          Map.entry("execution.command-timeout", "5s"),
          Map.entry("execution.lock-timeout", "10s"));

  private final TestPostgres postgres;
  private final TestCluster cluster;
  private final Network network;
  private final List<DatabaseProxy> databases;
  private boolean databaseStopped;

  /** {@code extra}: settings of all nodes, beside those of every run. */
  FaultCluster(Path folder, String name, Map<String, String> extra) {
    postgres = new TestPostgres(folder.resolve(name), POSTGRES);
    var agent = folder.resolve("bus-port-agent.jar");
    BusPortAgent.writeJar(agent);
    int port = URI.create(postgres.uri()).getPort();
    databases = IntStream.range(0, NODES).mapToObj(_ -> new DatabaseProxy(port)).toList();
    var free = Ports.free(4 * NODES);
    var members = free.subList(0, NODES);
    var buses = free.subList(NODES, 2 * NODES);
    var settings = new HashMap<>(SETTINGS);
    settings.putAll(extra);
    cluster =
        new TestCluster(
            postgres,
            folder,
            name,
            Ports.free(NODES),
            settings,
            IntStream.range(0, NODES).mapToObj(node -> settings(free, node)).toList(),
            IntStream.range(0, NODES)
                .mapToObj(node ->
                    List.of(
                        "-Dhazelcast.local.publicAddress=127.0.0.1:" + members.get(node),
                        "-javaagent:" + agent + "=" + buses.get(node)))
                .toList());
    network = new Network(NODES, this::isFrom);
    for (int node = 0; node < NODES; node++) {
      network.open(members.get(node), free.get(2 * NODES + node), node);
      network.open(buses.get(node), free.get(3 * NODES + node), node);
    }
  }

  /** {@code ports}: for members and buses those of the proxies, then those of the nodes. */
  private Map<String, String> settings(List<Integer> ports, int node) {
    var direct = URI.create(postgres.uri());
    var members =
        ports.subList(0, NODES).stream()
            .map(port -> "127.0.0.1:" + port)
            .collect(Collectors.joining(","));
    return Map.of(
        "database.url",
        postgres
            .uri()
            .replace(":" + direct.getPort() + "/", ":" + databases.get(node).port() + "/"),
        "cluster.port",
        ports.get(2 * NODES + node).toString(),
        "cluster.bus-port",
        ports.get(3 * NODES + node).toString(),
        "cluster.members",
        members);
  }

  private boolean isFrom(int node, Socket connection) {
    return isFrom(node, connection.getPort(), connection.getLocalPort());
  }

  /** True when this node has a connection from this port of its own to that one. */
  boolean isFrom(int node, int from, int to) {
    var process = cluster.node(node);
    return process.isAlive() && PeerProcess.has(process.pid(), from, to);
  }

  void startAll() {
    cluster.startAll();
  }

  TestCluster nodes() {
    return cluster;
  }

  ServerProcess node(int number) {
    return cluster.node(number);
  }

  Api api(int number) {
    return cluster.api(number);
  }

  /** Past all proxies. */
  Sql sql() {
    return cluster.sql();
  }

  Network network() {
    return network;
  }

  /** The way of a node to the database. */
  DatabaseProxy database(int node) {
    return databases.get(node);
  }

  List<DatabaseProxy> databases() {
    return databases;
  }

  /** Commits of all nodes that something befell on their way. */
  int hits() {
    return databases.stream().mapToInt(DatabaseProxy::hits).sum();
  }

  TestPostgres postgres() {
    return postgres;
  }

  void stopDatabase(boolean immediate) {
    databaseStopped = true;
    postgres.stop(immediate);
  }

  void startDatabase() {
    postgres.startAgain();
    databaseStopped = false;
  }

  /** Undoes every fault, starts what is dead, and waits until every node takes work. */
  void heal() {
    network.heal();
    databases.forEach(DatabaseProxy::heal);
    if (databaseStopped) {
      startDatabase();
    } else {
      postgres.thaw();
    }
    cluster.nodes().stream().filter(ServerProcess::isAlive).forEach(ServerProcess::thaw);
    startAll();
  }

  /** The lines of all logs that have these words. */
  long logged(String words) {
    return cluster.nodes().stream()
        .flatMap(node -> node.output().stream())
        .filter(line -> line.contains(words))
        .count();
  }

  @Override
  public void close() {
    var steps = new ArrayList<Runnable>(List.of(postgres::thaw, cluster::close, network::close));
    databases.forEach(database -> steps.add(database::close));
    steps.add(postgres::close);
    steps.forEach(Runnable::run);
  }
}
