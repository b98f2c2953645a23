package skein.http;

import org.jspecify.annotations.Nullable;
import skein.cluster.Inquiries;
import skein.cluster.Nodes;
import skein.codecs.ResumeLinks;
import skein.quiescence.RuntimeAdmin;
import skein.retention.DryRun;
import skein.storage.ActivityUsageStore;
import skein.storage.AuditList;
import skein.storage.AuditLog;
import skein.storage.DeadLetterStore;
import skein.storage.DefinitionSearch;
import skein.storage.ExecutionStore;
import skein.storage.InstanceImport;
import skein.storage.InstanceScan;
import skein.storage.JournalStore;
import skein.storage.NoteStore;
import skein.storage.OverviewStore;
import skein.storage.PassStore;
import skein.storage.PauseStore;
import skein.storage.SchedulerStore;
import skein.storage.TaskStore;
import skein.storage.TimerList;
import skein.storage.TimerStore;
import skein.storage.ViolationStore;

/** All that is answered over HTTP, in the order in which paths are tried. */
final class ApiRoutes {
  private final HttpDependencies dependencies;
  private final HttpOptions options;
  private final Health health;
  private final @Nullable MetricsPage metricsPage;
  private final InstanceImport imports;
  private final Nodes nodes;
  private final Inquiries inquiries;
  private final Shared shared;

  /** How the other nodes are asked. */
  record OtherNodes(Nodes nodes, Inquiries inquiries) {}

  /** The objects that the event loops of a node share. */
  record Shared(LiveFeed feed, JobRoutes jobs, Hub hub) {}

  /** {@code metricsPage}: null shows nothing at {@code /metrics}. */
  ApiRoutes(
      HttpDependencies dependencies,
      HttpOptions options,
      Health health,
      @Nullable MetricsPage metricsPage,
      InstanceImport imports,
      OtherNodes others,
      Shared shared) {
    this.dependencies = dependencies;
    this.options = options;
    this.health = health;
    this.metricsPage = metricsPage;
    this.imports = imports;
    this.nodes = others.nodes();
    this.inquiries = others.inquiries();
    this.shared = shared;
  }

  void addTo(Routes routes, Gate gate, TenantGate tenants) {
    var starts =
        new StartRoutes(dependencies.ingress(), dependencies.stores().definitions(), tenants);
    new InstanceActionRoutes(
            dependencies.ingress(),
            dependencies.stores().instances(),
            dependencies.stores().definitions(),
            new ResumeLinks(options.listener().baseUrl().toString()),
            options.api().bulkInstancesMax())
        .addTo(routes);
    starts.addTo(routes);
    var journal = new JournalStore(dependencies.stores().database());
    new InstanceRoutes(
            dependencies.stores().instances(),
            dependencies.workflows().cache(),
            starts,
            dependencies.ingress(),
            gate)
        .addTo(routes);
    new NoteRoutes(new NoteStore(dependencies.stores().database())).addTo(routes);
    new BookmarkRoutes(dependencies.ingress()).addTo(routes);
    new ForkRoutes(
            dependencies.ingress(),
            dependencies.stores().instances(),
            journal,
            dependencies.workflows().cache())
        .addTo(routes);
    new JournalRoutes(dependencies.stores().instances(), journal).addTo(routes);
    new InstanceFileRoutes(
            dependencies.stores().instances(),
            imports,
            dependencies.workflows().cache(),
            dependencies.clock(),
            options.bodies().uploads(),
            dependencies.imports().limits())
        .addTo(routes);
    new SignalRoutes(dependencies.ingress(), dependencies.stores().instances(), tenants)
        .addTo(routes);
    new TaskRoutes(dependencies.ingress(), new TaskStore(dependencies.stores().database()))
        .addTo(routes);
    shared.jobs().addTo(routes);
    new ScheduleRoutes(dependencies.workflows().schedules()).addTo(routes);
    new AlterationRoutes(
            dependencies.ingress(), dependencies.stores().alterations(), dependencies.clock())
        .addTo(routes);
    new ResumeRoutes(dependencies.ingress()).addTo(routes);
    new FireRoute(new TimerStore(dependencies.stores().database()), dependencies.ingress()::fire)
        .addTo(routes);
    new DeadLetterRoutes(
            new DeadLetterStore(dependencies.stores().database()),
            new TimerStore(dependencies.stores().database()),
            new TimerList(dependencies.stores().database()),
            dependencies.ingress())
        .addTo(routes);
    new SchedulerRoutes(
            new SchedulerStore(dependencies.stores().database()),
            new TimerList(dependencies.stores().database()))
        .addTo(routes);
    new EndpointRoutes(dependencies.ingress(), dependencies.workflows().cache(), gate)
        .addTo(routes);
    new ExecutionRoutes(
            new ExecutionStore(dependencies.stores().database()), dependencies.stores().instances())
        .addTo(routes);
    addDefinitionRoutes(routes, gate);
    new ActivityDescriptorRoutes(
            dependencies.workflows().activities(),
            dependencies.workflows().definitions().documents()::usableAsActivities,
            options.listener().baseUrl())
        .addTo(routes);
    new DescriptorRoutes().addTo(routes);
    new FeatureRoutes().addTo(routes);
    new TypeDefinitionRoutes(dependencies.stores().definitions()).addTo(routes);
    var scanner = new PassStore(dependencies.stores().database(), PassStore.Kind.SCANNER);
    new InvariantRoutes(new ViolationStore(dependencies.stores().database()), scanner)
        .addTo(routes);
    new RetentionRoutes(
            options.api().retention(),
            new PassStore(dependencies.stores().database(), PassStore.Kind.RETENTION),
            new DryRun(dependencies.stores().database(), options.api().retention().rules()))
        .addTo(routes);
    new AuditRoutes(new AuditList(dependencies.stores().database())).addTo(routes);
    health.addTo(routes);
    if (metricsPage != null) {
      metricsPage.addTo(routes);
    }
    var cluster =
        new ClusterView(
            nodes,
            dependencies.member().cluster(),
            new SchedulerStore(dependencies.stores().database()));
    cluster.addTo(routes);
    addLiveRoutes(routes, cluster, gate);
    addHubRoutes(routes);
    new ClusterRoutes(nodes, inquiries).addTo(routes);
    addRuntimeRoutes(routes);
    new LockRoutes(inquiries, dependencies.clock()).addTo(routes);
    new LogLevelRoutes(inquiries).addTo(routes);
    new CallerRoute(dependencies.security() instanceof Security.Open).addTo(routes);
    if (dependencies.security() instanceof Security.Authenticated(var identity, _)) {
      var audit =
          new AuditLog(
              dependencies.stores().database(), dependencies.member().cluster().nodeName());
      var baseUrl = options.listener().baseUrl();
      new IdentityRoutes(identity, gate, audit, baseUrl).addTo(routes);
      new BrowserSignInRoutes(identity, gate, audit, baseUrl).addTo(routes);
      new RoleRoutes(identity).addTo(routes);
      new ApplicationRoutes(identity).addTo(routes);
    }
    new ErrorRoutes().addTo(routes);
    new ApiReferenceRoutes(dependencies.workflows().activities().descriptors()).addTo(routes);
    new IndexRoute(
            dependencies.member().cluster(),
            dependencies.member().readiness(),
            options.api().console(),
            options.api().studio() != null)
        .addTo(routes);
    if (options.api().console()) {
      new ConsoleRoutes(ConsoleFiles.get()).addTo(routes);
    }
    var studio = options.api().studio();
    if (studio != null) {
      new StudioRoutes(studio, options.listener().baseUrl()).addTo(routes);
    }
  }

