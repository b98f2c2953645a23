package skein.node;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.execution.ExecutionDependencies.Deciding;
import skein.execution.InstanceLimit;
import skein.node.config.MetricsConfig;
import skein.node.config.NodeConfig;
import skein.storage.CountStore;
import skein.storage.CountStore.Counts;
import skein.storage.CountStore.Unfinished;
import skein.storage.Database;

/**
 * Knows how many instances and timers there are in the cluster: reads what was counted last, and
 * counts when no other node has for long enough. {@link #counts} may be called from any thread.
 */
final class InstanceCounts extends VerticleBase {
  private static final Logger log = LoggerFactory.getLogger(InstanceCounts.class);

  /** Looks in the time between two counts. */
  private static final int LOOKS = 4;

  private static final Duration LOOK_MIN = Duration.ofMillis(50);

  private final CountStore store;
  private final CountStore.Terms terms;
  private final BiConsumer<Unfinished, Unfinished> onCount;
  private volatile Known known = new Known(Counts.NONE, System.nanoTime());

  private record Known(Counts counts, long readAt) {}

  /** {@code onCount}: called on the event loop with each count once, after the one before. */
  InstanceCounts(
      CountStore store, CountStore.Terms terms, BiConsumer<Unfinished, Unfinished> onCount) {
    this.store = store;
    this.terms = terms;
    this.onCount = onCount;
  }

  /** The limits of instances are told of each count. */
  static InstanceCounts of(MetricsConfig settings, Database database, Deciding deciding) {
    var terms =
        new CountStore.Terms(
            settings.countsInterval(), settings.countsTimeMax(), settings.countsBusyMax());
    return new InstanceCounts(new CountStore(database), terms, deciding::counted);
  }

  /** Whether the node serves metrics, or decides starts or imports of which there are limits. */
  static boolean areNeeded(NodeConfig config) {
    boolean executes = config.node().has(NodeConfig.Role.EXECUTION);
    boolean serves = SecurityWiring.servesHttp(config);
    boolean definitionsAreLimited =
        config.execution().starts().instancesPerDefinitionMax() != InstanceLimit.NONE;
    boolean tenantsAreLimited = TenancyWiring.limits(config.tenancy()).boundsInstances();
    return (serves && config.metrics().enabled())
        || ((serves || executes) && (definitionsAreLimited || tenantsAreLimited));
  }

  @Override
  public Future<?> start() {
    look();
    return Future.succeededFuture();
  }

  private void look() {
    store
        .look(terms)
        .compose(found -> {
          know(found.counts());
          return found.claimed() ? store.count(terms) : Future.succeededFuture(found.counts());
        })
        .onSuccess(this::know)
        .onFailure(e -> log.debug("Instances and timers were not counted: {}", e.getMessage()))
        .onComplete(_ -> vertx.setTimer(lookInterval().toMillis(), _ -> look()));
  }

  private void know(Counts counts) {
    var before = known.counts();
    known = new Known(counts, System.nanoTime());
    if (counts.number() != before.number()) {
      onCount.accept(before.unfinished(), counts.unfinished());
    }
  }

  private Duration lookInterval() {
    var part = terms.interval().dividedBy(LOOKS);
    return part.compareTo(LOOK_MIN) < 0 ? LOOK_MIN : part;
  }

  /** As they are known here, with their age by now. */
  Counts counts() {
    var last = known;
    var counts = last.counts();
    @Nullable Duration age = counts.age();
    var since = Duration.ofNanos(System.nanoTime() - last.readAt());
    return new Counts(
        counts.instances(),
        counts.timers(),
        counts.jobs(),
        counts.unfinished(),
        counts.number(),
        age == null ? null : age.plus(since),
        counts.took());
  }
}
