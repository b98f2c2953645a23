package skein.execution;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import skein.burst.BookmarkOptions;
import skein.burst.Burst;
import skein.burst.BurstLimits;
import skein.burst.WorkLimits;
import skein.bus.Answers;
import skein.bus.Refusals;
import skein.cluster.AgreedFormat;
import skein.cluster.AnswerBatches;
import skein.cluster.Cluster;
import skein.cluster.Locks;
import skein.cluster.Order;
import skein.cluster.OrderBus;
import skein.cluster.Router;
import skein.cluster.Transport;
import skein.codecs.JsonLimits;
import skein.definitions.Graphs;
import skein.events.Deliveries;
import skein.expressions.ExpressionLimits;
import skein.expressions.Expressions;
import skein.firing.ScheduleFiring;
import skein.forms.FormLimits;
import skein.ingress.Ingress;
import skein.ingress.Keys;
import skein.jobs.Jobs;
import skein.loop.SimulatedLoop;
import skein.loop.Simulator;
import skein.messages.Addresses;
import skein.messages.Reply;
import skein.metrics.ExecutionMetrics;
import skein.model.DefinitionRef;
import skein.model.ErrorCode;
import skein.model.InstanceLimits;
import skein.model.Timer;
import skein.storage.CommitOptions;
import skein.storage.Committer;
import skein.storage.InstanceImport;
import skein.storage.SimulatedDatabase;
import skein.work.WorkPerformer;

/** The execution, the router and the ingress of one node, as a node puts them together. */
public final class SimulatedNode {
  private static final Burst BURST =
      new Burst(new Expressions(ExpressionLimits.DEFAULT, () -> 0), limits());
  private static final Burst EXPIRING =
      new Burst(
          new Expressions(ExpressionLimits.DEFAULT, () -> 0),
          limits(),
          new BookmarkOptions(
              BookmarkOptions.DEFAULT.links(),
              BookmarkOptions.DEFAULT.linkLifetime(),
              Duration.ofMillis(150)));
  private static final ExecutionMetrics METRICS = new ExecutionMetrics();

  /** So that all events meet one another. */
  private static final int FEW_RECEIVERS = 0;

  /** So few that dispatches must wait. */
  private static final int STARTS_PER_SECOND = 20;

  /** From one count of instances to the next. */
  public static final long COUNT_NANOS = 400_000_000;

  private static final Duration STATEMENT_TIMEOUT = Duration.ofSeconds(1);

  private final Simulator simulator;
  private final Observer observer;
  private final ExecutionDependencies dependencies;
  private final List<OfLane> lanes = new ArrayList<>();
  private final Router router;
  private final Ingress ingress;
  private final Keys keys;
  private final Jobs jobs;
  private final Deliveries deliveries;
  private final Answers answers;
  private final SimulatedDatabase database;
  private @Nullable Committer imports;

  /** What is seen of commands where they arrive and where they end. */
  public interface Observer {
    void arrived(Order order);

    void ended(Order order);

    void committed(List<UUID> commands, boolean won);

    /** Something failed unexpectedly. */
    void failed(Throwable unforeseen);
  }

  /**
   * What a node does not make itself.
   *
   * @param bus on which lanes take messages of many orders; null: they do not, as in older versions
   */
  public record Surroundings(
      Simulator simulator,
      SimulatedDatabase database,
      Cluster cluster,
      Locks locks,
      Transport transport,
      @Nullable OrderBus bus,
      Graphs graphs,
      WorkPerformer workers,
      Notices notices,
      RandomGenerator random,
      Observer observer) {}

  /**
   * What differs from run to run.
   *
   * @param followUpsLost percent of what a lane does at once after a commit, and the timers do
   *     later if it does not
   * @param bookmarksExpire after 150 ms, which faults their instances
   * @param routingLocal each node executes what it is asked for, whichever node owns the instance
   * @param instancesMax unfinished instances of one definition, 0 for any number
   * @param limitsTenants {@code instancesMax} is that of a tenant, whatever its definitions
   */
  public record Settings(
      int followersMax,
      int cacheInstancesMax,
      int batchMax,
      long batchBytesMax,
      int overlapMin,
      int attemptsMax,
      int followUpsLost,
      boolean routingLocal,
      boolean bookmarksExpire,
      int instancesMax,
      boolean limitsTenants) {}

  private record OfLane(
      SimulatedLoop loop,
      Lane lane,
      ExternalWork externalWork,
      InstanceCache copies,
      PendingReplies pendingReplies,
      @Nullable AnswerBatches batches) {}

