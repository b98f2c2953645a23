package skein.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import skein.node.dev.Ports;

/**
 * Nodes on one PostgreSQL schema, as the guide's compose file has them: n1, n2, n3 on 5001 to 5003.
 */
public final class TestCluster implements AutoCloseable {
  private static final Duration WHOLE_MAX = Duration.ofSeconds(60);
  private static final int GUIDE_PORT = Integer.getInteger("skein.test.port", 5001);

  private final List<ServerProcess> nodes = new ArrayList<>();
  private final List<Integer> memberPorts;
  private final List<Integer> busPorts;
  private final String name;
  private final Sql sql;

  /**
   * Starts nothing yet; what an earlier run left in the schema is gone.
   *
   * @param name of the cluster and of its schema
   * @param httpPorts one for each node
   * @param settings of all nodes, by key
   */
  TestCluster(
      TestPostgres postgres,
      Path folder,
      String name,
      List<Integer> httpPorts,
      Map<String, String> settings) {
    this(postgres, folder, name, httpPorts, settings, List.of());
  }

  /** {@code each}: settings of the first node, of the second and so on. */
  TestCluster(
      TestPostgres postgres,
      Path folder,
      String name,
      List<Integer> httpPorts,
      Map<String, String> settings,
      List<Map<String, String>> each) {
    this(postgres, folder, name, httpPorts, settings, each, List.of());
  }

  /**
   * As the others.
   *
   * @param each settings of the first node, of the second and so on
   * @param options of the JVM of the first node, of the second and so on
   */
  public TestCluster(
      TestPostgres postgres,
      Path folder,
      String name,
      List<Integer> httpPorts,
      Map<String, String> settings,
      List<Map<String, String>> each,
      List<List<String>> options) {
    int count = httpPorts.size();
    this.name = name;
    this.sql = new Sql(postgres, name);
    sql.rows("drop schema if exists \"" + name + "\" cascade");
    var free = Ports.free(2 * count);
    this.memberPorts = free.subList(0, count);
    this.busPorts = free.subList(count, 2 * count);
    var members =
        memberPorts.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    for (int i = 0; i < count; i++) {
      var all = new LinkedHashMap<String, String>();
      all.put("database.url", postgres.uri());
      all.put("database.schema", name);
      all.put("database.statement-timeout", "20s");
      all.put("node.drain-delay", "1s");
      all.put("cluster.name", name);
      all.put("cluster.host", "127.0.0.1");
      all.put("cluster.port", memberPorts.get(i).toString());
      all.put("cluster.bus-port", free.get(count + i).toString());
      all.put("cluster.members", members);
      all.put("work.http.allow-private", "127.0.0.1"); // servers of tests
      all.putAll(settings);
      all.putAll(i < each.size() ? each.get(i) : Map.of());
      var nodeName = "n" + (i + 1);
      var log = folder.resolve(name + "-" + nodeName + ".log");
      delete(log);
      var jvm = i < options.size() ? options.get(i) : List.<String>of();
      nodes.add(new ServerProcess(nodeName, httpPorts.get(i), postgres.password(), all, jvm, log));
    }
  }

  private static void delete(Path log) {
    try {
      Files.deleteIfExists(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * 5001 and on while they are free, but only in the first of several processes, which would find
   * them free at the same moment; others are said.
   */
  static List<Integer> portsOfTheGuide(int count) {
    var guide = IntStream.range(GUIDE_PORT, GUIDE_PORT + count).boxed().toList();
    if (Integer.getInteger("skein.ports.part", 0) > 1) {
      return Ports.free(count);
    }
    if (guide.stream().allMatch(Ports::isFree)) {
      return guide;
    }
    var free = Ports.free(count);
    Measured.say("ports", "%s are taken, using %s", guide, free);
    return free;
  }

  /** Starts what does not run, all at once, and waits until every node takes work. */
  public void startAll() {
    var missing = nodes.stream().filter(node -> !node.isAlive()).toList();
    missing.forEach(ServerProcess::start);
    nodes.forEach(ServerProcess::awaitReady);
  }

  /**
   * Waits until each node sees all others: a node of a test before may have been frozen, and come
   * back alone.
   */
  void awaitWhole() {
    var whole = "\"members\":" + nodes.size();
    boolean all =
        Eventually.isTrue(
            WHOLE_MAX,
            () -> nodes.stream().allMatch(node -> node.http().get("/").body().contains(whole)));
    if (!all) {
      throw new IllegalStateException("Not all nodes of " + name + " see each other");
    }
  }

  public String name() {
    return name;
  }

  public List<ServerProcess> nodes() {
    return nodes;
  }

  public ServerProcess node(int number) {
    return nodes.get(Math.floorMod(number, nodes.size()));
  }

  public Api api(int number) {
    return node(number).api();
  }

  public List<Integer> memberPorts() {
    return memberPorts;
  }

  List<Integer> busPorts() {
    return busPorts;
  }

  public Sql sql() {
    return sql;
  }

  /**
   * What follows {@code words} in the lines that have them, up to a blank, over all nodes' logs.
   */
  public List<String> logged(String words) {
    return nodes.stream()
        .flatMap(node -> node.output().stream())
        .filter(line -> line.contains(words))
        .map(line -> line.substring(line.indexOf(words) + words.length()).strip())
        .map(rest -> rest.split("\\s", 2)[0])
        .toList();
  }

  /** SIGKILL to all, one right after the other. */
  public void killAll() {
    nodes.forEach(ServerProcess::sendKill);
    nodes.forEach(node -> node.awaitExit(Duration.ofSeconds(10)));
  }

  @Override
  public void close() {
    nodes.stream().filter(ServerProcess::isAlive).forEach(ServerProcess::kill);
    sql.close();
  }
}
