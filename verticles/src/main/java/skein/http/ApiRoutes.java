package skein.http;

import org.jspecify.annotations.Nullable;
import skein.cluster.Inquiries;
import skein.cluster.Nodes;
import skein.codecs.ResumeLinks;
import skein.retention.DryRun;
import skein.storage.AuditList;
import skein.storage.DefinitionSearch;
import skein.storage.InstanceImport;
import skein.storage.JournalStore;
import skein.storage.PassStore;
import skein.storage.SchedulerStore;
import skein.storage.TaskStore;
import skein.storage.TimerList;
import skein.storage.TimerStore;
import skein.storage.ViolationStore;

/** All that is answered over HTTP, in the order in which paths are tried. */
final class ApiRoutes {
  private final HttpParts parts;
  private final HttpOptions options;
  private final Health health;
  private final @Nullable MetricsPage metrics;
  private final InstanceImport imports;
  private final Nodes nodes;
  private final Inquiries inquiries;

  /** {@code metrics}: null shows nothing at {@code /metrics}. */
  ApiRoutes(
      HttpParts parts,
      HttpOptions options,
      Health health,
      @Nullable MetricsPage metrics,
      InstanceImport imports,
      Nodes nodes,
      Inquiries inquiries) {
    this.parts = parts;
    this.options = options;
    this.health = health;
    this.metrics = metrics;
    this.imports = imports;
    this.nodes = nodes;
    this.inquiries = inquiries;
  }

  void addTo(Routes routes) {
    var starts = new StartRoutes(parts.ingress(), parts.definitionStore());
    new InstanceActionRoutes(
            parts.ingress(),
            parts.instances(),
            parts.definitionStore(),
            new ResumeLinks(options.baseUrl().toString()),
            options.bulkInstancesMax())
        .addTo(routes);
    starts.addTo(routes);
    var journal = new JournalStore(parts.database());
    new InstanceRoutes(parts.instances(), parts.cache(), starts, parts.ingress()).addTo(routes);
    new JournalRoutes(parts.instances(), journal).addTo(routes);
    new InstanceFileRoutes(
            parts.instances(), imports, parts.cache(), parts.clock(), options, parts.limits())
        .addTo(routes);
    new SignalRoutes(parts.ingress(), parts.instances()).addTo(routes);
    new TaskRoutes(parts.ingress(), new TaskStore(parts.database())).addTo(routes);
    new ScheduleRoutes(parts.schedules()).addTo(routes);
    new AlterationRoutes(parts.ingress(), parts.alterations()).addTo(routes);
    new ResumeRoutes(parts.ingress()).addTo(routes);
    new FireRoute(new TimerStore(parts.database()), parts.ingress()).addTo(routes);
    new SchedulerRoutes(new SchedulerStore(parts.database()), new TimerList(parts.database()))
        .addTo(routes);
    new EndpointRoutes(parts.ingress(), parts.cache(), options.callers()).addTo(routes);
    new ExecutionRoutes(journal, parts.instances()).addTo(routes);
    addDefinitionRoutes(routes);
    new ActivityDescriptorRoutes(parts.activities(), parts.definitions()::usableAsActivities)
        .addTo(routes);
    new DescriptorRoutes().addTo(routes);
    new FeatureRoutes().addTo(routes);
    new TypeDefinitionRoutes(parts.definitionStore()).addTo(routes);
    var scanner = new PassStore(parts.database(), PassStore.Kind.SCANNER);
    new InvariantRoutes(new ViolationStore(parts.database()), scanner).addTo(routes);
    new RetentionRoutes(
            options.retention(),
            new PassStore(parts.database(), PassStore.Kind.RETENTION),
            new DryRun(parts.database(), options.retention().rules()))
        .addTo(routes);
    new AuditRoutes(new AuditList(parts.database())).addTo(routes);
    health.addTo(routes);
    if (metrics != null) {
      metrics.addTo(routes);
    }
    new ClusterRoutes(nodes).addTo(routes);
    new LockRoutes(inquiries, parts.clock()).addTo(routes);
    new LogLevelRoutes(inquiries).addTo(routes);
    new IndexRoute(parts.cluster(), parts.readiness()).addTo(routes);
  }

  /** Fixed words before parameters: the first route that fits is taken. */
  private void addDefinitionRoutes(Routes routes) {
    var store = parts.definitionStore();
    var search = new DefinitionSearch(parts.database());
    new SubgraphRoutes(store).addTo(routes);
    var editable = new EditableDefinitions(parts.definitions(), store);
    new DefinitionImportRoutes(editable, options.uploads()).addTo(routes);
    new DefinitionExportRoutes(parts.definitions(), store).addTo(routes);
    var json = LargeDefinitions.json(options.definitions(), options.json());
    new DefinitionRoutes(editable, store, search, json).addTo(routes);
    new ReferenceRoutes(parts.definitions()).addTo(routes);
    new DefinitionRefreshRoutes(parts.definitions(), parts.source()).addTo(routes);
    var removal = new DefinitionRemoval(editable, store, parts.instances(), parts.ingress());
    new PublishRoutes(editable, store, removal).addTo(routes);
  }
}
