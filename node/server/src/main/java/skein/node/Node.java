package skein.node;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.bus.MessageCodecs;
import skein.cluster.Inquiries;
import skein.cluster.LockReport;
import skein.cluster.Locks;
import skein.cluster.Nodes;
import skein.cluster.Readiness;
import skein.cluster.Readiness.Phase;
import skein.cluster.WaitingReport;
import skein.links.LinkVerticle;
import skein.links.PingVerticle;
import skein.node.config.DatabaseConfig;
import skein.node.config.EffectiveSetting;
import skein.node.config.NodeConfig;
import skein.node.hazelcast.HazelcastMember;
import skein.node.hazelcast.MemberFacts;
import skein.node.logging.Logging;
import skein.node.metrics.NodeMetrics;
import skein.storage.Database;
import skein.storage.DatabaseIdentity;
import skein.storage.DatabaseProbe;
import skein.storage.JournalPartitions;
import skein.storage.Migrations;
import skein.storage.ShardIndex;
import skein.storage.TenantStore;
import skein.work.CustomActivities;

/**
 * A node from start to stop. Both are procedures on the thread of the caller, which must not be an
 * event loop.
 */
public final class Node {
  private static final Logger log = LoggerFactory.getLogger(Node.class);
  private static final Duration CLOSE_MAX = Duration.ofSeconds(10);
  private static final Duration MIGRATION_MAX = Duration.ofMinutes(30);

  private final NodeConfig config;
  private final Readiness readiness = new Readiness();
  private final HazelcastMember member;
  private final Vertx vertx;
  private final Locks locks;
  private final NodeMetrics metrics;
  private final Database database;
  private final Deployment deployment;
  private final Lifecycle lifecycle;
  private final AtomicBoolean leavesOtherDatabase = new AtomicBoolean();
  private volatile @Nullable DrainTime leaving;
  private volatile boolean workEnded;

  private Node(NodeConfig config, HazelcastMember member, Vertx vertx, ConnectionGuards guards) {
    this.config = config;
    this.member = member;
    this.vertx = vertx;
    vertx.exceptionHandler(new ContextFailures());
    MessageCodecs.register(vertx, member.cluster()::formatOfAll);
    vertx.eventBus().serializableChecker(_ -> false); // Java objects are not messages
    this.metrics =
        NodeMetrics.none(config.metrics().definitionsMax(), config.metrics().tenantsMax());
    this.database = new Database(vertx, databaseOptions(config), metrics.database());
    this.locks = LockWiring.locks(config, member, vertx, database);
    this.deployment =
        new Deployment(
            config,
            new Platform(vertx, member.cluster(), locks, database),
            readiness,
            metrics,
            guards);
    this.lifecycle = new Lifecycle(config, readiness, member, deployment);
  }