  public SimulatedNode(Surroundings with, Settings settings) {
    this.simulator = with.simulator();
    this.observer = with.observer();
    var random = with.random();
    database = with.database();
    var delays = simulator.delays();
    router =
        new Router(
            delays,
            with.transport(),
            with.cluster(),
            new Router.Options(
                Duration.ofMillis(300), Duration.ofSeconds(4), settings.routingLocal()),
            () -> new UUID(random.nextLong(), random.nextLong()));
    InstantSource clock = () -> SimulatedDatabase.clock(simulator);
    deliveries = new Deliveries(database, FEW_RECEIVERS, delays::nanoTime);
    ingress =
        new Ingress(
            router,
            database,
            deliveries,
            database.audit(),
            clock,
            random,
            new Ingress.Options(Duration.ofMillis(500), Duration.ofMinutes(10)));
    jobs = new Jobs(router, database.jobs());
    keys =
        new Keys(
            delays,
            database.keys(),
            with.cluster(),
            () -> new UUID(random.nextLong(), random.nextLong()),
            new Keys.Options(
                Duration.ofHours(1),
                Duration.ofMillis(300),
                Duration.ofSeconds(20),
                Duration.ofSeconds(3)));
    int max = settings.instancesMax();
    var instances = new InstanceLimit(settings.limitsTenants() ? InstanceLimit.NONE : max);
    var tenants =
        new TenantLimits(
            Quota.UNLIMITED, settings.limitsTenants() ? Quota.of(max) : Quota.UNLIMITED);
    count(instances, tenants, database);
    dependencies =
        new ExecutionDependencies(
            options(settings),
            new ExecutionDependencies.Peers(
                with.cluster(), with.locks(), router, with.notices(), new AgreedFormat()),
            new ExecutionDependencies.Rows(
                database, database, deliveries, database, database.keys(), database),
            new ExecutionDependencies.Deciding(
                settings.bookmarksExpire() ? EXPIRING : BURST,
                clock,
                random,
                new ScriptTurns(ScriptTurns.Limits.DEFAULT, () -> 0),
                new StartRate(STARTS_PER_SECOND),
                instances,
                tenants),
            with.graphs(),
            with.workers(),
            new NoSchedules());
    answers =
        new Answers(
            JsonLimits.DEFAULT,
            e -> {
              var refusal = Refusals.of(e);
              if (refusal.code() == ErrorCode.INTERNAL) {
                observer.failed(e);
              }
              return refusal;
            });
    int count = with.cluster().self().lanes();
    for (int i = 0; i < count; i++) {
      lanes.add(lane(i, with, settings));
    }
    with.cluster()
        .onChange(() ->
            lanes.forEach(each ->
                each.loop.execute(() -> {
                  each.copies.clear();
                  each.pendingReplies.ownersChanged(router::executesHere);
                })));
  }

  /** As long as the simulation lasts, as nodes do. */
  private void count(InstanceLimit instances, TenantLimits tenants, SimulatedDatabase database) {
    instances.counted(database.unfinished(DefinitionRef::definitionId));
    tenants.counted(database.unfinished(DefinitionRef::tenant));
    simulator.after(COUNT_NANOS, () -> count(instances, tenants, database));
  }

  /** With leases that end while faults are on. */
  private static BurstLimits limits() {
    var usual = BurstLimits.DEFAULT;
    return new BurstLimits(
        usual.size(),
        usual.executionsMax(),
        usual.bookmarksMax(),
        usual.incidentsMax(),
        usual.children().withStartGrace(Duration.ofMillis(300)),
        usual.journal(),
        new WorkLimits(Duration.ofSeconds(2), usual.work().lostMax(), 1_000, 65_536));
  }

  private static ExecutionOptions options(Settings settings) {
    return new ExecutionOptions(
        new ExecutionOptions.Lanes(
            1_000,
            200,
            settings.followersMax(),
            Duration.ofSeconds(2),
            new ExecutionOptions.Copies(settings.cacheInstancesMax(), 4 << 20),
            1_000,
            2),
        new ExecutionOptions.Contention(
            Duration.ofMillis(800), Duration.ofMillis(20), Duration.ofMillis(100), 5),
        new ExecutionOptions.Timers(Duration.ofMillis(500), Duration.ofSeconds(5), 1),
        new ExecutionOptions.Work(Duration.ofSeconds(2), 4, Duration.ofSeconds(1)),
        FormLimits.DEFAULT,
        new CommitOptions(
            new CommitOptions.Batches(
                settings.batchMax(), settings.batchBytesMax(), 2, settings.overlapMin(), 200),
            1_000,
            new CommitOptions.Retries(settings.attemptsMax(), 40),
            1_000_000));
  }

