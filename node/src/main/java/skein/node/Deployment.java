package skein.node;

import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.Cluster;
import skein.cluster.Locks;
import skein.cluster.Readiness;
import skein.codecs.Format;
import skein.execution.ExecutionVerticle;
import skein.http.HttpOptions;
import skein.http.HttpParts;
import skein.http.HttpVerticle;
import skein.http.UploadLimits;
import skein.ingress.BusVerticle;
import skein.node.config.NodeConfig;
import skein.node.config.NodeConfig.Role;
import skein.storage.Database;
import skein.storage.Migrations;
import skein.storage.NodeStore;
import skein.storage.ShardIndex;
import skein.timers.TimersVerticle;

/**
 * What runs on a node, put together from the configuration. Parts stop in the opposite order of
 * their start, each when the one after it has stopped, so intake ends before execution.
 */
final class Deployment {
  private static final Logger log = LoggerFactory.getLogger(Deployment.class);
  private static final int HTTP_INSTANCES = 2;
  private static final Duration DEPLOY_MAX = Duration.ofSeconds(60);
  private static final Duration INDEX_MAX = Duration.ofMinutes(30);
  private static final Duration RESIGN_MAX = Duration.ofSeconds(2);

  private final NodeConfig config;
  private final Vertx vertx;
  private final Cluster cluster;
  private final Locks locks;
  private final Database database;
  private final Readiness readiness;
  private final ShardIndex shardIndex;
  private final Deque<Deployed> deployed = new ArrayDeque<>();

  private volatile @Nullable TimersVerticle timers;

  private record Deployed(String name, String id) {}

  Deployment(
      NodeConfig config,
      Vertx vertx,
      Cluster cluster,
      Locks locks,
      Database database,
      Readiness readiness) {
    this.config = config;
    this.vertx = vertx;
    this.cluster = cluster;
    this.locks = locks;
    this.database = database;
    this.readiness = readiness;
    this.shardIndex = new ShardIndex(database);
  }

  /** Starts what this node's roles ask for; HTTP comes last, when everything behind it runs. */
  void start() {
    var rooms = Rooms.of(config, vertx, cluster, locks, database);
    Node.await(rooms.invalidation().listen(), DEPLOY_MAX);
    deploy("announcing", () -> announcing(rooms));
    deploy("housekeeping", () -> housekeeping(rooms));
    if (has(Role.EXECUTION)) {
      for (int lane = 0; lane < config.execution().lanes(); lane++) {
        int number = lane;
        deploy("execution " + lane, () -> new ExecutionVerticle(number, rooms.execution()));
      }
      deploy("bus", () -> new BusVerticle(rooms.ingress(), rooms.answers()));
    }
    if (config.mayLead()) {
      Node.await(shardIndex.prepare(config.scheduler().shards()), INDEX_MAX);
      var verticle = new TimersVerticle(rooms.timers());
      timers = verticle;
      deploy("timers", () -> verticle);
    }
    publishFolder(rooms);
    if (has(Role.HTTP)) {
      var parts = http(rooms);
      var options = httpOptions(rooms);
      for (int i = 0; i < HTTP_INSTANCES; i++) {
        deploy("http " + i, () -> new HttpVerticle(parts, options));
      }
    }
  }

  private HttpParts http(Rooms rooms) {
    return new HttpParts(
        rooms.ingress(),
        rooms.definitions(),
        rooms.cache(),
        rooms.definitionStore(),
        rooms.instances(),
        rooms.alterations(),
        database,
        cluster,
        readiness,
        rooms.activities(),
        rooms.clock(),
        rooms.execution().options().commits(),
        rooms.schedules());
  }

  private HttpOptions httpOptions(Rooms rooms) {
    var http = config.http();
    return new HttpOptions(
        http.host(),
        http.port(),
        http.baseUrl(),
        rooms.json(),
        http.idleTimeout(),
        http.requestTimeout(),
        Math.max(1, http.connectionsMax() / HTTP_INSTANCES),
        config.node().drainTimeout(),
        new UploadLimits(
            (int) http.uploads().bytesMax(),
            http.uploads().entriesMax(),
            (int) http.uploads().expandedBytesMax(),
            http.uploads().concurrentMax()));
  }

  private boolean has(Role role) {
    return config.node().has(role);
  }

  private Announcing announcing(Rooms rooms) {
    var me =
        new NodeStore.Me(
            cluster.nodeId(),
            cluster.nodeName(),
            config.cluster().name(),
            Format.newest(),
            Migrations.NEWEST);
    var upgrades = config.upgrades();
    return new Announcing(
        rooms.nodes(),
        me,
        rooms.execution().format(),
        rooms.cache(),
        new Announcing.Options(upgrades.lookInterval(), upgrades.rollbackWindow()));
  }

  private Housekeeping housekeeping(Rooms rooms) {
    var overdueAfter = config.timers().leaseDuration().multipliedBy(3);
    return new Housekeeping(
        rooms.clock(),
        new Migrations(database),
        rooms.timerStore(),
        new Housekeeping.Options(
            overdueAfter, config.timers().retryDelay(), config.timers().retryDelayMax()));
  }

  private void publishFolder(Rooms rooms) {
    var folder = config.definitions().fromDirectory();
    if (folder != null) {
      new DefinitionFolder(rooms.definitions(), rooms.definitionStore(), rooms.json())
          .publishAll(folder);
    }
  }

  private void deploy(String name, Supplier<? extends Deployable> verticle) {
    var id = Node.await(vertx.deployVerticle(verticle, new DeploymentOptions()), DEPLOY_MAX);
    deployed.push(new Deployed(name, id));
  }

  /** Other nodes take over the timers at once; this one fires none any more. */
  void resign() {
    var leading = timers;
    if (leading != null) {
      Node.await(leading.resign(), RESIGN_MAX);
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