  private void addRuntimeRoutes(Routes routes) {
    var cluster = dependencies.member().cluster();
    var pauses = new PauseStore(dependencies.stores().database());
    new RuntimeRoutes(
            new RuntimeAdmin(pauses, inquiries, cluster), cluster.nodeId(), dependencies.clock())
        .addTo(routes);
  }

  private void addHubRoutes(Routes routes) {
    new HubRoutes(shared.hub(), new HubPeers(shared.hub(), inquiries), dependencies.clock())
        .addTo(routes);
  }

  private void addLiveRoutes(Routes routes, ClusterView cluster, Gate gate) {
    var overview =
        new Overview(
            new OverviewStore(dependencies.stores().database(), options.api().live().recentMax()),
            dependencies.stores().instances(),
            new TimerList(dependencies.stores().database()),
            new ViolationStore(dependencies.stores().database()),
            cluster,
            dependencies.clock());
    overview.addTo(routes);
    new LiveRoutes(
            shared.feed(),
            options.api().live(),
            dependencies.stores().instances(),
            overview,
            cluster,
            new TaskStore(dependencies.stores().database()),
            gate)
        .addTo(routes);
  }

  /** Fixed words before parameters: the first route that fits is taken. */
  private void addDefinitionRoutes(Routes routes, Gate gate) {
    var store = dependencies.stores().definitions();
    var search = new DefinitionSearch(dependencies.stores().database());
    var documents = dependencies.workflows().definitions().documents();
    var answers = new DefinitionAnswers(store, documents);
    new SubgraphRoutes(store, documents).addTo(routes);
    new ActivityTrialRoutes(dependencies.workflows().definitions().trials(), store).addTo(routes);
    var editable = new EditableDefinitions(dependencies.workflows().definitions(), store);
    new DefinitionImportRoutes(editable, options.bodies().uploads()).addTo(routes);
    new DefinitionExportRoutes(dependencies.workflows().definitions(), store, answers)
        .addTo(routes);
    var json = LargeDefinitions.json(options.bodies().definitions(), options.bodies().json());
    var checks = dependencies.workflows().definitions().checks();
    new DefinitionCheckRoutes(checks, json).addTo(routes);
    var recentMax = options.api().live().recentMax();
    new ActivityUsageRoute(
            new ActivityUsageStore(dependencies.stores().database(), recentMax),
            dependencies.clock())
        .addTo(routes);
    new InstanceDataRoute(
            new InstanceScan(dependencies.stores().database()),
            dependencies.workflows().cache(),
            options.api().live().search(),
            dependencies.clock())
        .addTo(routes);
    new DefinitionRoutes(editable, store, search, json, answers, gate).addTo(routes);
    new ReferenceRoutes(dependencies.workflows().definitions()).addTo(routes);
    new DefinitionRefreshRoutes(
            dependencies.workflows().definitions(), dependencies.workflows().source())
        .addTo(routes);
    var removal =
        new DefinitionRemoval(
            editable, store, dependencies.stores().instances(), dependencies.ingress());
    new PublishRoutes(editable, store, removal, answers).addTo(routes);
  }
}
