package skein.node;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import skein.cluster.Cluster;
import skein.http.MetricsPage;
import skein.node.hazelcast.PeerTraffic;
import skein.node.logging.Logging;
import skein.node.metrics.Exposition;
import skein.node.metrics.NodeMetrics;
import skein.node.metrics.SampledMetrics;
import skein.storage.CountStore;
import skein.storage.Database;
import skein.storage.SchedulerMetrics;
import skein.storage.ServerMetrics;

/**
 * The page of metrics, made once for concurrent requests. Some figures come from PostgreSQL; when
 * it does not answer in time, the last ones are shown.
 */
final class MetricsEndpoint implements AutoCloseable {
  private static final long SERVER_MILLIS_MAX = 1_000;

  private static final SchedulerMetrics NO_SCHEDULER =
      new SchedulerMetrics(0, 0, 0, 0, 0, Duration.ZERO, Duration.ZERO);

  private final Vertx vertx;
  private final ServerMetrics server;
  private final Exposition exposition;
  private final Shared<Buffer> text = new Shared<>(this::made, System::nanoTime);
  private volatile ServerMetrics.Locking locking = ServerMetrics.Locking.NONE;

  /**
   * What is shown.
   *
   * @param counts of the cluster
   * @param leads whether this node takes part in the scheduler
   * @param certificateDays of certificates of this node, by what they are for
   * @param traffic of other processes of the cluster to this node
   */
  record Observed(
      NodeMetrics metrics,
      Supplier<CountStore.Counts> counts,
      boolean leads,
      Supplier<Map<String, Double>> certificateDays,
      PeerTraffic traffic) {}

  MetricsEndpoint(
      Vertx vertx, Database database, Cluster cluster, NodeServices services, Observed observed) {
    var meter = services.timers().meter();
    var quiescence = services.execution().peers().router().quiescence();
    this.vertx = vertx;
    this.server = new ServerMetrics(database);
    this.exposition =
        new Exposition(
            observed.metrics(),
            new SampledMetrics(
                new SampledMetrics.Scheduler(
                    () -> observed.leads() ? meter.metrics() : NO_SCHEDULER, meter::leads),
                () -> cluster.members().size(),
                services.workflows().invalidation()::received,
                new SampledMetrics.Connections(database::connectionsOpen, database::connectionsMax),
                () -> locking,
                observed.counts(),
                new SampledMetrics.OwnState(
                    Logging::dropped,
                    () -> !quiescence.acceptsNewWork(),
                    observed.certificateDays(),
                    received(observed.traffic()))));
  }

  private static SampledMetrics.Received received(PeerTraffic traffic) {
    var bus = traffic.bus();
    var members = traffic.members();
    return new SampledMetrics.Received(
        () -> Map.of("bus", bus.messages(), "members", members.messages()),
        () -> Map.of("bus", bus.bytes(), "members", members.bytes()));
  }

  MetricsPage page() {
    return new MetricsPage(Exposition.CONTENT_TYPE, text::get);
  }

  /** Made aside: walking the pools of the JVM takes milliseconds. */
  private Future<Buffer> made() {
    return server
        .locking()
        .timeout(SERVER_MILLIS_MAX, TimeUnit.MILLISECONDS)
        .onSuccess(found -> locking = found)
        .transform(_ -> vertx.executeBlocking(exposition::text, false))
        .map(Buffer::buffer);
  }

  @Override
  public void close() {
    exposition.close();
  }
}
