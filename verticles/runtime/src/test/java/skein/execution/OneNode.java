package skein.execution;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import skein.activities.Activities;
import skein.activities.Activity;
import skein.burst.Burst;
import skein.burst.BurstLimits;
import skein.bus.Answers;
import skein.bus.MessageCodecs;
import skein.bus.Refusals;
import skein.cluster.AgreedFormat;
import skein.cluster.Cluster;
import skein.cluster.InFlight;
import skein.cluster.Inquiries;
import skein.cluster.Locks;
import skein.cluster.NoLocks;
import skein.cluster.Router;
import skein.cluster.WaitingCommands;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.definitions.Compiler;
import skein.definitions.CompilerThreads;
import skein.definitions.DefinitionCache;
import skein.definitions.Definitions;
import skein.definitions.Invalidation;
import skein.definitions.SecretPresence;
import skein.events.Deliveries;
import skein.expressions.ExpressionLimits;
import skein.expressions.Expressions;
import skein.firing.ScheduleCommits;
import skein.firing.Schedules;
import skein.forms.FormLimits;
import skein.graph.CompilerOptions;
import skein.ingress.Ingress;
import skein.messages.Request;
import skein.metrics.ExecutionMetrics;
import skein.model.DefinitionRef;
import skein.model.InstanceId;
import skein.model.Ulid;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;
import skein.quiescence.QuiescenceVerticle;
import skein.schedules.ScheduleLimits;
import skein.storage.AlterationStore;
import skein.storage.AuditLog;
import skein.storage.CommitOptions;
import skein.storage.Database;
import skein.storage.DatabaseClock;
import skein.storage.DefinitionStore;
import skein.storage.InstanceStore;
import skein.storage.JournalStore;
import skein.storage.KeyStore;
import skein.storage.Migrations;
import skein.storage.PauseStore;
import skein.storage.PostgresLeaseStore;
import skein.storage.PublicationStore;
import skein.storage.ScheduleStore;
import skein.storage.StimulusStore;
import skein.storage.TestDatabase;
import skein.storage.TimerStore;
import skein.timers.SchedulerMeter;
import skein.timers.TimersDependencies;
import skein.timers.TimersOptions;
import skein.timers.TimersVerticle;
import skein.work.Worker;
import skein.work.Workers;

/** Everything of a node but Hazelcast and HTTP, on a PostgreSQL of its own schema. */
public final class OneNode implements AutoCloseable {
  public final Vertx vertx = Vertx.vertx();
  public final Database database;
  public final Ingress ingress;
  public final Definitions definitions;
  public final InstanceStore instances;
  public final DefinitionStore definitionStore;
  public final DefinitionCache cache;
  public final Limits limits;
  static final int LOG_LINES_MAX = 20;
  static final int STARTS_PER_SECOND = 200;
  private static final Limits NO_LIMITS =
      new Limits(new InstanceLimit(InstanceLimit.NONE), TenantLimits.NONE);

  /** Of starts and imports. */
  public record Limits(InstanceLimit instances, TenantLimits tenants) {}

  private final Alone alone = new Alone();
  public final Cluster cluster = alone;
  public final Schedules schedules;
  public final ScheduleStore scheduleStore;
  public final ScheduleCommits commits;
  final Router router;
  final ExecutionMetrics metrics = new ExecutionMetrics(3, 3);

  /** Nanoseconds by which the clock of scripts jumps ahead whenever it is read. */
  public final AtomicLong scriptClockStep = new AtomicLong();

  private final List<ExecutionVerticle> lanes = new CopyOnWriteArrayList<>();
  private final String timersDeployment;

  private final AtomicLong scriptClockAhead = new AtomicLong();

  /** Missed is what is later than two seconds. */
  private static final ScheduleLimits LIMITS =
      new ScheduleLimits(Duration.ofSeconds(2), 1_000, Duration.ofDays(1), 1_000, 100, 1_000);

  public OneNode() {
    this(new NoLocks());
  }

  OneNode(InstanceLimit limit) {
    this(new Limits(limit, TenantLimits.NONE));
  }

  public OneNode(TenantLimits limits) {
    this(new Limits(NO_LIMITS.instances(), limits));
  }

  public OneNode(Limits limits) {
    this(new NoLocks(), TestDatabase.newSchema(), _ -> List.of(), List.of(), limits);
  }