  /**
   * Returns when the node takes work. The database comes first: a node that cannot use it must not
   * become the owner of anything. What had been started is stopped again when a later step fails.
   *
   * @param settings what the configuration was made of, for who asks
   */
  public static Node start(NodeConfig config, List<EffectiveSetting> settings) {
    long start = System.nanoTime();
    SecurityWiring.requireProtected(config);
    var guards =
        new ConnectionGuards(
            config, HttpWiring.connections(config), HttpWiring.protocol(config.http()));
    var own = CustomActivities.load(config.work().folders().activities());
    var wait = StartWait.begin(config.database());
    var databaseId = migrate(config, wait);
    checkContents(config, wait);
    var addresses =
        config.cluster().meetsInDatabase()
            ? new DatabaseAddresses(config, databaseOptions(config, 1, 0), wait)
            : null;
    var facts = new MemberFacts(databaseId, own.types(), addresses);
    var member = HazelcastMember.start(config, facts, guards.traffic());
    Vertx vertx;
    try {
      vertx =
          Await.result(member.vertx(new VertxOptions(), guards::transport), Duration.ofSeconds(60));
    } catch (RuntimeException e) {
      member.stop();
      throw e;
    }
    var node = new Node(config, member, vertx, guards);
    try {
      Await.result(node.locks.start(), CLOSE_MAX);
      node.deployment.start(own);
      Await.result(new Nodes(vertx, member.cluster()).serve(node.lifecycle), CLOSE_MAX);
      node.answerInquiries(settings);
      node.watchLinks();
      member.cluster().onChange(node::leaveOtherDatabase);
      member.onUnexpectedEnd(Node::endWithTheCluster);
      member.takeOver();
      node.readiness.advanceTo(Phase.READY);
    } catch (RuntimeException e) {
      node.stop();
      throw e;
    }
    StartLines.log(config);
    StartWarnings.log(config);
    log.atInfo()
        .addKeyValue("nodeId", member.cluster().nodeId())
        .addKeyValue("members", member.cluster().members().size())
        .addKeyValue("durationMs", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start))
        .log("node.started");
    return node;
  }

  /** Answers to questions of other nodes. */
  private void answerInquiries(List<EffectiveSetting> settings) {
    var cluster = member.cluster();
    var inquiries = new Inquiries(vertx, cluster);
    var levels = new LogLevels(vertx, cluster.nodeId(), cluster.nodeName());
    Await.result(
        Future.all(
            LockReport.serve(inquiries, locks),
            WaitingReport.serve(inquiries, deployment::mostWaiting),
            inquiries.serve(Inquiries.Topic.LOG_LEVELS, levels),
            inquiries.serve(Inquiries.Topic.SETTINGS, new SettingsView(settings)),
            inquiries.serve(Inquiries.Topic.LOG, new RecentLogView())),
        CLOSE_MAX);
  }

  /** Before this node owns anything: it may have to step aside at once. */
  private void watchLinks() {
    var links = config.cluster().links();
    var options =
        new LinkVerticle.Options(
            links.interval(), links.missedMax(), links.wholeTime(), links.aloneTime());
    var cluster = member.cluster();
    var watching =
        new LinkVerticle(
            cluster,
            options,
            aside -> {
              cluster.setAside(aside);
              lifecycle.setAside(cluster.isAside(cluster.nodeId()));
            });
    Await.result(vertx.deployVerticle(watching), CLOSE_MAX);
    var pings = new PingVerticle(cluster, links.pingInterval(), metrics.links());
    Await.result(vertx.deployVerticle(pings), CLOSE_MAX);
  }

  /** It cannot come back, and the supervisor of the process starts it again. */
  private static void endWithTheCluster() {
    log.atError().log("cluster.ended");
    Shutdown.exit(1);
  }

  /** Two clusters that did not know of each other may have become one. */
  private void leaveOtherDatabase() {
    var others = member.cluster().onOtherDatabase();
    if (!others.isEmpty() && leavesOtherDatabase.compareAndSet(false, true)) {
      log.atError().addKeyValue("nodes", others).log("cluster.otherDatabase");
      Shutdown.exit(1);
    }
  }

  /**
   * Checks the database and brings its schema up to date, on a Vert.x that knows no cluster.
   *
   * @return the identity of the database; empty when it is unknown
   */
  static String migrate(NodeConfig config) {
    return migrate(config, StartWait.begin(config.database()));
  }

  private static String migrate(NodeConfig config, StartWait wait) {
    var alone = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    try {
      var database = new Database(alone, databaseOptions(config));
      var migrations = migrations(database, config);
      return wait.answer(() -> {
        check(migrations, config);
        Await.result(migrations.run(), MIGRATION_MAX);
        return Await.result(new DatabaseIdentity(database).id(), MIGRATION_MAX);
      });
    } finally {
      Await.result(alone.close(), CLOSE_MAX);
    }
  }

  private static Migrations migrations(Database database, NodeConfig config) {
    var upgrades = config.upgrades();
    return new Migrations(
        database, upgrades.migrationLockTimeout(), upgrades.migrationRetriesMax());
  }

  /**
   * A node must not become the owner of anything that could not read what the others encrypt, or
   * would show everybody what is a tenant's.
   */
  private static void checkContents(NodeConfig config, StartWait wait) {
    var alone = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    try {
      var database = new Database(alone, databaseOptions(config));
      wait.answer(() -> Await.result(contents(config, database), MIGRATION_MAX));
    } finally {
      Await.result(alone.close(), CLOSE_MAX);
    }
  }

  private static Future<Void> contents(NodeConfig config, Database database) {
    return EncryptionWiring.check(config.encryption(), database)
        .compose(_ -> TenancyCheck.of(config.tenancy(), new TenantStore(database)::isUsed));
  }

  /**
   * Makes what nodes make in a schema that is up to date, on a Vert.x that knows no cluster: days
   * of the journal, and the index of the shards. For nodes that may not make them.
   */
  static void prepareTables(NodeConfig config) {
    var alone = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    try {
      var database = new Database(alone, databaseOptions(config));
      var partitions = new JournalPartitions(database);
      var today = LocalDate.now(ZoneOffset.UTC);
      Await.result(partitions.prepare(today, Housekeeping.PARTITION_DAYS_AHEAD), MIGRATION_MAX);
      Await.result(new ShardIndex(database).prepare(config.scheduler().shards()), MIGRATION_MAX);
    } finally {
      Await.result(alone.close(), CLOSE_MAX);
    }
  }

  /**
   * Whether the database can be used, changing nothing in it.
   *
   * @return its version
   */
  static String checkDatabase(NodeConfig config) {
    var alone = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    try {
      var database = new Database(alone, databaseOptions(config));
      return check(migrations(database, config), config);
    } finally {
      Await.result(alone.close(), CLOSE_MAX);
    }
  }

  /**
   * The facts that a node needs from the database; throws as {@link #migrate} when it is
   * unavailable.
   */
  static DatabaseProbe.Facts probeDatabase(NodeConfig config) {
    var alone = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    try {
      var database = new Database(alone, databaseOptions(config));
      return Await.result(new DatabaseProbe(database).read(), MIGRATION_MAX);
    } finally {
      Await.result(alone.close(), CLOSE_MAX);
    }
  }

  private static String check(Migrations migrations, NodeConfig config) {
    var version = Await.result(migrations.checkVersion(), MIGRATION_MAX);
    if (!config.database().allowUnsafeDurability()) {
      Await.result(migrations.checkDurability(), MIGRATION_MAX);
    }
    return version;
  }

  static Database.Options databaseOptions(NodeConfig config) {
    var database = config.database();
    return databaseOptions(config, database.pool().size(), database.sessions().poolSizeMin());
  }

  private static Database.Options databaseOptions(
      NodeConfig config, int poolSize, int poolSizeMin) {
    var database = config.database();
    return new Database.Options(
        login(database),
        database.schema(),
        new Database.PoolLimits(poolSize, database.pool().waitMax()),
        new Database.Timeouts(database.pool().connectTimeout(), database.statementTimeout()),
        new Database.Reads(
            database.pool().readSize(),
            database.pool().readBatchMax(),
            (int) database.pool().journalCacheBytes()),
        new Database.Sessions(
            database.sessions().applicationName(),
            poolSizeMin,
            database.sessions().idleTimeout(),
            database.sessions().keepAlive()));
  }

  private static Database.Login login(DatabaseConfig database) {
    var password = database.password();
    return new Database.Login(
        database.uri(),
        database.user(),
        password.value(),
        password.file() == null ? null : password::now);
  }

  /**
   * Hands over what it has, finishes the rest, leaves. May take {@code node.drain-timeout} and
   * more; the caller halts when it has waited enough. Every step is tried, whatever the outcome of
   * the others.
   *
   * <p>It keeps answering for {@code node.drain-delay}, each answer asking its client to close the
   * connection: one that we closed while a request was on its way would fail that request.
   */
  public void stop() {
    long start = System.nanoTime();
    var time = new DrainTime(config.node().drainTimeout());
    leaving = time;
    member.leaves();
    Logging.ignoreLeavingMembers();
    lifecycle.leave(time);
    deployment.stop(time);
    workEnded = true;
    member.cluster().tellNobody();
    DrainStep.attempt("database", () -> Await.result(database.close(), CLOSE_MAX));
    Logging.ignoreLateAnswers();
    DrainStep.attempt("vertx", () -> Await.result(vertx.close(), CLOSE_MAX));
    DrainStep.attempt("hazelcast", member::stop);
    log.atInfo()
        .addKeyValue("durationMs", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start))
        .log("node.stopped");
  }

  /** It stops with the process, and faster when that is asked to stop again. */
  void stopWith(Shutdown shutdown) {
    shutdown.addHurry(this::hurry);
    shutdown.add(this::stop, this::left);
  }

  /** Stopping was requested a second time. */
  public void hurry() {
    var time = leaving;
    if (time != null) {
      log.atWarn().log("node.hurried");
      time.hurry();
    }
  }

  /** The work that a stop that takes too long leaves undone, for people; empty: none. */
  public Optional<String> left() {
    if (workEnded) {
      return Optional.empty();
    }
    try {
      var inFlight = lifecycle.inFlight();
      return inFlight.isIdle() ? Optional.empty() : Optional.of(inFlight.toString());
    } catch (RuntimeException e) {
      return Optional.of("unknown: " + e.getMessage());
    }
  }
}
