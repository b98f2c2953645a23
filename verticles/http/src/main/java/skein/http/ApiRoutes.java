package skein.http;

import org.jspecify.annotations.Nullable;
import skein.cluster.Inquiries;
import skein.cluster.Nodes;
import skein.codecs.ResumeLinks;
import skein.retention.DryRun;
import skein.storage.AuditList;
import skein.storage.AuditLog;
import skein.storage.DefinitionSearch;
import skein.storage.InstanceImport;
import skein.storage.JournalStore;
import skein.storage.OverviewStore;
import skein.storage.PassStore;
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
  private final LiveFeed feed;

  /** How the other nodes are asked. */
  record OtherNodes(Nodes nodes, Inquiries inquiries) {}

  /** {@code metricsPage}: null shows nothing at {@code /metrics}. */
  ApiRoutes(
      HttpDependencies dependencies,
      HttpOptions options,
      Health health,
      @Nullable MetricsPage metricsPage,
      InstanceImport imports,
      OtherNodes others,
      LiveFeed feed) {
    this.dependencies = dependencies;
    this.options = options;
    this.health = health;
    this.metricsPage = metricsPage;
    this.imports = imports;
    this.nodes = others.nodes();
    this.inquiries = others.inquiries();
    this.feed = feed;
  }

  void addTo(Routes routes, Gate gate) {
    var starts = new StartRoutes(dependencies.ingress(), dependencies.definitionStore());
    new InstanceActionRoutes(
            dependencies.ingress(),
            dependencies.instances(),
            dependencies.definitionStore(),
            new ResumeLinks(options.baseUrl().toString()),
            options.bulkInstancesMax())
        .addTo(routes);
    starts.addTo(routes);
    var journal = new JournalStore(dependencies.database());
    new InstanceRoutes(
            dependencies.instances(), dependencies.cache(), starts, dependencies.ingress(), gate)
        .addTo(routes);
    new JournalRoutes(dependencies.instances(), journal).addTo(routes);
    new InstanceFileRoutes(
            dependencies.instances(),
            imports,
            dependencies.cache(),
            dependencies.clock(),
            options,
            dependencies.limits())
        .addTo(routes);
    new SignalRoutes(dependencies.ingress(), dependencies.instances()).addTo(routes);
    new TaskRoutes(dependencies.ingress(), new TaskStore(dependencies.database())).addTo(routes);
    new ScheduleRoutes(dependencies.schedules()).addTo(routes);
    new AlterationRoutes(dependencies.ingress(), dependencies.alterations()).addTo(routes);
    new ResumeRoutes(dependencies.ingress()).addTo(routes);
    new FireRoute(new TimerStore(dependencies.database()), dependencies.ingress()).addTo(routes);
    new SchedulerRoutes(
            new SchedulerStore(dependencies.database()), new TimerList(dependencies.database()))
        .addTo(routes);
    new EndpointRoutes(dependencies.ingress(), dependencies.cache(), gate).addTo(routes);
    new ExecutionRoutes(journal, dependencies.instances()).addTo(routes);
    addDefinitionRoutes(routes, gate);
    new ActivityDescriptorRoutes(
            dependencies.activities(), dependencies.definitions()::usableAsActivities)
        .addTo(routes);
    new DescriptorRoutes().addTo(routes);
    new FeatureRoutes().addTo(routes);
    new TypeDefinitionRoutes(dependencies.definitionStore()).addTo(routes);
    var scanner = new PassStore(dependencies.database(), PassStore.Kind.SCANNER);
    new InvariantRoutes(new ViolationStore(dependencies.database()), scanner).addTo(routes);
    new RetentionRoutes(
            options.retention(),
            new PassStore(dependencies.database(), PassStore.Kind.RETENTION),
            new DryRun(dependencies.database(), options.retention().rules()))
        .addTo(routes);
    new AuditRoutes(new AuditList(dependencies.database())).addTo(routes);
    health.addTo(routes);
    if (metricsPage != null) {
      metricsPage.addTo(routes);
    }
    var cluster =
        new ClusterView(nodes, dependencies.cluster(), new SchedulerStore(dependencies.database()));
    cluster.addTo(routes);
    addLiveRoutes(routes, cluster, gate);
    new ClusterRoutes(nodes).addTo(routes);
    new LockRoutes(inquiries, dependencies.clock()).addTo(routes);
    new LogLevelRoutes(inquiries).addTo(routes);
    if (dependencies.security() instanceof Security.Authenticated(var identity, _)) {
      var audit = new AuditLog(dependencies.database(), dependencies.cluster().nodeName());
      new IdentityRoutes(identity, gate, audit).addTo(routes);
      new RoleRoutes(identity.roleStore()).addTo(routes);
      new ApplicationRoutes(identity).addTo(routes);
    }
    new ApiReferenceRoutes(dependencies.activities().descriptors()).addTo(routes);
    new IndexRoute(dependencies.cluster(), dependencies.readiness(), options.console())
        .addTo(routes);
    if (options.console()) {
      new ConsoleRoutes(ConsoleFiles.get()).addTo(routes);
    }
  }

  private void addLiveRoutes(Routes routes, ClusterView cluster, Gate gate) {
    var overview =
        new Overview(
            new OverviewStore(dependencies.database(), options.live().recentMax()),
            dependencies.instances(),
            new TimerList(dependencies.database()),
            new ViolationStore(dependencies.database()),
            cluster,
            dependencies.clock());
    overview.addTo(routes);
    new LiveRoutes(feed, options.live(), dependencies.instances(), overview, cluster, gate)
        .addTo(routes);
  }

  /** Fixed words before parameters: the first route that fits is taken. */
  private void addDefinitionRoutes(Routes routes, Gate gate) {
    var store = dependencies.definitionStore();
    var search = new DefinitionSearch(dependencies.database());
    new SubgraphRoutes(store).addTo(routes);
    var editable = new EditableDefinitions(dependencies.definitions(), store);
    new DefinitionImportRoutes(editable, options.uploads()).addTo(routes);
    new DefinitionExportRoutes(dependencies.definitions(), store).addTo(routes);
    var json = LargeDefinitions.json(options.definitions(), options.json());
    new DefinitionRoutes(editable, store, search, json, gate).addTo(routes);
    new ReferenceRoutes(dependencies.definitions()).addTo(routes);
    new DefinitionRefreshRoutes(dependencies.definitions(), dependencies.source()).addTo(routes);
    var removal =
        new DefinitionRemoval(editable, store, dependencies.instances(), dependencies.ingress());
    new PublishRoutes(editable, store, removal).addTo(routes);
  }
}