  OneNode(Locks locks) {
    this(locks, TestDatabase.newSchema(), _ -> List.of(), List.of(), NO_LIMITS);
  }

  /** Two nodes with one schema share everything but their buses. */
  public OneNode(String schema, Function<Vertx, List<Worker>> workers) {
    this(new NoLocks(), schema, workers, List.of(), NO_LIMITS);
  }

  /** {@code more}: activities besides those that are built in. */
  public OneNode(Function<Vertx, List<Worker>> workers, Collection<? extends Activity> more) {
    this(new NoLocks(), TestDatabase.newSchema(), workers, more, NO_LIMITS);
  }

  private OneNode(
      Locks locks,
      String schema,
      Function<Vertx, List<Worker>> workers,
      Collection<? extends Activity> more,
      Limits limits) {
    MessageCodecs.register(vertx);
    this.limits = limits;
    database = TestDatabase.database(vertx, schema);
    new Migrations(database).run().await();
    var clock = DatabaseClock.start(database, System::nanoTime).await();
    var random = new SecureRandom();
    var activities = Activities.builtIn().with(more);
    var burst =
        new Burst(
            new Expressions(ExpressionLimits.DEFAULT, this::scriptNanoTime), BurstLimits.DEFAULT);
    definitionStore = new DefinitionStore(database);
    var compiler =
        new Compiler(
            definitionStore, activities, CompilerOptions.DEFAULT, new CompilerThreads(vertx, 2));
    cache = new DefinitionCache(definitionStore, compiler, 100);
    var invalidation = new Invalidation(vertx, cluster, cache, Duration.ofSeconds(2));
    invalidation.listen().await();
    definitions =
        new Definitions(
            new Definitions.Stores(definitionStore, new PublicationStore(database)),
            invalidation,
            compiler,
            burst,
            SecretPresence.UNKNOWN,
            clock,
            random);
    instances = new InstanceStore(database);
    var timers = new TimerStore(database);
    var deliveries = new Deliveries(new StimulusStore(database));
    router =
        new Router(
            vertx,
            cluster,
            new Router.Options(Duration.ofSeconds(5), Duration.ofSeconds(20), false));
    ingress =
        new Ingress(
            router,
            instances,
            deliveries,
            new AuditLog(database, "n1"),
            clock,
            random,
            new Ingress.Options(Duration.ofSeconds(2), Duration.ofDays(30)));
    var options =
        new ExecutionOptions(
            new ExecutionOptions.Lanes(
                10_000,
                2_000,
                100,
                Duration.ofSeconds(2),
                ExecutionOptions.Copies.ofLane(1_000, 1),
                LOG_LINES_MAX,
                16),
            new ExecutionOptions.Contention(
                Duration.ofSeconds(5), Duration.ofMillis(20), Duration.ofMillis(100), 5),
            new ExecutionOptions.Timers(Duration.ofSeconds(2), Duration.ofSeconds(5), 1),
            new ExecutionOptions.Work(Duration.ofSeconds(2), 100, Duration.ofSeconds(5)),
            FormLimits.DEFAULT,
            new CommitOptions(
                new CommitOptions.Batches(100, 2, 8, 200),
                10_000,
                new CommitOptions.Retries(5, 50),
                1_000_000));
    scheduleStore = new ScheduleStore(database);
    commits =
        new ScheduleCommits(
            vertx,
            scheduleStore,
            timers,
            router,
            clock,
            new ScheduleCommits.Options(LIMITS, Duration.ofSeconds(2), Duration.ofSeconds(5), 1),
            new AuditLog(database, "n1"));
    schedules =
        new Schedules(
            commits,
            scheduleStore,
            definitionStore,
            clock,
            () -> Ulid.of(clock.instant(), random.nextLong(), random.nextLong()));
    var dependencies =
        new ExecutionDependencies(
            options,
            new ExecutionDependencies.Peers(
                cluster,
                locks,
                router,
                new BusNotices(vertx, options.timers().shards()),
                new AgreedFormat()),
            new ExecutionDependencies.Rows(
                instances,
                timers,
                deliveries,
                new AlterationStore(database),
                new KeyStore(database),
                new JournalStore(database)),
            new ExecutionDependencies.Deciding(
                burst,
                clock,
                random,
                new ScriptTurns(ScriptTurns.Limits.DEFAULT, System::nanoTime),
                new StartRate(STARTS_PER_SECOND),
                limits.instances(),
                limits.tenants()),
            cache,
            new Workers(vertx, workers.apply(vertx)),
            commits);
    vertx
        .deployVerticle(
            new QuiescenceVerticle(
                router.quiescence(),
                new PauseStore(database),
                new Inquiries(vertx, cluster),
                clock,
                this::inFlight,
                Duration.ofMillis(200)))
        .await();
    var answers = new Answers(JsonLimits.DEFAULT, Refusals::of);
    for (int lane = 0; lane < 2; lane++) {
      var verticle = new ExecutionVerticle(lane, dependencies, database, answers, metrics);
      vertx.deployVerticle(verticle).await();
      lanes.add(verticle);
    }
    var scheduling =
        new TimersOptions(
            Duration.ofSeconds(3),
            new TimersOptions.Reading(Duration.ofMillis(100), Duration.ofSeconds(2), 100),
            new TimersOptions.Firing(
                100,
                Duration.ofMillis(500),
                Duration.ofSeconds(2),
                new TimersOptions.Payloads(1 << 20, 50, Duration.ofMillis(20), 3)),
            1,
            Duration.ofSeconds(60));
    timersDeployment =
        vertx
            .deployVerticle(
                new TimersVerticle(
                    new TimersDependencies(
                        scheduling,
                        cluster,
                        router,
                        timers,
                        new PostgresLeaseStore(database, Duration.ofSeconds(1)),
                        clock,
                        new SchedulerMeter(System::nanoTime))),
                new DeploymentOptions())
            .await();
  }

