package skein.node;

import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.Cluster;
import skein.cluster.Locks;
import skein.cluster.Readiness;
import skein.node.config.NodeConfig;
import skein.node.config.NodeConfig.Role;
import skein.storage.Database;

/**
 * What runs on a node. Parts start in the order of {@link #parts} and stop in the opposite order,
 * each when the one after it has stopped: execution starts first, intake stops first.
 */
final class Deployment {
  private static final Logger log = LoggerFactory.getLogger(Deployment.class);
  private static final Duration DEPLOY_MAX = Duration.ofSeconds(60);

  private final NodeConfig config;
  private final Vertx vertx;
  private final List<Part> parts;
  private final Deque<Deployed> deployed = new ArrayDeque<>();

  /** Instances of one verticle, on nodes with the role. */
  record Part(String name, Role role, int instances, Supplier<? extends Deployable> verticle) {}

  private record Deployed(String name, String id) {}

  Deployment(NodeConfig config, Vertx vertx, List<Part> parts) {
    this.config = config;
    this.vertx = vertx;
    this.parts = List.copyOf(parts);
  }

  /** The one place where the configuration becomes verticles. */
  static List<Part> parts(
      NodeConfig config,
      Vertx vertx,
      Cluster cluster,
      Locks locks,
      Database database,
      Readiness readiness) {
    return List.of();
  }

  void start() {
    for (var part : parts) {
      if (config.node().has(part.role())) {
        var options = new DeploymentOptions().setInstances(part.instances());
        var id = Node.await(vertx.deployVerticle(part.verticle(), options), DEPLOY_MAX);
        deployed.push(new Deployed(part.name(), id));
      }
    }
  }

  /** Each part may take what is left of the time. */
  void stop(Duration max) {
    long end = System.nanoTime() + max.toNanos();
    while (!deployed.isEmpty()) {
      var part = deployed.pop();
      try {
        var left = Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime()));
        Node.await(vertx.undeploy(part.id()), left);
      } catch (RuntimeException e) {
        log.atWarn().addKeyValue("part", part.name()).setCause(e).log("node.stopIncomplete");
      }
    }
  }
}
