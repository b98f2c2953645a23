package skein.node;

import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.Cluster;
import skein.cluster.InFlight;
import skein.cluster.Inquiries;
import skein.cluster.LockProbe;
import skein.cluster.Locks;
import skein.cluster.Readiness;
import skein.cluster.Router;
import skein.cluster.WaitingCommands;
import skein.codecs.Format;
import skein.definitions.DefinitionSource;
import skein.execution.ExecutionVerticle;
import skein.http.Health;
import skein.http.HttpVerticle;
import skein.ingress.BusVerticle;
import skein.ingress.Keys;
import skein.invariants.ScannerVerticle;
import skein.links.LoopWatch;
import skein.loop.VertxDelays;
import skein.node.config.NodeConfig;
import skein.node.config.NodeConfig.Role;
import skein.node.metrics.NodeMetrics;
import skein.quiescence.QuiescenceVerticle;
import skein.retention.RetentionDependencies;
import skein.retention.RetentionVerticle;
import skein.storage.ChangeLog;
import skein.storage.DataKeys;
import skein.storage.Database;
import skein.storage.JournalPartitions;
import skein.storage.JournalStore;
import skein.storage.KeyStore;
import skein.storage.Migrations;
import skein.storage.NodeStore;
import skein.storage.PauseStore;
import skein.storage.SessionStore;
import skein.storage.ShardIndex;
import skein.storage.TokenStore;
import skein.timers.TimersVerticle;
import skein.work.CustomActivities;

/**
 * The verticles and services of a node, created from the configuration. Parts stop in the opposite
 * order of their start, each when the one after it has stopped, so intake ends before execution.
 */
