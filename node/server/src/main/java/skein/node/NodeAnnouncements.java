package skein.node;

import io.vertx.core.Future;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.ActivitiesElsewhere;
import skein.cluster.AgreedFormat;
import skein.cluster.PollingVerticle;
import skein.definitions.DefinitionCache;
import skein.storage.NodeStore;

/**
 * Tells the other nodes on this database, of whatever cluster, which format this one reads and
 * which activities it has, and hears from them which format may be written, which activities they
 * have and which definitions they have changed. Deployed when the first look has succeeded.
 */
final class NodeAnnouncements extends PollingVerticle {
  private static final Logger log = LoggerFactory.getLogger(NodeAnnouncements.class);

  private final NodeStore store;
  private final NodeStore.Me me;
  private final AgreedFormat format;
  private final ActivitiesElsewhere activities;
  private final DefinitionCache definitions;
  private final LastCommit lastCommit;
  private final Options options;
  private @Nullable String place;

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
    super(options.interval());
    this.store = store;
    this.me = me;
    this.format = format;
    this.activities = activities;
    this.definitions = definitions;
    this.lastCommit = lastCommit;
    this.options = options;
  }

  @Override
  protected void logFailure(Throwable cause, long times) {
    log.atWarn()
        .addKeyValue("cause", cause.getMessage())
        .addKeyValue("times", times)
        .log("nodes.not_read");
  }

  @Override
  protected Future<Void> poll() {
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
