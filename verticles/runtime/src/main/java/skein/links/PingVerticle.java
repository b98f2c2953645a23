package skein.links;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Duration;
import java.util.stream.Collectors;
import skein.cluster.Cluster;
import skein.messages.Addresses;
import skein.metrics.LinkMetrics;

/**
 * Measures how long other nodes take to answer, over the connections that commands take, event
 * loops of both ends included. Deploy once, on an event loop.
 */
public final class PingVerticle extends VerticleBase {
  private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

  private final Cluster cluster;
  private final Duration interval;
  private final LinkMetrics metrics;

  public PingVerticle(Cluster cluster, Duration interval, LinkMetrics metrics) {
    this.cluster = cluster;
    this.interval = interval;
    this.metrics = metrics;
  }

  @Override
  public Future<?> start() {
    vertx.setPeriodic(interval.toMillis(), _ -> ping());
    return vertx
        .eventBus()
        .<String>consumer(
            Addresses.ping(cluster.nodeId()), message -> message.reply(cluster.nodeId()))
        .completion();
  }

  private void ping() {
    var others =
        cluster.members().stream().filter(node -> !node.id().equals(cluster.nodeId())).toList();
    metrics.knows(others.stream().map(Cluster.Node::name).collect(Collectors.toSet()));
    others.forEach(this::ping);
  }

  private void ping(Cluster.Node node) {
    var options = new DeliveryOptions().setSendTimeout(ANSWER_MAX.toMillis());
    long since = System.nanoTime();
    vertx
        .eventBus()
        .request(Addresses.ping(node.id()), cluster.nodeId(), options)
        .onSuccess(_ -> metrics.answered(node.name(), since))
        .onFailure(e -> {
          // An older version does not listen there; that has no meaning for the link.
          if (e instanceof ReplyException reply && reply.failureType() == ReplyFailure.TIMEOUT) {
            metrics.lost(node.name());
          }
        });
  }
}