  /** As {@link ExecutionVerticle} makes it. */
  private OfLane lane(int number, Surroundings with, Settings settings) {
    var loop = simulator.newLoop(dependencies.cluster().nodeId() + "/" + number);
    var commits =
        database.committer(
            loop,
            dependencies.options().commits(),
            STATEMENT_TIMEOUT,
            dependencies.peers().format()::written,
            observer::committed);
    var copies = new InstanceCache(loop, dependencies.options().lanes().copies());
    var pendingReplies = new PendingReplies(loop, dependencies.options().work().answerTimeout());
    var externalWork = new ExternalWork(loop, dependencies, pendingReplies);
    var postCommit = new PostCommit(loop, dependencies, externalWork, pendingReplies, METRICS);
    var own =
        new CommandRunner.Own(
            loop, simulator.blocking(1_000_000), commits, copies, externalWork, postCommit);
    var runner = new CommandRunner(own, dependencies, METRICS);
    var lane = new Lane(loop, dependencies, runner, pendingReplies, commits::behind, METRICS);
    loop.execute(() ->
        postCommit.onFollowUp(command -> {
          if (with.random().nextInt(100) < settings.followUpsLost()) {
            return Future.succeededFuture(); // Its row is found again by the timers.
          }
          return observed(Order.of(command, router.newCommandId(), null), lane);
        }));
    router.serve(number, loop, order -> receive(number, order));
    return new OfLane(
        loop, lane, externalWork, copies, pendingReplies, batches(number, loop, lane, with.bus()));
  }

  /** As {@link ExecutionVerticle} makes them. */
  private @Nullable AnswerBatches batches(
      int number, SimulatedLoop loop, Lane lane, @Nullable OrderBus bus) {
    if (bus == null) {
      return null;
    }
    var batches =
        new AnswerBatches(
            loop, bus, order -> answers.reply(() -> observed(order.get(), lane)), _ -> {});
    var address = Addresses.orders(dependencies.cluster().nodeId(), number);
    loop.execute(() -> bus.listen(address, body -> batches.receive(address, body)));
    return batches;
  }

  /**
   * Restores instances of files, on the loop of the HTTP server, where it is to be called.
   *
   * @param ids of the commit, and of the state that it makes
   */
  public InstanceImport imports(SimulatedLoop http, Supplier<UUID> ids) {
    var committer = imports;
    if (committer == null) {
      committer =
          database.committer(
              http,
              dependencies.options().commits(),
              STATEMENT_TIMEOUT,
              dependencies.peers().format()::written,
              observer::committed);
      imports = committer;
    }
    var limits = dependencies.deciding().limits();
    return new InstanceImport(
        version ->
            dependencies
                .definitions()
                .version(version)
                .<@Nullable DefinitionRef>map(graph -> graph == null ? null : graph.ref()),
        (_, _, _) -> Future.succeededFuture(false),
        committer,
        dependencies.clock(),
        ids,
        InstanceLimits.DEFAULT,
        new ImportLimits(limits.instances(), limits.tenants(), simulator.delays()::nanoTime));
  }

  /** Takes one that came alone from another node. Call on the loop of the lane. */
  public void receive(int lane, Order order, Consumer<Reply> replies) {
    Runnable task = () -> receive(lane, order).onSuccess(replies::accept);
    var batches = lanes.get(lane).batches;
    if (batches == null) {
      task.run();
    } else {
      batches.inTurn(task);
    }
  }

  private Future<Reply> receive(int lane, Order order) {
    return answers.reply(() -> observed(order, lanes.get(lane).lane));
  }

  private Future<Reply> observed(Order order, Lane lane) {
    observer.arrived(order);
    return lane.submit(order).onComplete(_ -> observer.ended(order));
  }

  public SimulatedLoop loop(int lane) {
    return lanes.get(lane).loop;
  }

  public List<SimulatedLoop> loops() {
    return lanes.stream().map(OfLane::loop).toList();
  }

  public Router router() {
    return router;
  }

  public Ingress ingress() {
    return ingress;
  }

  public Jobs jobs() {
    return jobs;
  }

  public Keys keys() {
    return keys;
  }

  /** Commands that have not ended, work outside that is under way, and an event of many. */
  public int underWay() {
    int events = deliveries.hasMany() ? 1 : 0;
    return events
        + lanes.stream()
            .mapToInt(each ->
                simulator.seenOn(each.loop, () -> each.lane.size() + each.externalWork.size()))
            .sum();
  }

  private static final class NoSchedules implements ScheduleFiring {
    @Override
    public Future<Void> fire(Timer timer) {
      return Future.failedFuture(new IllegalStateException("There are no schedules"));
    }

    @Override
    public Future<Void> ended(Timer timer) {
      return Future.failedFuture(new IllegalStateException("There are no schedules"));
    }
  }
}
