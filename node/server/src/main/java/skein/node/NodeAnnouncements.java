package skein.node;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.ActivitiesElsewhere;
import skein.cluster.AgreedFormat;
import skein.cluster.ThrottledLog;
import skein.definitions.DefinitionCache;
import skein.storage.NodeStore;

/**
 * Tells the other nodes on this database, of whatever cluster, which format this one reads and
 * which activities it has, and hears from them which format may be written, which activities they
 * have and which definitions they have changed. Deployed when the first look has succeeded.
 */
final class NodeAnnouncements extends VerticleBase {
  private static final Logger log = LoggerFactory.getLogger(NodeAnnouncements.class);

  private final NodeStore store;
  private final NodeStore.Me me;
  private final AgreedFormat format;
  private final ActivitiesElsewhere activities;
  private final DefinitionCache definitions;
  private final LastCommit lastCommit;
  private final Options options;
  private final ThrottledLog failures = new ThrottledLog(Duration.ofMinutes(1), System::nanoTime);
  private @Nullable String place;
  private boolean stopped;

  /**
   * @param interval between two looks
   * @param lately for so long after its last look a node counts
   */
  record Options(Duration interval, Duration lately) {}

  NodeAnnouncements(
      NodeStore store,
      NodeStore.Me me,
      AgreedFormat format,
      ActivitiesElsewhere activities,
      DefinitionCache definitions,
      LastCommit lastCommit,
      Options options) {
    this.store = store;
    this.me = me;
    this.format = format;
    this.activities = activities;
    this.definitions = definitions;
    this.lastCommit = lastCommit;
    this.options = options;
  }

  @Override
  public Future<?> start() {
    return look().onSuccess(_ -> again());
  }

  @Override
  public Future<?> stop() {
    stopped = true;
    return Future.succeededFuture();
  }

  private void again() {
    vertx
        .timer(options.interval().toMillis(), TimeUnit.MILLISECONDS)
        .compose(_ -> look())
        .onComplete(result -> {
          if (stopped) {
            return;
          }
          if (result.failed()) {
            notRead(result.cause());
          }
          again();
        });
  }

  private void notRead(Throwable e) {
    failures.happened(times ->
        log.atWarn()
            .addKeyValue("cause", e.getMessage())
            .addKeyValue("times", times)
            .log("nodes.not_read"));
  }

  private Future<Void> look() {
    return store.look(me, options.lately(), place).map(this::seen);
  }

  private @Nullable Void seen(NodeStore.Seen seen) {
    place = seen.place();
    lastCommit.happened();
    int before = format.written();
    activities.seen(seen.activities());
    format.seen(seen.oldestRead(), seen.newestRead());
    if (format.written() != before) {
      log.atInfo()
          .addKeyValue("format", format.written())
          .addKeyValue("before", before)
          .log("format.changed");
    }
    if (!seen.changed().isEmpty()) {
      definitions.invalidate(seen.changed());
    }
    return null;
  }
}
