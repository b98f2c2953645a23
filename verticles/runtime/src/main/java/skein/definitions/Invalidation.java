package skein.definitions;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.Cluster;
import skein.codecs.BadBytesException;
import skein.messages.Addresses;
import skein.messages.ClusterEvent;

/**
 * Makes every node drop definitions that changed, and waits until each has said so. A node that
 * does not answer is named in the log; it cannot start an old version, since the commit of a start
 * checks what is published.
 */
public final class Invalidation {
  private static final Logger log = LoggerFactory.getLogger(Invalidation.class);

  private final Vertx vertx;
  private final Cluster cluster;
  private final DefinitionCache cache;
  private final Duration timeout;
  private final LongAdder received = new LongAdder();

  /** {@code timeout}: how long a node may take to acknowledge. */
  public Invalidation(Vertx vertx, Cluster cluster, DefinitionCache cache, Duration timeout) {
    this.vertx = vertx;
    this.cluster = cluster;
    this.cache = cache;
    this.timeout = timeout;
  }

  /** Listens on this node; a change of membership may have hidden a message, so it drops all. */
  public Future<Void> listen() {
    cluster.onChange(() -> cache.invalidate(List.of()));
    return vertx
        .eventBus()
        .<ClusterEvent.DefinitionsChanged>consumer(
            Addresses.definitions(cluster.nodeId()),
            message -> {
              drop(changed(message));
              message.reply(new ClusterEvent.Acknowledged(cluster.nodeId()));
            })
        .completion();
  }

  /** Whatever a newer node has said, dropping all is right. */
  private static List<String> changed(Message<ClusterEvent.DefinitionsChanged> message) {
    try {
      return message.body().definitionIds();
    } catch (BadBytesException _) {
      return List.of();
    }
  }

  private void drop(List<String> definitionIds) {
    cache.invalidate(definitionIds);
    received.add(definitionIds.size());
    for (var id : definitionIds) {
      log.info("Received cache invalidation event for workflow definition {}", id);
    }
  }

  /** Definitions that this node was asked to drop. */
  public long received() {
    return received.sum();
  }

  /** Succeeds always; done when every member has answered or its time is up. */
  public Future<Void> everywhere(List<String> definitionIds) {
    var answers = new ArrayList<Future<Void>>();
    for (var node : cluster.members()) {
      answers.add(on(node, definitionIds));
    }
    return Future.join(answers).<Void>mapEmpty().otherwiseEmpty();
  }

  private Future<Void> on(Cluster.Node node, List<String> definitionIds) {
    return vertx
        .eventBus()
        .request(
            Addresses.definitions(node.id()),
            new ClusterEvent.DefinitionsChanged(definitionIds),
            new DeliveryOptions().setSendTimeout(timeout.toMillis()))
        .onFailure(e ->
            log.atWarn()
                .addKeyValue("node", node.name())
                .addKeyValue("definitionIds", definitionIds)
                .addKeyValue("cause", e.getMessage())
                .log("definitions.not_acknowledged"))
        .mapEmpty();
  }
}
