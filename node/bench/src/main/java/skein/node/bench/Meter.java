package skein.node.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import skein.node.bench.DatabaseCounters.Counted;

/** Reads what an operation costs: in the nodes, in PostgreSQL and in this process. */
final class Meter implements AutoCloseable {
  private final DatabaseCounters database;
  private final PeerCounters peers;
  private final List<NodeJvm> nodes = new ArrayList<>();
  private final @Nullable ProcessHandle postgres;
  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  Meter(BenchCluster cluster, DatabaseCounters database) {
    this.database = database;
    this.peers = new PeerCounters(cluster.urls(), cluster.access());
    this.postgres = cluster.postgres();
    cluster.nodes().forEach(process -> nodes.add(NodeJvm.attach(process)));
  }

  Reading read() {
    var written = database.written();
    return new Reading(
        written.walBytes(),
        written.writes(),
        system.getProcessCpuTime() / 1e9,
        nodes.isEmpty() ? null : sumOfNodes(),
        postgres == null ? null : ProcessCpu.secondsOfAll(postgres),
        nodes.isEmpty() ? null : nodes.stream().mapToLong(NodeJvm::allocatedBytes).sum());
  }

  private double sumOfNodes() {
    return nodes.stream().map(NodeJvm::process).mapToDouble(ProcessCpu::seconds).sum();
  }

  Counted counted() {
    return database.counted();
  }

  /** To be called outside of two {@link #read}: the nodes make a page for it. */
  PeerCounters.@Nullable Received received() {
    return peers.read();
  }

  /** The server that was started, with all its processes. */
  Stream<ProcessHandle> postgres() {
    return postgres == null
        ? Stream.of()
        : Stream.concat(Stream.of(postgres), postgres.descendants());
  }

  /** Those that were started. */
  List<NodeJvm> nodes() {
    return nodes;
  }

  /**
   * What the nodes hold together; null where it cannot be seen.
   *
   * @param heapUsedBytes with what no collection has removed yet
   * @param databaseSessions of them all; of all other programs where the nodes were not started
   */
  record Held(
      @Nullable Long residentBytes, @Nullable Long heapUsedBytes, @Nullable Long databaseSessions) {
    static final Held UNKNOWN = new Held(null, null, null);
  }

  Held held() {
    return nodes.isEmpty()
        ? new Held(null, null, database.sessions())
        : new Held(
            nodes.stream().map(NodeJvm::process).mapToLong(ProcessCpu::residentBytes).sum(),
            nodes.stream().mapToLong(NodeJvm::heapUsedBytes).sum(),
            database.sessions());
  }

  @Override
  public void close() {
    nodes.forEach(NodeJvm::close);
    peers.close();
  }
}
