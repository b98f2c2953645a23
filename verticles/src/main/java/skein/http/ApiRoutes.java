package skein.http;

import org.jspecify.annotations.Nullable;
import skein.cluster.Nodes;
import skein.storage.DefinitionSearch;
import skein.storage.InstanceImport;
import skein.storage.JournalStore;
import skein.storage.ScannerStore;
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

  /** {@code metrics}: null shows nothing at {@code /metrics}. */
  ApiRoutes(
      HttpParts parts,
      HttpOptions options,
      Health health,
      @Nullable MetricsPage metrics,
      InstanceImport imports,
      Nodes nodes) {
    this.parts = parts;
    this.options = options;
    this.health = health;
    this.metrics = metrics;
    this.imports = imports;
    this.nodes = nodes;
  }

  void addTo(Routes routes) {
    var starts = new StartRoutes(parts.ingress(), parts.definitionStore());
    new InstanceActionRoutes(parts.ingress(), parts.instances(), parts.definitionStore(), options)
        .addTo(routes);
    starts.addTo(routes);
    var journal = new JournalStore(parts.database());
    new InstanceRoutes(parts.instances(), parts.cache(), starts, parts.ingress()).addTo(routes);
    new JournalRoutes(parts.instances(), journal).addTo(routes);
    new InstanceFileRoutes(parts.instances(), imports, options).addTo(routes);
    new SignalRoutes(parts.ingress()).addTo(routes);
    new TaskRoutes(parts.ingress(), new TaskStore(parts.database())).addTo(routes);
    new ScheduleRoutes(parts.schedules()).addTo(routes);
    new AlterationRoutes(parts.ingress(), parts.alterations()).addTo(routes);
    new ResumeRoutes(parts.ingress()).addTo(routes);
    new FireRoute(new TimerStore(parts.database()), parts.ingress()).addTo(routes);
    new SchedulerRoutes(new SchedulerStore(parts.database()), new TimerList(parts.database()))
        .addTo(routes);
    new EndpointRoutes(parts.ingress(), parts.cache()).addTo(routes);
    new ExecutionRoutes(journal).addTo(routes);
    addDefinitionRoutes(routes);
    new ActivityDescriptorRoutes(parts.activities(), parts.definitions()::usableAsActivities)
        .addTo(routes);
    new DescriptorRoutes().addTo(routes);
    new FeatureRoutes().addTo(routes);
    new IdentityRoutes(parts.clock()).addTo(routes);
    new TypeDefinitionRoutes(parts.definitionStore()).addTo(routes);
    var scanner = new ScannerStore(parts.database());
    new InvariantRoutes(new ViolationStore(parts.database()), scanner).addTo(routes);
    health.addTo(routes);
    if (metrics != null) {
      metrics.addTo(routes);
    }
    new ClusterRoutes(nodes).addTo(routes);
    new IndexRoute(parts.cluster(), parts.readiness()).addTo(routes);
  }

  /** Fixed words before parameters: the first route that fits is taken. */
  private void addDefinitionRoutes(Routes routes) {
    var store = parts.definitionStore();
    var search = new DefinitionSearch(parts.database());
    new SubgraphRoutes(store).addTo(routes);
    var editable = new EditableDefinitions(parts.definitions(), store);
    new DefinitionFileRoutes(editable, store, options.uploads()).addTo(routes);
    new DefinitionRoutes(editable, store, search).addTo(routes);
    new ReferenceRoutes(parts.definitions()).addTo(routes);
    new PublishRoutes(editable, store).addTo(routes);
  }
}