final class Deployment {
  private static final Logger log = LoggerFactory.getLogger(Deployment.class);
  private static final int HTTP_INSTANCES = 2;
  private static final Duration LOOP_LOOK = Duration.ofMillis(500);
  private static final Duration DEPLOY_MAX = Duration.ofSeconds(60);
  private static final Duration INDEX_MAX = Duration.ofMinutes(30);
  private static final Duration FOLDER_MAX = Duration.ofMinutes(30);
  private static final Duration RESIGN_MAX = Duration.ofSeconds(2);
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);
  private static final String TIMERS = "timers";

  private final NodeConfig config;
  private final Platform platform;
  private final Vertx vertx;
  private final Cluster cluster;
  private final Locks locks;
  private final Database database;
  private final Readiness readiness;
  private final ConnectionGuards guards;
  private final ShardIndex shardIndex;
  private final DataKeys dataKeys;
  private final LoopWatch loops =
      new LoopWatch(thread -> new ThreadDeaths(Shutdown::exit).died(thread, null));
  private final LastCommit lastCommit;
  private final ReadinessChecks checks;
  private final NodeMetrics metrics;
  private @Nullable MetricsEndpoint metricsEndpoint;
  private final Deque<Deployed> deployed = new ConcurrentLinkedDeque<>();
  private final List<Supplier<Future<InFlight>>> busy = new CopyOnWriteArrayList<>();
  private final List<ExecutionVerticle> lanes = new CopyOnWriteArrayList<>();
  private @Nullable Router router;
  private @Nullable Supplier<TimersVerticle> newTimers;
  private volatile @Nullable TimersVerticle timers;

  private record Deployed(String name, String id) {}

  Deployment(
      NodeConfig config,
      Platform platform,
      Readiness readiness,
      NodeMetrics metrics,
      ConnectionGuards guards) {
    this.config = config;
    this.platform = platform;
    this.vertx = platform.vertx();
    this.cluster = platform.cluster();
    this.locks = platform.locks();
    this.database = platform.database();
    this.readiness = readiness;
    this.guards = guards;
    this.shardIndex = new ShardIndex(database);
    this.dataKeys = EncryptionWiring.dataKeys(config.encryption(), database);
    this.metrics = metrics;
    var interval = config.upgrades().lookInterval();
    this.lastCommit = new LastCommit(interval.plus(config.node().stuckMax()), System::nanoTime);
    this.checks = new ReadinessChecks(config, cluster, lastCommit, dataKeys, loops);
  }

  /**
   * Starts what this node's roles ask for; HTTP comes last, when everything behind it runs. A node
   * without its role still answers at a management port, if it has one.
   */
  void start(CustomActivities own) {
    var services = NodeServices.of(config, vertx, cluster, locks, database, own, metrics);
    router = services.execution().peers().router();
    Await.result(services.workflows().invalidation().listen(), DEPLOY_MAX);
    Await.result(loops.start(vertx, LOOP_LOOK), DEPLOY_MAX);
    var security = SecurityWiring.start(config, vertx, database, metrics.security());
    deploy("announcing", () -> announcements(services));
    deploy("quiescence", () -> quiescence(services));
    deploy(
        "encryption",
        () -> new EncryptionWiring.Keeping(config.encryption(), dataKeys, cluster.nodeId()));
    deploy("housekeeping", () -> housekeeping(services));
    var counts = InstanceCounts.of(config.metrics(), database, services.execution().deciding());
    if (InstanceCounts.areNeeded(config)) {
      deploy("counting", () -> counts);
    }
    if (has(Role.EXECUTION)) {
      for (int lane = 0; lane < config.execution().lanes(); lane++) {
        int number = lane;
        var verticle =
            new ExecutionVerticle(
                number,
                services.execution(),
                database,
                services.requests().answers(),
                metrics.execution());
        deploy("execution " + lane, () -> verticle);
        lanes.add(verticle);
        busy.add(verticle::inFlight);
      }
      deploy(
          "bus",
          () ->
              new BusVerticle(
                  services.requests().ingress(),
                  services.requests().answers(),
                  keys(),
                  new ChangeLog(database, cluster.nodeName()),
                  new JournalStore(database),
                  SecurityWiring.busCallers(config, security)));
    }
    if (config.mayLead()) {
      Await.result(shardIndex.prepare(config.scheduler().shards()), INDEX_MAX);
      newTimers = () -> new TimersVerticle(services.timers());
      startTimers();
    }
    if (has(Role.TIMERS) && config.scanner().enabled()) {
      var scanning =
          ScannerWiring.dependencies(
              config, services, cluster, database, metrics.passes().scanner());
      deploy("scanner", () -> new ScannerVerticle(scanning));
    }
    if (has(Role.TIMERS) && config.retention().enabled()) {
      var options = RetentionWiring.options(config.retention());
      var dependencies =
          new RetentionDependencies(options, cluster, database, metrics.passes().retention());
      deploy("retention", () -> new RetentionVerticle(dependencies));
    }
    var source = source(services);
    readFolder(source, StartWait.begin(config.database()));
    if (SecurityWiring.servesHttp(config)) {
      var dependencies =
          HttpWiring.dependencies(config, platform, readiness, services, source, security);
      var options = HttpWiring.options(config, services);
      var page = config.metrics().enabled() ? metricsEndpoint(services, counts).page() : null;
      var health =
          new Health(
              readiness,
              cluster,
              database,
              probe(),
              checks.list(services.execution().peers().router().quiescence()));
      for (int i = 0; i < (has(Role.HTTP) ? HTTP_INSTANCES : 1); i++) {
        var verticle =
            new HttpVerticle(
                dependencies, options, guards.connections(), health, metrics.http(), page);
        deploy("http " + i, () -> verticle);
        busy.add(verticle::inFlight);
      }
    }
  }

  private LockProbe probe() {
    return new LockProbe(locks, config.execution().lockExpiry(), System::nanoTime);
  }

  private MetricsEndpoint metricsEndpoint(NodeServices services, InstanceCounts counts) {
    var observed =
        new MetricsEndpoint.Observed(
            metrics, counts::counts, config.mayLead(), guards::certificateDays, guards.traffic());
    var made = new MetricsEndpoint(vertx, database, cluster, services, observed);
    metricsEndpoint = made;
    return made;
  }

  private Keys keys() {
    return new Keys(
        new VertxDelays(vertx),
        new KeyStore(database),
        cluster,
        UUID::randomUUID,
        HttpWiring.keyOptions(config));
  }

  private boolean has(Role role) {
    return config.node().has(role);
  }

  private NodeAnnouncements announcements(NodeServices services) {
    var me =
        new NodeStore.Me(
            cluster.nodeId(),
            cluster.nodeName(),
            config.cluster().name(),
            Format.newest(),
            Migrations.NEWEST,
            services.types().own().types());
    var upgrades = config.upgrades();
    return new NodeAnnouncements(
        services.stores().nodes(),
        me,
        services.execution().peers().format(),
        services.types().elsewhere(),
        services.workflows().cache(),
        lastCommit,
        new NodeAnnouncements.Options(upgrades.lookInterval(), upgrades.rollbackWindow()));
  }

  private QuiescenceVerticle quiescence(NodeServices services) {
    return new QuiescenceVerticle(
        services.execution().peers().router().quiescence(),
        new PauseStore(database),
        new Inquiries(vertx, cluster),
        services.clock(),
        this::inFlight,
        config.upgrades().lookInterval());
  }

  private Housekeeping housekeeping(NodeServices services) {
    var overdueAfter = config.timers().leaseDuration().multipliedBy(3);
    return new Housekeeping(
        services.clock(),
        new JournalPartitions(database),
        services.stores().timers(),
        new KeyStore(database),
        new TokenStore(database),
        new SessionStore(database),
        new Housekeeping.Options(
            overdueAfter,
            config.timers().firing().retryDelay(),
            config.timers().firing().retryDelayMax()));
  }

  private DefinitionSource source(NodeServices services) {
    var folder = config.definitions().fromDirectory();
    return folder == null
        ? DefinitionSource.NONE
        : new DefinitionFolder(
            vertx,
            folder,
            DefinitionFolder.Target.of(
                services.workflows().definitions(), services.stores().definitions()),
            services.requests().json());
  }

  /** Without what is there the node would answer 404 until the folder is read again. */
  static void readFolder(DefinitionSource source, StartWait wait) {
    wait.whileItPasses(() -> Await.result(source.reload(), FOLDER_MAX));
  }

  private void deploy(String name, Supplier<? extends Deployable> verticle) {
    var id = Await.result(vertx.deployVerticle(verticle, new DeploymentOptions()), DEPLOY_MAX);
    deployed.push(new Deployed(name, id));
  }

  /** Other nodes take over the timers at once; this one fires none any more. */
  void resign() {
    var leading = timers;
    if (leading != null) {
      Await.result(leading.resign(), RESIGN_MAX);
    }
  }

  /** Takes part in the scheduler, if this node may and does not yet. */
  void startTimers() {
    var maker = newTimers;
    if (maker != null && timers == null) {
      var verticle = maker.get();
      deploy(TIMERS, () -> verticle);
      timers = verticle;
    }
  }

  /** Takes part no longer, until it is started again. */
  void stopTimers() {
    if (timers == null) {
      return;
    }
    timers = null;
    for (var part : List.copyOf(deployed)) {
      if (part.name().equals(TIMERS)) {
        deployed.remove(part);
        Await.result(vertx.undeploy(part.id()), RESIGN_MAX);
      }
    }
  }

  /** Numbers of the scheduler's shards that this node leads. */
  Future<List<Integer>> shardsLed() {
    var leading = timers;
    return leading == null ? Future.succeededFuture(List.of()) : leading.shards();
  }

  Future<InFlight> inFlight() {
    var parts = busy.stream().map(Supplier::get).toList();
    return Future.join(parts)
        .map(_ -> parts.stream().map(Future::result).reduce(InFlight.NONE, InFlight::plus));
  }

  Future<List<WaitingCommands>> mostWaiting() {
    return ExecutionVerticle.mostWaiting(lanes);
  }

  NodeLoad load() {
    return NodeLoad.now(loops.lag(System.nanoTime()));
  }

  /** Each part may take what is left of the time. */
  void stop(DrainTime time) {
    lanes.forEach(lane -> lane.drainUntil(time::handOverAt));
    answerInTime(time);
    while (!deployed.isEmpty()) {
      var part = deployed.pop();
      try {
        DrainStep.timed(part.name(), () -> await(vertx.undeploy(part.id()), time));
      } catch (Await.UnansweredException e) {
        log.atWarn()
            .addKeyValue("part", part.name())
            .addKeyValue("cause", "the time for stopping is up")
            .log("node.stopIncomplete");
      } catch (RuntimeException e) {
        log.atWarn().addKeyValue("part", part.name()).setCause(e).log("node.stopIncomplete");
      }
    }
    if (metricsEndpoint != null) {
      metricsEndpoint.close();
    }
  }

  /** Requests that still wait for more shortly before the end are answered with what is known. */
  private void answerInTime(DrainTime time) {
    vertx.setPeriodic(
        LOOK_EVERY.toMillis(),
        timer -> {
          if (System.nanoTime() - time.answersAt() > 0) {
            vertx.cancelTimer(timer);
            lanes.forEach(ExecutionVerticle::answerNow);
            if (router != null) {
              router.answerNow();
            }
          }
        });
  }

  /** Polls for a second request to stop. */
  private static void await(Future<Void> stopped, DrainTime time) {
    while (true) {
      try {
        Await.result(stopped, LOOK_EVERY);
        return;
      } catch (Await.UnansweredException e) {
        if (time.isUp()) {
          throw e;
        }
      }
    }
  }
}
