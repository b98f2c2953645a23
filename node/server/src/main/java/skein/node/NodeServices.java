package skein.node;

import io.vertx.core.Vertx;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.activities.Activities;
import skein.activities.FlowchartMode;
import skein.burst.BookmarkOptions;
import skein.burst.Burst;
import skein.burst.BurstLimits;
import skein.burst.ChildLimits;
import skein.burst.JournalLimits;
import skein.burst.WorkLimits;
import skein.bus.Answers;
import skein.bus.Refusals;
import skein.cluster.ActivitiesElsewhere;
import skein.cluster.AgreedFormat;
import skein.cluster.Cluster;
import skein.cluster.Locks;
import skein.cluster.Router;
import skein.codecs.JsonLimits;
import skein.codecs.ResumeLinks;
import skein.definitions.Compiler;
import skein.definitions.CompilerThreads;
import skein.definitions.DefinitionCache;
import skein.definitions.Definitions;
import skein.definitions.Invalidation;
import skein.events.Deliveries;
import skein.execution.BusNotices;
import skein.execution.ExecutionDependencies;
import skein.execution.ExecutionOptions;
import skein.execution.InstanceLimit;
import skein.execution.ScriptTurns;
import skein.execution.StartRate;
import skein.expressions.EvaluationClocks;
import skein.expressions.ExpressionLimits;
import skein.expressions.Expressions;
import skein.firing.ScheduleCommits;
import skein.firing.Schedules;
import skein.forms.FormLimits;
import skein.graph.CompilerOptions;
import skein.ingress.Ingress;
import skein.ingress.RefusedTokens;
import skein.messages.Reply;
import skein.model.ErrorCode;
import skein.model.Ulid;
import skein.node.config.ClusterConfig.Routing;
import skein.node.config.DefinitionsConfig;
import skein.node.config.ExecutionConfig;
import skein.node.config.NodeConfig;
import skein.node.metrics.NodeMetrics;
import skein.pacing.Pace;
import skein.schedules.ScheduleLimits;
import skein.storage.AlterationStore;
import skein.storage.AuditLog;
import skein.storage.CommitOptions;
import skein.storage.Database;
import skein.storage.DatabaseClock;
import skein.storage.DefinitionStore;
import skein.storage.InstanceStore;
import skein.storage.NodeStore;
import skein.storage.PostgresLeaseStore;
import skein.storage.PublicationStore;
import skein.storage.ScheduleStore;
import skein.storage.StimulusStore;
import skein.storage.TimerStore;
import skein.timers.SchedulerMeter;
import skein.timers.TimersDependencies;
import skein.work.CustomActivities;

/**
 * The services that the verticles of a node share, created from the configuration. All are
 * thread-safe.
 */