  private Future<InFlight> inFlight() {
    var parts = lanes.stream().map(ExecutionVerticle::inFlight).toList();
    return Future.join(parts)
        .map(_ -> parts.stream().map(Future::result).reduce(InFlight.NONE, InFlight::plus));
  }

  /** Commands that have not begun, of each lane. */
  public Future<List<WaitingCommands>> mostWaiting() {
    return ExecutionVerticle.mostWaiting(lanes);
  }

  /** As shortly before the end of a node. */
  void answerNow() {
    lanes.forEach(ExecutionVerticle::answerNow);
  }

  /** From now on no timer fires here. */
  void stopTimers() {
    vertx.undeploy(timersDeployment).await();
  }

  private long scriptNanoTime() {
    return System.nanoTime() + scriptClockAhead.addAndGet(scriptClockStep.get());
  }

  /** From now on all instances are another node's. */
  void giveAllTo(String node) {
    alone.owner = new Cluster.Node(node, node, LANES);
  }

  /** The answer to a question about the tables. */
  public long number(String sql, Object... parameters) {
    return TestDatabase.number(database, sql, parameters);
  }

  public void publish(String json) {
    publish(DefinitionRef.DEFAULT_TENANT, json);
  }

  void publish(String tenant, String json) {
    definitions
        .of(tenant)
        .saveAndPublish(JsonText.parseObject(json, JsonLimits.DEFAULT), null)
        .await();
  }

  public InstanceId start(String definitionId) {
    return start(definitionId, Map.of());
  }

  public InstanceId start(String definitionId, Map<String, @Nullable Object> input) {
    return ingress
        .start(new Request.Start(definitionId, input, null, null, null, null, false))
        .await()
        .instanceId();
  }

  public WorkflowInstance get(InstanceId id) {
    return instances.get(id).await();
  }

  /** Waits until the instance is there, at most ten seconds. */
  public WorkflowInstance awaitStatus(InstanceId id, WorkflowStatus status) {
    long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (true) {
      var found = get(id);
      if (found.status() == status || System.nanoTime() > end) {
        return found;
      }
      vertx.timer(20).await();
    }
  }

  @Override
  public void close() {
    vertx.close().await();
  }

  private static final int LANES = 2;

  /** Whether the node is still a member. */
  public void setRunning(boolean running) {
    alone.running = running;
  }

  private static final class Alone implements Cluster {
    private volatile Node owner = self();
    private volatile boolean running = true;

    @Override
    public boolean isRunning() {
      return running;
    }

    @Override
    public Node self() {
      return new Node("n1", "n1", LANES);
    }

    @Override
    public Node ownerOf(InstanceId instanceId) {
      return owner;
    }

    @Override
    public List<Node> members() {
      return owner.equals(self()) ? List.of(owner) : List.of(self(), owner);
    }

    @Override
    public void onChange(Runnable listener) {}
  }
}
