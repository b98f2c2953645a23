package skein.timers;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.Cluster;
import skein.storage.LeaseStore;

/**
 * Keeps one lease row, or tries to get it. Steps down by its own monotonic clock when a renewal was
 * not confirmed in time, whatever the database and the wall clock do. Of one event loop.
 */
public final class Leadership {
  private static final Logger log = LoggerFactory.getLogger(Leadership.class);

  private final Vertx vertx;
  private final String name;
  private final LeaseStore leases;
  private final Cluster cluster;
  private final Duration duration;
  private final LongSupplier nanos;
  private final Consumer<Boolean> changed;
  private Runnable confirmed = () -> {};
  private LeaseStore.@Nullable Lease held;
  private long confirmedAt;
  private boolean stopped;

  /**
   * @param name of the lease
   * @param changed told true when this node begins to lead, false when it ends
   */
  public Leadership(
      Vertx vertx,
      String name,
      LeaseStore leases,
      Cluster cluster,
      Duration duration,
      LongSupplier nanos,
      Consumer<Boolean> changed) {
    this.vertx = vertx;
    this.name = name;
    this.leases = leases;
    this.cluster = cluster;
    this.duration = duration;
    this.nanos = nanos;
    this.changed = changed;
  }

  /** Told whenever the lease was taken or renewed; set it before the start. */
  public void onConfirmed(Runnable listener) {
    confirmed = listener;
  }

  public void start() {
    tick();
  }

  public boolean leads() {
    return held != null && !isStale();
  }

  /** A third of the lease is kept as a margin. */
  private boolean isStale() {
    return nanos.getAsLong() - confirmedAt > duration.toNanos() * 2 / 3;
  }

  private void tick() {
    if (stopped) {
      return;
    }
    long asked = nanos.getAsLong();
    leases
        .take(name, cluster.nodeId(), duration)
        .onComplete(result -> {
          if (stopped) {
            return;
          }
          if (result.succeeded()) {
            answered(result.result(), asked);
          } else if (held != null && isStale()) {
            stepDown("no answer from the database");
          }
          vertx.setTimer(duration.toMillis() / 4, _ -> tick());
        });
  }

  private void answered(LeaseStore.@Nullable Lease lease, long asked) {
    if (lease == null) {
      if (held != null) {
        stepDown("another node took the lease");
      }
      return;
    }
    confirmedAt = asked;
    confirmed.run();
    var before = held;
    held = lease;
    if (before == null || before.epoch() != lease.epoch()) {
      log.atInfo()
          .addKeyValue("node", cluster.nodeName())
          .addKeyValue("lease", name)
          .addKeyValue("epoch", lease.epoch())
          .log("leader.elected");
      changed.accept(true);
    }
  }

  private void stepDown(String why) {
    held = null;
    log.atWarn()
        .addKeyValue("node", cluster.nodeName())
        .addKeyValue("lease", name)
        .addKeyValue("cause", why)
        .log("leader.stepped_down");
    changed.accept(false);
  }

  /** A dead leader's lease is not waited for: the cluster has noticed before it expires. */
  public void membersChanged() {
    if (stopped || leads()) {
      return;
    }
    var alive = cluster.members().stream().map(Cluster.Node::id).toArray(String[]::new);
    leases.endUnlessHeldBy(name, alive).onSuccess(_ -> tickOnce());
  }

  private void tickOnce() {
    if (stopped || held != null) {
      return;
    }
    long asked = nanos.getAsLong();
    leases
        .take(name, cluster.nodeId(), duration)
        .onSuccess(lease -> {
          if (!stopped) {
            answered(lease, asked);
          }
        });
  }

  public Future<Void> stop() {
    stopped = true;
    if (held == null) {
      return Future.succeededFuture();
    }
    held = null;
    changed.accept(false);
    return leases.release(name, cluster.nodeId()).otherwiseEmpty();
  }
}
