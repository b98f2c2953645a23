package skein.node;

import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.cluster.Readiness;
import skein.definitions.DefinitionSource;
import skein.execution.ImportLimits;
import skein.http.Callers;
import skein.http.ConnectionLimits;
import skein.http.Connections;
import skein.http.DefinitionLimits;
import skein.http.HttpDependencies;
import skein.http.HttpOptions;
import skein.http.HubOptions;
import skein.http.LiveOptions;
import skein.http.PortOptions;
import skein.http.ProtocolLimits;
import skein.http.SearchBounds;
import skein.http.Security;
import skein.http.StudioFiles;
import skein.http.UploadLimits;
import skein.identity.RateLimit;
import skein.ingress.Keys;
import skein.jobs.JobOptions;
import skein.model.InstanceLimits;
import skein.node.config.ConfigException;
import skein.node.config.ConsoleConfig;
import skein.node.config.HttpConfig;
import skein.node.config.HubConfig;
import skein.node.config.JobsConfig;
import skein.node.config.NodeConfig;
import skein.node.config.NodeConfig.Role;

/** The dependencies of the HTTP server, and its options from the settings. */
final class HttpWiring {
  private HttpWiring() {}

  /** The connections of the HTTP server of a node. */
  static Connections connections(NodeConfig config) {
    var http = config.http();
    var callers = http.callers();
    var limits =
        new ConnectionLimits(
            http.connectionsMax(),
            callers.connectionsPerAddressMax(),
            callers.requestsPerConnectionMax(),
            new ConnectionLimits.Timeouts(
                callers.headerTimeout(),
                callers.bodyTimeout(),
                http.idleTimeout(),
                callers.sendTimeout()),
            orShareOfHeap(callers.receivingBytesMax()),
            orShareOfHeap(callers.sendingBytesMax()),
            new RateLimit.Options(
                http.rates().perSecond(), http.rates().burst(), http.rates().callersMax()));
    long requestBytesMax =
        Math.max(
            Math.max(http.bodyBytesMax(), http.definitions().bytesMax()),
            http.uploads().bytesMax());
    return new Connections(limits, requestBytesMax);
  }

  private static long orShareOfHeap(long bytes) {
    return bytes == 0 ? ConnectionLimits.shareOfHeap() : bytes;
  }

  static HttpDependencies dependencies(
      NodeConfig config,
      Platform platform,
      Readiness readiness,
      NodeServices services,
      DefinitionSource source,
      Security security) {
    return new HttpDependencies(
        services.requests().ingress(),
        new HttpDependencies.Workflows(
            services.workflows().definitions(),
            services.workflows().cache(),
            source,
            services.types().all(),
            services.workflows().schedules()),
        new HttpDependencies.Stores(
            platform.database(),
            services.stores().definitions(),
            services.stores().instances(),
            services.stores().alterations()),
        new HttpDependencies.Member(platform.cluster(), readiness),
        new HttpDependencies.Imports(
            services.execution().options().commits(),
            instanceLimits(config),
            new ImportLimits(
                services.execution().deciding().instances(),
                services.execution().deciding().tenants(),
                System::nanoTime)),
        services.clock(),
        security);
  }

  private static InstanceLimits instanceLimits(NodeConfig config) {
    var bounds = config.execution().perInstance();
    return new InstanceLimits(
        bounds.activitiesMax(),
        bounds.bookmarksMax(),
        bounds.incidentsMax(),
        bounds.stateBytesMax());
  }

  static HttpOptions options(NodeConfig config, NodeServices services) {
    var http = config.http();
    return new HttpOptions(
        new HttpOptions.Listener(
            http.host(), http.port(), http.baseUrl(), http.connectionsMax(), portOptions(config)),
        new HttpOptions.Timeouts(
            http.idleTimeout(), http.requestTimeout(), config.node().drainTimeout()),
        new HttpOptions.BodyLimits(
            services.requests().json(),
            uploads(http.uploads(), services),
            new DefinitionLimits(
                (int) http.definitions().bytesMax(), http.definitions().concurrentMax())),
        protocol(http),
        new Callers(
            WorkWiring.secrets(config),
            http.portOptions().callerInstanceIds(),
            http.portOptions().proxies().trusted(),
            http.portOptions().proxies().httpsOnly(),
            TenancyWiring.requests(config.tenancy())),
        keyOptions(config),
        new HttpOptions.Api(
            RetentionWiring.options(config.retention()),
            http.bulkInstancesMax(),
            config.console().enabled(),
            studio(config),
            live(config.console().live()),
            jobs(config.jobs()),
            hub(config.console().hub())));
  }

  private static HubOptions hub(HubConfig hub) {
    var times = hub.times();
    return new HubOptions(
        hub.interval(),
        hub.statisticsInterval(),
        new HubOptions.Retries(hub.retries().lookMax(), hub.retries().statisticsMax()),
        new HubOptions.Limits(hub.connectionsMax(), hub.instancesMax(), hub.messageBytesMax()),
        new HubOptions.Times(
            times.handshake(),
            times.keepAlive(),
            times.client(),
            times.poll(),
            times.connection()));
  }

  private static @Nullable StudioFiles studio(NodeConfig config) {
    if (!config.studio().enabled()) {
      return null;
    }
    if (!StudioFiles.arePresent()) {
      throw new ConfigException(
          List.of(
              "studio.enabled: is true, and there is no skein-studio.jar beside the server's jar:"
                  + " put it there, or set it to false"));
    }
    return StudioFiles.read();
  }

  private static PortOptions portOptions(NodeConfig config) {
    var portOptions = config.http().portOptions();
    return new PortOptions(
        portOptions.apiPort(),
        portOptions.managementPort(),
        portOptions.hosts(),
        portOptions.origins(),
        portOptions.baseUrlGiven(),
        !config.node().has(Role.HTTP));
  }

  private static UploadLimits uploads(HttpConfig.Uploads uploads, NodeServices services) {
    return new UploadLimits(
        (int) uploads.bytesMax(),
        uploads.entriesMax(),
        (int) uploads.expandedBytesMax(),
        uploads.concurrentMax(),
        (int) uploads.totalBytesMax(),
        services.execution().deciding().scripts().pace());
  }

  private static JobOptions jobs(JobsConfig jobs) {
    return new JobOptions(
        jobs.leases().byDefault(),
        jobs.leases().max(),
        jobs.batchMax(),
        jobs.leases().perWorkerMax(),
        jobs.polls().waitMax(),
        jobs.polls().max(),
        jobs.polls().interval());
  }

  private static LiveOptions live(ConsoleConfig.Live live) {
    var search = live.search();
    return new LiveOptions(
        live.interval(),
        live.readersMax(),
        live.topicsMax(),
        live.streamMax(),
        live.recentMax(),
        new SearchBounds(search.instancesMax(), search.timeMax(), search.concurrentMax()));
  }

  static ProtocolLimits protocol(HttpConfig http) {
    return new ProtocolLimits(
        new ProtocolLimits.Headers(
            http.protocol().lineBytesMax(),
            http.protocol().headerBytesMax(),
            http.protocol().headersMax()),
        new ProtocolLimits.Http2(
            http.callers().requestsPerConnectionMax(),
            http.protocol().resetsMax(),
            http.protocol().controlFramesMax(),
            http.protocol().resetsWindow(),
            http.protocol().http2Upgrade()),
        http.protocol().pipelinePace());
  }

  static Keys.Options keyOptions(NodeConfig config) {
    var idempotency = config.http().idempotency();
    return new Keys.Options(
        idempotency.keep(), idempotency.patience(), idempotency.claimMax(), idempotency.lease());
  }
}