record NodeServices(
    Requests requests,
    Stores stores,
    Workflows workflows,
    ActivityTypes types,
    DatabaseClock clock,
    ExecutionDependencies execution,
    TimersDependencies timers) {

  /** How requests are read, taken in, and answered. */
  record Requests(Ingress ingress, Answers answers, JsonLimits json) {}

  record Stores(
      DefinitionStore definitions,
      InstanceStore instances,
      AlterationStore alterations,
      TimerStore timers,
      NodeStore nodes) {}

  /** Definitions, and when they start by themselves. */
  record Workflows(
      Definitions definitions,
      DefinitionCache cache,
      Invalidation invalidation,
      Schedules schedules) {}

  /**
   * @param all that definitions may have
   * @param own custom activities of this node
   * @param elsewhere custom activities of other nodes
   */
  record ActivityTypes(Activities all, CustomActivities own, ActivitiesElsewhere elsewhere) {}

  private static final Logger log = LoggerFactory.getLogger(NodeServices.class);
  private static final Duration CLOCK_MAX = Duration.ofSeconds(10);

  /** Asks the database for its clock; must not be called on an event loop. */
  static NodeServices of(
      NodeConfig config,
      Vertx vertx,
      Cluster cluster,
      Locks locks,
      Database database,
      CustomActivities own,
      NodeMetrics metrics) {
    var clock = Await.result(DatabaseClock.start(database, System::nanoTime), CLOCK_MAX);
    var random = new BufferedRandom();
    var json = json(config);
    var answers = new Answers(json, NodeServices::refuse);
    var elsewhere = new ActivitiesElsewhere(cluster);
    var activities =
        Activities.builtIn(
                config.execution().flowchartMode() == ExecutionConfig.FlowchartMode.TOKEN
                    ? FlowchartMode.TOKEN
                    : FlowchartMode.COUNTER)
            .with(own.activities())
            .among(elsewhere::include);
    var burst = burst(config);
    var definitionStore = new DefinitionStore(database);
    var compiler =
        new Compiler(
            definitionStore,
            activities,
            compilation(config),
            new CompilerThreads(vertx, config.execution().scripts().threads()));
    var cache = new DefinitionCache(definitionStore, compiler, config.definitions().cacheMax());
    var invalidation =
        new Invalidation(vertx, cluster, cache, config.definitions().acknowledgeTimeout());
    var instances = new InstanceStore(database);
    var alterations = new AlterationStore(database);
    var timerStore = new TimerStore(database);
    var deliveries = new Deliveries(new StimulusStore(database));
    var router = new Router(vertx, cluster, routing(config));
    var grace = config.timers().firing().retryDelay();
    var scheduleStore = new ScheduleStore(database);
    var auditLog = new AuditLog(database, cluster.nodeName());
    var commits =
        new ScheduleCommits(
            vertx,
            scheduleStore,
            timerStore,
            router,
            clock,
            new ScheduleCommits.Options(
                scheduleLimits(config),
                grace,
                config.timers().horizon(),
                config.scheduler().shards()),
            auditLog);
    var audit =
        new RefusedTokens(
            auditLog,
            clock,
            config.tokens().refusalsPerMinuteMax(),
            metrics.http().refusedTokens());
    var ingress =
        new Ingress(
            router,
            instances,
            deliveries,
            audit,
            clock,
            random,
            new Ingress.Options(grace, config.tokens().lifetimeDefault()));
    var definitions =
        new Definitions(
            new Definitions.Stores(definitionStore, new PublicationStore(database)),
            invalidation,
            compiler,
            burst,
            WorkWiring.presence(config, vertx),
            clock,
            random);
    var schedules =
        new Schedules(
            commits,
            scheduleStore,
            definitionStore,
            clock,
            () -> Ulid.of(clock.instant(), random.nextLong(), random.nextLong()));
    return new NodeServices(
        new Requests(ingress, answers, json),
        new Stores(definitionStore, instances, alterations, timerStore, new NodeStore(database)),
        new Workflows(definitions, cache, invalidation, schedules),
        new ActivityTypes(activities, own, elsewhere),
        clock,
        new ExecutionDependencies(
            execution(config),
            new ExecutionDependencies.Peers(
                cluster,
                locks,
                router,
                new BusNotices(vertx, config.scheduler().shards()),
                new AgreedFormat()),
            ExecutionDependencies.Rows.in(database, instances, timerStore, deliveries, alterations),
            new ExecutionDependencies.Deciding(
                burst,
                clock,
                random,
                scripts(config, pace(config)),
                new StartRate(config.execution().starts().innerPerSecondMax()),
                new InstanceLimit(config.execution().starts().instancesPerDefinitionMax()),
                TenancyWiring.limits(config.tenancy())),
            cache,
            WorkWiring.of(config, json, own, vertx, metrics.work()),
            commits),
        new TimersDependencies(
            TimersWiring.options(config),
            cluster,
            router,
            timerStore,
            new PostgresLeaseStore(database, config.timers().leaseDuration().dividedBy(4)),
            clock,
            new SchedulerMeter(System::nanoTime)));
  }

  private static Reply.Refused refuse(Throwable failure) {
    var refused = Refusals.of(failure);
    if (refused.code() == ErrorCode.INTERNAL) {
      log.atError().setCause(failure).log("request.failed");
    }
    return refused;
  }

  private static JsonLimits json(NodeConfig config) {
    var json = config.json();
    return new JsonLimits(
        Math.toIntExact(config.http().bodyBytesMax()),
        json.depthMax(),
        json.stringCharsMax(),
        json.numberDigitsMax(),
        json.membersMax());
  }

  private static Burst burst(NodeConfig config) {
    var given = config.expressions();
    var limits =
        new ExpressionLimits(
            new ExpressionLimits.Times(given.timeMax(), given.wallTimeMax(), given.burstTimeMax()),
            given.instructionsMax(),
            given.allocationBytesMax(),
            given.stringCharsMax(),
            given.stackDepthMax(),
            given.resultCharsMax(),
            given.sourceCharsMax());
    var bounds = config.execution().perInstance();
    return new Burst(
        new Expressions(limits, EvaluationClocks.SYSTEM, given.configuration()),
        new BurstLimits(
            BurstLimits.Size.of(bounds.stepsPerBurstMax(), bounds.stateBytesMax()),
            bounds.activitiesMax(),
            bounds.bookmarksMax(),
            bounds.incidentsMax(),
            new ChildLimits(
                bounds.childrenPerBurstMax(),
                bounds.waitingParentsMax(),
                bounds.causesMax(),
                config.timers().firing().retryDelay()),
            new JournalLimits(
                bounds.journalValueMax(),
                bounds.journalCharsPerBurstMax(),
                bounds.journalEntriesPerBurstMax(),
                WorkWiring.secrets(config)),
            new WorkLimits(
                config.work().lease(),
                config.work().lostMax(),
                config.jobs().leases().lostMax(),
                config.jobs().payloadCharsMax())),
        new BookmarkOptions(
            new ResumeLinks(config.http().baseUrl().toString()),
            config.tokens().lifetimeDefault(),
            bounds.bookmarkExpiry().isZero() ? null : bounds.bookmarkExpiry()));
  }

  private static CompilerOptions compilation(NodeConfig config) {
    var bounds = config.definitions();
    return new CompilerOptions(
        bounds.usesDepthMax(),
        bounds.activitiesMax(),
        bounds.usesMax(),
        bounds.unknownActivities() == DefinitionsConfig.UnknownActivities.REFUSE,
        forms(config));
  }

  private static FormLimits forms(NodeConfig config) {
    var given = config.forms();
    return new FormLimits(
        given.schemaBytesMax(),
        given.depthMax(),
        given.patternSizeMax(),
        given.dataBytesMax(),
        given.stepsMax(),
        given.timeMax());
  }

  private static Router.Options routing(NodeConfig config) {
    var execution = config.execution();
    return new Router.Options(
        execution.commandTimeout(),
        config.http().requestTimeout(),
        config.cluster().routing() == Routing.LOCAL);
  }

  private static ExecutionOptions execution(NodeConfig config) {
    var execution = config.execution();
    return new ExecutionOptions(
        new ExecutionOptions.Lanes(
            execution.queueMax(),
            execution.queuePerInstanceMax(),
            execution.followersMax(),
            execution.commits().waitMax(),
            ExecutionOptions.Copies.ofLane(execution.cacheInstancesMax(), execution.lanes()),
            config.logging().burstLinesMax(),
            execution.starts().innerInFlightMax()),
        new ExecutionOptions.Contention(
            execution.lockTimeout(),
            execution.lockRetryDelay(),
            execution.lockRetryDelayMax(),
            execution.conflictRetries()),
        new ExecutionOptions.Timers(
            config.timers().firing().retryDelay(),
            config.timers().horizon(),
            config.scheduler().shards()),
        new ExecutionOptions.Work(
            config.work().lease(), config.work().inFlightMax(), config.answerTimeout()),
        forms(config),
        new CommitOptions(
            new CommitOptions.Batches(
                execution.commits().batchMax(),
                execution.commits().flightsMax(),
                execution.commits().overlapMin(),
                execution.commits().statementUsesMax()),
            execution.queueMax(),
            new CommitOptions.Retries(
                execution.commits().attemptsMax(), execution.commits().retryDelay().toMillis()),
            execution.perInstance().stateBytesMax()));
  }

  private static ScriptTurns scripts(NodeConfig config, Pace pace) {
    var scripts = config.execution().scripts();
    return new ScriptTurns(
        new ScriptTurns.Limits(scripts.threads(), scripts.perDefinitionMax(), scripts.longTime()),
        TenancyWiring.scriptShares(config.tenancy()),
        pace,
        System::nanoTime);
  }

  private static Pace pace(NodeConfig config) {
    var scripts = config.execution().scripts();
    if (scripts.heavyShare() == 100) {
      return Pace.unlimited();
    }
    var processors = Runtime.getRuntime().availableProcessors() * scripts.heavyShare() / 100.0;
    return new Pace(new Pace.Limits(processors, scripts.heavyAfter(), scripts.heavyAfter()));
  }

  private static ScheduleLimits scheduleLimits(NodeConfig config) {
    var schedules = config.schedules();
    return new ScheduleLimits(
        config.scheduler().misfireAfter(),
        schedules.datesMax(),
        schedules.jitterMax(),
        schedules.catchUpMax(),
        schedules.backfillMax(),
        schedules.nextMax());
  }
}
