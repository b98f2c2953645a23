package skein.node;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import skein.cluster.Cluster;
import skein.http.MetricsPage;
import skein.node.logging.Logging;
import skein.node.metrics.Exposition;
import skein.node.metrics.Figures;
import skein.node.metrics.Rest;
import skein.storage.CountStore;
import skein.storage.Database;
import skein.storage.SchedulerFigures;
import skein.storage.ServerFigures;

/**
 * The page of metrics. PostgreSQL is asked at every visit for what only it knows; when it does not
 * answer in time, the last answer stands.
 */
final class MetricsRoom implements AutoCloseable {
  private static final long SERVER_MILLIS_MAX = 1_000;

  private static final SchedulerFigures NO_SCHEDULER =
      new SchedulerFigures(0, 0, 0, 0, 0, Duration.ZERO, Duration.ZERO);

  private final Vertx vertx;
  private final ServerFigures server;
  private final Exposition exposition;
  private volatile ServerFigures.Locking locking = ServerFigures.Locking.NONE;

  /**
   * What is shown.
   *
   * @param counts of the cluster
   * @param leads whether this node takes part in the scheduler
   */
  record Observed(Figures figures, Supplier<CountStore.Counts> counts, boolean leads) {}

  MetricsRoom(Vertx vertx, Database database, Cluster cluster, Rooms rooms, Observed observed) {
    var meter = rooms.timers().meter();
    this.vertx = vertx;
    this.server = new ServerFigures(database);
    this.exposition =
        new Exposition(
            observed.figures(),
            new Rest(
                () -> observed.leads() ? meter.figures() : NO_SCHEDULER,
                meter::leads,
                () -> cluster.members().size(),
                rooms.invalidation()::received,
                database::connectionsOpen,
                database::connectionsMax,
                () -> locking,
                observed.counts(),
                Logging::dropped));
  }

  MetricsPage page() {
    return new MetricsPage(Exposition.CONTENT_TYPE, this::text);
  }

  /** Made aside: walking the pools of the JVM takes milliseconds. */
  private Future<Buffer> text() {
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
