package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import skein.node.dev.Ports;

/** Three nodes, of which the first two are asked to start and resume instances all the time. */
final class BusyCluster implements AutoCloseable {
  /** Starts and resumes a second through each of the two. */
  private static final int RATE_OF_NODE = 100;

  private static final int NODES = 3;

  /** On few processors the second compiler would be busy for as long as such a test takes. */
  private static final List<String> ONE_COMPILER = List.of("-XX:TieredStopAtLevel=1");

  private static final Duration MORE_MAX = Duration.ofSeconds(30);

  private final TestCluster nodes;
  private final List<SteadyLoad> loads;

  /**
   * @param name of the cluster, and of the definition whose instances are started
   * @param settings of all nodes, by key
   */
  BusyCluster(TestPostgres postgres, String name, Map<String, String> settings) {
    var ports = Ports.free(NODES);
    var folder = TestClusters.folder();
    var options = Collections.nCopies(NODES, ONE_COMPILER);
    nodes = new TestCluster(postgres, folder, name, ports, settings, List.of(), options);
    nodes.startAll();
    nodes.api(0).publish(Workflows.approval(name));
    loads =
        List.of(
            new SteadyLoad(nodes.api(0), name, RATE_OF_NODE),
            new SteadyLoad(nodes.api(1), name, RATE_OF_NODE));
  }

  TestCluster nodes() {
    return nodes;
  }

  Api api(int node) {
    return nodes.api(node);
  }

  /** Starts and resumes a second. */
  int rate() {
    return RATE_OF_NODE * loads.size();
  }

  private int answered() {
    return loads.stream().mapToInt(SteadyLoad::answered).sum();
  }

  /** Until so many more starts and resumes have succeeded. */
  void awaitMore(int count) {
    int before = answered();
    assertThat(Eventually.isTrue(MORE_MAX, () -> answered() > before + count))
        .as("%d more answers; failed: %s", count, failed())
        .isTrue();
  }

  /** Answered, and not with success. */
  List<String> failed() {
    return loads.stream().flatMap(load -> load.failed.stream()).toList();
  }

  /** Their outcome is unknown. */
  int unknown() {
    return loads.stream().mapToInt(load -> load.unknown.size()).sum();
  }

  @Override
  public void close() {
    loads.forEach(SteadyLoad::close);
    nodes.close();
  }
}
