package skein.node.config;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import skein.activities.SecretNames;
import skein.codecs.JsonLimits;
import skein.codecs.Network;
import skein.model.WorkflowStatus;
import skein.storage.TimerShard;

/**
 * All settings of a node. {@link #from} states every key once, with its default and its range;
 * {@code conf/README.md} says what they are for.
 */
public record NodeConfig(
    Node node,
    Http http,
    SecurityConfig security,
    Console console,
    Json json,
    Database database,
    Cluster cluster,
    Execution execution,
    WorkConfig work,
    JobsConfig jobs,
    Expressions expressions,
    Forms forms,
    Timers timers,
    Scheduler scheduler,
    Schedules schedules,
    Definitions definitions,
    Tokens tokens,
    Metrics metrics,
    Scanner scanner,
    Retention retention,
    Upgrades upgrades,
    Logging logging) {
  private static final Duration MS = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int MANY = 1_000_000_000;

  public enum Role {
    HTTP,
    EXECUTION,
    TIMERS
  }

  public enum LockProvider {
    HAZELCAST,
    NONE
  }

  /** How nodes find each other that are not told of others. */
  public enum Discovery {
    AUTO,
    DATABASE,
    NONE
  }

  public enum Routing {
    OWNER,
    LOCAL
  }

  public enum Level {
    TRACE,
    DEBUG,
    INFO,
    WARN,
    ERROR,
    OFF
  }

  /** Who fires timers: elected leaders, or nobody in this cluster. */
  public enum SchedulerMode {
    LEADER,
    NONE
  }

  /** What publishing says to an activity that nobody knows yet. */
  public enum UnknownActivities {
    WARN,
    REFUSE
  }

  /** How flowcharts run that do not say it themselves. */
  public enum FlowchartMode {
    COUNTER,
    TOKEN
  }

  public enum LogFormat {
    TEXT,
    JSON
  }

  /** {@code stuckMax}: for how long an event loop may stand still before the node is unready. */
  public record Node(
      String name,
      List<Role> roles,
      Duration drainDelay,
      Duration drainTimeout,
      Duration stuckMax) {
    public boolean has(Role role) {
      return roles.contains(role);
    }
  }

  /**
   * Port 0 takes a free one.
   *
   * @param bulkInstancesMax that one request cancels or deletes
   */
  public record Http(
      String host,
      int port,
      URI baseUrl,
      long bodyBytesMax,
      LargeDefinitions definitions,
      int bulkInstancesMax,
      Duration idleTimeout,
      Duration requestTimeout,
      int connectionsMax,
      Uploads uploads,
      Idempotency idempotency,
      Callers callers,
      Protocol protocol,
      Doors doors,
      Secrets secrets) {}

  /** Of the console, and of what it follows; {@code recentMax}: instances of the overview. */
  public record Console(
      boolean enabled,
      Duration liveInterval,
      int readersMax,
      int topicsMax,
      Duration streamMax,
      int recentMax) {}

  /** Ports: 0 is that of workflows; {@code hosts}: empty is any. */
  public record Doors(
      int apiPort,
      int managementPort,
      List<String> hosts,
      List<String> origins,
      boolean baseUrlGiven,
      Proxies proxies,
      boolean callerInstanceIds) {}

  /** {@code httpsOnly}: requests that did not come by HTTPS to one that is trusted are refused. */
  public record Proxies(List<Network> trusted, boolean httpsOnly) {}

  /** Names of what holds credentials of callers. */
  public record Secrets(List<String> headers, List<String> parameters) {}

  /** {@code concurrentMax}: larger than other bodies may be, of one event loop. */
  public record LargeDefinitions(long bytesMax, int concurrentMax) {}

  /** Requests with a key, over HTTP and on the event bus. */
  public record Idempotency(Duration keep, Duration patience, Duration claimMax, Duration lease) {}

  /** What those who connect may take up; bytes: 0 is an eighth of the heap. */
  public record Callers(
      int connectionsPerAddressMax,
      int requestsPerConnectionMax,
      Duration headerTimeout,
      Duration bodyTimeout,
      Duration sendTimeout,
      long receivingBytesMax,
      long sendingBytesMax) {}

  /** Of HTTP itself; what is of HTTP/2 within {@code resetsWindow} on one connection. */
  public record Protocol(
      int lineBytesMax,
      int headerBytesMax,
      int headersMax,
      int resetsMax,
      int controlFramesMax,
      Duration resetsWindow,
      Duration pipelinePace,
      boolean http2Upgrade) {}

  /** Files that a client sends; {@code concurrentMax}: requests with files, of one event loop. */
  public record Uploads(
      long bytesMax,
      int entriesMax,
      long expandedBytesMax,
      int concurrentMax,
      long totalBytesMax) {}

  public record Json(int depthMax, int stringCharsMax, int membersMax, int numberDigitsMax) {}

  /** {@code hosts}: in the order in which the primary is looked for. */
  public record Database(
      List<HostPort> hosts,
      String name,
      DatabaseTls tls,
      String user,
      Secret password,
      String schema,
      Pool pool,
      Sessions sessions,
      Duration startWait,
      Duration statementTimeout,
      boolean allowUnsafeDurability) {
    /** Without user and password. */
    public String uri() {
      var each = hosts.stream().map(HostPort::toString).collect(Collectors.joining(","));
      return "postgresql://" + each + "/" + name + "?" + tls.query();
    }
  }

  public record Pool(
      int size,
      int waitMax,
      int readSize,
      int readBatchMax,
      long journalCacheBytes,
      Duration connectTimeout) {}

  /**
   * How long connections to the database are kept, and what it knows of them.
   *
   * @param poolSizeMin connections of the pool that stay open though nobody uses them
   * @param keepAlive zero: as the server's configuration has it
   */
  public record Sessions(
      String applicationName, int poolSizeMin, Duration idleTimeout, Duration keepAlive) {}

  public record Cluster(
      String name,
      String host,
      int port,
      int busPort,
      List<HostPort> members,
      String serviceDns,
      Meeting meeting,
      String zone,
      Detection detection,
      Size size,
      Links links,
      LockProvider locks,
      Routing routing,
      Bus bus,
      PeersConfig peers) {
    /** Whether this node looks in the database where the others are: nothing else says so. */
    public boolean meetsInDatabase() {
      return members.isEmpty()
          && serviceDns.isEmpty()
          && switch (meeting.discovery) {
            case DATABASE -> true;
            case NONE -> false;
            case AUTO -> !host.isEmpty() && !LOOPBACK.matcher(host).matches();
          };
    }
  }

  private static final Pattern LOOPBACK = Pattern.compile("localhost|127\\..*|\\[?::1]?");

  /** {@code lease}: for how long others look for a node that says nothing any more. */
  public record Meeting(Discovery discovery, Duration lease) {}

  /**
   * The bytes: also of all messages, of all packets, together that are not complete.
   *
   * @param lookupMax how long Hazelcast may take to say whether a node listens
   * @param refreshInterval how often a node says to what it listens
   * @param settleTime for how long after a change among the members
   * @param pingInterval also how long the answer may take
   */
  public record Bus(
      long messageBytesMax,
      Duration lookupMax,
      Duration refreshInterval,
      Duration settleTime,
      Duration connectTimeout,
      Duration pingInterval,
      Duration idleTimeout,
      long packetBytesMax) {}

  /**
   * How nodes find links that work one way only.
   *
   * @param missedMax reports that have reached others, of which a node may miss so many
   * @param wholeTime for how long links are whole before a node that stepped aside comes back
   * @param aloneTime for how long nobody who executes is at work before it does
   */
  public record Links(
      Duration interval,
      int missedMax,
      Duration wholeTime,
      Duration aloneTime,
      Duration pingInterval) {}

  /** How soon members notice that one is gone, and that two halves can be one again. */
  public record Detection(
      Duration heartbeatInterval,
      Duration heartbeatTimeout,
      Duration joinWait,
      Duration executorWait,
      Duration mergeFirstDelay,
      Duration mergeNextDelay,
      Duration moveTimeout) {}

  /** {@code grace}: for how long a node may see fewer than {@code min} and be ready. */
  public record Size(int min, Duration grace) {}

  public record Execution(
      int lanes,
      int queueMax,
      int queuePerInstanceMax,
      int followersMax,
      Duration lockTimeout,
      Duration lockExpiry,
      Duration lockHandover,
      Duration lockAnswerMax,
      Duration lockRetryDelay,
      int conflictRetries,
      Commits commits,
      int cacheInstancesMax,
      PerInstance perInstance,
      Duration commandTimeout,
      Duration answerTimeout,
      FlowchartMode flowchartMode,
      Scripts scripts,
      int innerStartsPerSecondMax) {}

  /**
   * Threads for bursts with scripts.
   *
   * @param perDefinitionMax bursts that wait for one
   * @param longTime who takes longer leaves a thread to others
   * @param heavyShare percent of the processors that heavy work may take together
   * @param heavyAfter work that takes no longer is not heavy
   */
  public record Scripts(
      int threads, int perDefinitionMax, Duration longTime, int heavyShare, Duration heavyAfter) {}

  /** How a lane commits. */
  public record Commits(
      int batchMax,
      int flightsMax,
      int overlapMin,
      int statementUsesMax,
      int attemptsMax,
      Duration retryDelay,
      Duration waitMax) {}

  /** What one instance may use up; past it, it faults. */
  public record PerInstance(
      int stepsPerBurstMax,
      int activitiesMax,
      int bookmarksMax,
      int incidentsMax,
      int childrenPerBurstMax,
      int waitingParentsMax,
      int causesMax,
      int journalValueMax,
      int journalCharsPerBurstMax,
      int journalEntriesPerBurstMax,
      int stateBytesMax) {}

  /**
   * @param timeMax processor time
   * @param wallTimeMax time that passes, whether a processor works or not
   * @param burstTimeMax processor time of all expressions of one burst
   */
  public record Expressions(
      Duration timeMax,
      Duration wallTimeMax,
      Duration burstTimeMax,
      long instructionsMax,
      long allocationBytesMax,
      long stringCharsMax,
      int stackDepthMax,
      int resultCharsMax,
      int sourceCharsMax,
      Map<String, String> configuration) {}

  /** Of user tasks; {@code timeMax} passes, whether a processor works or not. */
  public record Forms(
      int schemaBytesMax,
      int depthMax,
      int patternSizeMax,
      int dataBytesMax,
      long stepsMax,
      Duration timeMax) {}

  public record Timers(
      Duration leaseDuration,
      Duration pollInterval,
      Duration horizon,
      int batchMax,
      int inFlightMax,
      Duration retryDelay,
      Duration retryDelayMax) {}

  /** Whether a node with the role takes part, and in how many parts timers are shared out. */
  public record Scheduler(SchedulerMode mode, int shards, Duration misfireAfter) {}

  /** {@code nextMax}: instants that one request lists. */
  public record Schedules(
      int datesMax, Duration jitterMax, int catchUpMax, int backfillMax, int nextMax) {}

  public record Definitions(
      int cacheMax,
      Duration acknowledgeTimeout,
      @Nullable Path fromDirectory,
      int activitiesMax,
      int usesDepthMax,
      int usesMax,
      UnknownActivities unknownActivities) {}

  public record Tokens(Duration lifetimeDefault, int refusalsPerMinuteMax) {}

  /**
   * @param countsInterval from one count of instances and timers to the next
   * @param countsTimeMax one count may take
   * @param countsBusyMax percent of the time that counting may take the database
   * @param definitionsMax definitions whose instances are counted by themselves
   */
  public record Metrics(
      boolean enabled,
      Duration countsInterval,
      Duration countsTimeMax,
      int countsBusyMax,
      int definitionsMax) {}

  /** {@code keep}: of violations that are over. */
  public record Scanner(
      boolean enabled,
      Duration interval,
      Duration silenceMax,
      int pageSize,
      Duration pause,
      Duration grace,
      Duration dueBound,
      boolean repair,
      Duration keep) {}

  /**
   * How long what is kept.
   *
   * @param period instances after their end
   * @param statuses in its place, by status; empty: for ever
   * @param definitions in place of both, by definition id; empty: for ever
   */
  public record Retention(
      boolean enabled,
      Duration period,
      Map<WorkflowStatus, Optional<Duration>> statuses,
      Map<String, Optional<Duration>> definitions,
      Duration auditKeep,
      Duration alterationsKeep,
      Sweeps sweeps) {}

  /** {@code sliceRows}: deleted in one transaction. */
  public record Sweeps(
      Duration interval,
      int sliceRows,
      Duration pause,
      Duration statementTimeout,
      Duration lockTimeout) {}

  public record Logging(
      Level level,
      Map<String, Level> levels,
      LogFormat format,
      int queueMax,
      Duration queueWaitMax,
      int lineCharsMax,
      int burstLinesMax,
      Duration writeDelay,
      @Nullable LogFile file) {}

  /** {@code kept}: full files beside the one that is written. */
  public record LogFile(Path path, long bytesMax, int kept) {}

  /**
   * Nodes of two versions on one database.
   *
   * @param rollbackWindow nothing is stored that a node that was there within it could not read
   * @param lookInterval between two looks at what the other nodes read and which definitions
   *     changed
   * @param migrationLockTimeout how long a migration lets others wait behind it
   */
  public record Upgrades(
      Duration rollbackWindow, Duration lookInterval, Duration migrationLockTimeout) {}

  /**
   * Reads and checks everything.
   *
   * @throws ConfigException with all that is wrong; nothing has then been started
   */
  public static NodeConfig from(Settings s) {
    var config =
        new NodeConfig(
            node(s),
            http(s),
            SecurityConfig.from(s),
            new Console(
                s.flag("console.enabled", "false"),
                s.duration("live.interval", "1s", MS.multipliedBy(200)),
                s.integer("live.readers-max", "200", 1, 100_000),
                s.integer("live.topics-max", "50", 1, 10_000),
                s.duration("live.stream-max", "5m", SECOND),
                s.integer("live.overview-instances-max", "10000", 100, 1_000_000)),
            json(s),
            database(s),
            cluster(s),
            execution(s),
            WorkConfig.from(s),
            JobsConfig.from(s),
            expressions(s),
            forms(s),
            timers(s),
            scheduler(s),
            schedules(s),
            definitions(s),
            new Tokens(
                s.duration("tokens.lifetime-default", "30d", SECOND),
                s.integer("tokens.refusals-per-minute-max", "60", 1, 100_000)),
            new Metrics(
                s.flag("metrics.enabled", "true"),
                s.duration("metrics.counts-interval", "8s", MS.multipliedBy(100)),
                s.duration("metrics.counts-time-max", "60s", SECOND),
                s.integer("metrics.counts-busy-max", "5", 1, 100),
                s.integer("metrics.definitions-max", "200", 0, 100_000)),
            scanner(s),
            retention(s),
            new Upgrades(
                s.duration("upgrades.rollback-window", "1d", Duration.ZERO),
                s.duration("upgrades.look-interval", "2s", MS),
                s.duration("upgrades.migration-lock-timeout", "1s", MS)),
            logging(s));
    config.check(s);
    s.finish();
    return config;
  }

  private static Node node(Settings s) {
    var name = s.text("node.name", "");
    var roles = s.choices("node.roles", List.of(Role.HTTP, Role.EXECUTION, Role.TIMERS));
    var drainDelay = s.duration("node.drain-delay", "5s", Duration.ZERO);
    var drainTimeout = s.duration("node.drain-timeout", "25s", MS);
    var half = drainTimeout.dividedBy(2);
    return new Node(
        name.isEmpty() ? hostName() : name,
        roles,
        drainDelay.compareTo(half) < 0 ? drainDelay : half,
        drainTimeout,
        s.duration("node.stuck-max", "10s", SECOND));
  }

  private static Http http(Settings s) {
    var host = s.text("http.host", "0.0.0.0");
    int port = s.integer("http.port", "5001", 0, 65535);
    var baseUrl = s.uri("http.base-url", "", "http", "https");
    return new Http(
        host,
        port,
        baseUrl.toString().isEmpty() ? URI.create("http://localhost:" + port) : baseUrl,
        s.bytes("http.body-bytes-max", "1MiB", 1024, 1 << 30),
        new LargeDefinitions(
            s.bytes("http.definition-bytes-max", "10MiB", 1024, 1 << 28),
            s.integer("http.large-definitions-max", "1", 1, 100)),
        s.integer("http.bulk-instances-max", "10000", 1, 1_000_000),
        s.duration("http.idle-timeout", "60s", SECOND),
        s.duration("http.request-timeout", "30s", MS),
        s.integer("http.connections-max", "10000", 1, MANY),
        new Uploads(
            s.bytes("http.uploads.bytes-max", "16MiB", 1 << 10, 1L << 30),
            s.integer("http.uploads.entries-max", "1000", 1, MANY),
            s.bytes("http.uploads.expanded-bytes-max", "64MiB", 1 << 10, 1L << 30),
            s.integer("http.uploads.concurrent-max", "4", 1, 1000),
            s.bytes("http.uploads.total-bytes-max", "128MiB", 1 << 11, Integer.MAX_VALUE)),
        new Idempotency(
            s.duration("http.idempotency-keep", "24h", SECOND),
            s.duration("http.idempotency-wait", "2s", Duration.ZERO),
            s.duration("http.idempotency-claim-max", "5m", SECOND),
            s.duration("http.idempotency-lease", "10s", SECOND)),
        callers(s),
        new Protocol(
            (int) s.bytes("http.line-bytes-max", "8KiB", 256, 1 << 20),
            (int) s.bytes("http.header-bytes-max", "16KiB", 1 << 10, 1 << 20),
            s.integer("http.headers-max", "200", 10, 10_000),
            s.integer("http.http2-resets-max", "200", 1, MANY),
            s.integer("http.http2-control-frames-max", "500", 1, MANY),
            s.duration("http.http2-resets-window", "30s", SECOND),
            s.duration("http.pipeline-pace", "5ms", MS),
            s.flag("http.http2-upgrade", "false")),
        new Doors(
            s.integer("http.api-port", "0", 0, 65535),
            s.integer("management.port", "0", 0, 65535),
            s.list("http.hosts", NodeConfig::host),
            s.list("http.origins", NodeConfig::origin),
            !baseUrl.toString().isEmpty(),
            new Proxies(
                s.list("http.trusted-proxies", Network::parse),
                s.flag("http.require-https", "false")),
            s.flag("http.caller-instance-ids", "true")),
        new Secrets(
            s.list("http.secret-headers", SecretNames.HEADERS, NodeConfig::secretName),
            s.list("http.secret-parameters", SecretNames.PARAMETERS, NodeConfig::secretName)));
  }

  private static String host(String text) {
    if (!text.matches("[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]")) {
      throw new IllegalArgumentException("must name hosts without ports");
    }
    return text;
  }

  private static String secretName(String text) {
    if (!text.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,256}")) {
      throw new IllegalArgumentException("must be names, in which * stands for any characters");
    }
    return text;
  }

  private static String origin(String text) {
    if (!text.matches("https?://[^/\\s]+")) {
      throw new IllegalArgumentException("must name origins, as https://studio.example.com");
    }
    return text;
  }

  private static Callers callers(Settings s) {
    return new Callers(
        s.integer("http.connections-per-address-max", "10000", 1, MANY),
        s.integer("http.requests-per-connection-max", "100", 1, 10_000),
        s.duration("http.header-timeout", "10s", MS),
        s.duration("http.body-timeout", "20s", MS),
        s.duration("http.send-timeout", "30s", MS),
        s.bytes("http.receiving-bytes-max", "0", 0, 1L << 40),
        s.bytes("http.sending-bytes-max", "0", 0, 1L << 40));
  }

  private static Json json(Settings s) {
    return new Json(
        s.integer("json.depth-max", "200", 8, JsonLimits.DEPTH_CEILING),
        s.integer("json.string-chars-max", "1000000", 1000, MANY),
        s.integer("json.members-max", "100000", 100, MANY),
        s.integer("json.number-digits-max", "100", 20, 10_000));
  }

  private static Database database(Settings s) {
    var address = s.connection("database.url", "postgresql://localhost:5432/elsa");
    var user = s.text("database.user", "");
    var password = s.secretOrFile("database.password");
    return new Database(
        address.hosts(),
        address.database(),
        address.tls(),
        user.isEmpty() ? "elsa" : user,
        password,
        s.name("database.schema", "elsa"),
        new Pool(
            s.integer("database.pool-size", "8", 2, 1000),
            s.integer("database.pool-wait-max", "1000", 1, MANY),
            s.integer("database.read-pool-size", "2", 1, 1000),
            s.integer("database.read-batch-max", "100", 1, 10_000),
            s.bytes("database.journal-cache-bytes", "4MiB", 0, 1 << 30),
            s.duration("database.connect-timeout", "5s", MS)),
        new Sessions(
            s.text("database.application-name", "skein"),
            s.integer("database.pool-size-min", "0", 0, 1000),
            s.duration("database.idle-timeout", "10m", SECOND),
            s.duration("database.keep-alive", "0s", Duration.ZERO)),
        s.duration("database.start-wait", "60s", Duration.ZERO),
        s.duration("database.statement-timeout", "5s", MS),
        s.flag("database.allow-unsafe-durability", "false"));
  }

  private static Cluster cluster(Settings s) {
    var name = s.text("cluster.name", "skein");
    var host = s.text("cluster.host", "");
    int port = s.integer("cluster.port", "5701", 1, 65535);
    return new Cluster(
        name,
        host,
        port,
        s.integer("cluster.bus-port", "15701", 1, 65535),
        s.list("cluster.members", text -> HostPort.parse(text, port)),
        s.text("cluster.service-dns", ""),
        new Meeting(
            s.choice("cluster.discovery", Discovery.AUTO),
            s.duration("cluster.discovery-lease", "30s", SECOND.multipliedBy(3))),
        s.text("cluster.zone", ""),
        new Detection(
            s.duration("cluster.heartbeat-interval", "1s", SECOND),
            s.duration("cluster.heartbeat-timeout", "5s", SECOND),
            s.duration("cluster.join-wait", "1s", Duration.ZERO),
            s.duration("cluster.executor-wait", "60s", Duration.ZERO),
            s.duration("cluster.merge-first-delay", "10s", SECOND),
            s.duration("cluster.merge-next-delay", "5s", SECOND),
            s.duration("cluster.move-timeout", "10s", SECOND)),
        new Size(
            s.integer("cluster.size-min", "1", 1, 1000),
            s.duration("cluster.size-grace", "30s", SECOND)),
        new Links(
            s.duration("cluster.link-interval", "150ms", Duration.ofMillis(10)),
            s.integer("cluster.link-missed-max", "7", 1, 1000),
            s.duration("cluster.link-whole-time", "10s", MS),
            s.duration("cluster.link-alone-time", "30s", MS),
            s.duration("cluster.ping-interval", "5s", MS.multipliedBy(100))),
        s.choice("cluster.locks", LockProvider.HAZELCAST),
        s.choice("cluster.routing", Routing.OWNER),
        new Bus(
            s.bytes("cluster.message-bytes-max", "32MiB", 1 << 20, 1L << 30),
            s.duration("cluster.bus-lookup-max", "1s", MS),
            s.duration("cluster.bus-refresh-interval", "5s", MS),
            s.duration("cluster.bus-settle-time", "2m", SECOND),
            s.duration("cluster.bus-connect-timeout", "2500ms", MS),
            s.duration("cluster.bus-ping-interval", "5s", SECOND),
            s.duration("cluster.bus-idle-timeout", "60s", SECOND),
            s.bytes("cluster.packet-bytes-max", "4MiB", 1 << 20, 1L << 30)),
        PeersConfig.from(s));
  }

  /** One is enough for two processors: fewer lanes make larger commits. */
  private static int lanes(int number) {
    return number > 0
        ? number
        : Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, LANES_MAX);
  }

  /** Of those that nobody has asked for: each has a connection of its own. */
  private static final int LANES_MAX = 8;

  private static Execution execution(Settings s) {
    return new Execution(
        lanes(s.integer("execution.lanes", "0", 0, 256)),
        s.integer("execution.queue-max", "10000", 1, MANY),
        s.integer("execution.queue-per-instance-max", "2000", 1, MANY),
        s.integer("execution.followers-max", "100", 1, MANY),
        s.duration("execution.lock-timeout", "30s", MS),
        s.duration("execution.lock-expiry", "30s", SECOND),
        s.duration("execution.lock-handover", "250ms", MS),
        s.duration("execution.lock-answer-max", "2s", MS),
        s.duration("execution.lock-retry-delay", "50ms", MS),
        s.integer("execution.conflict-retries", "5", 0, 1000),
        new Commits(
            s.integer("execution.batch-max", "200", 1, 10_000),
            s.integer("execution.commits-in-flight-max", "2", 1, 16),
            s.integer("execution.commit-overlap-min", "24", 1, 10_000),
            s.integer("execution.commit-statement-uses-max", "200", 1, MANY),
            s.integer("execution.commit-attempts-max", "5", 1, 1000),
            s.duration("execution.commit-retry-delay", "100ms", MS),
            s.duration("execution.commit-wait-max", "5s", MS)),
        s.integer("execution.cache-instances-max", "20000", 0, MANY),
        new PerInstance(
            s.integer("execution.steps-per-burst-max", "100000", 1, MANY),
            s.integer("execution.activities-max", "10000", 1, MANY),
            s.integer("execution.bookmarks-max", "1000", 1, MANY),
            s.integer("execution.incidents-max", "100", 1, MANY),
            s.integer("execution.children-per-burst-max", "20000", 1, MANY),
            s.integer("execution.waiting-parents-max", "64", 1, 10_000),
            s.integer("execution.causes-max", "10000", 1, MANY),
            s.integer("execution.journal-value-max", "65536", 100, MANY),
            s.integer("execution.journal-chars-per-burst-max", "1048576", 100, MANY),
            s.integer("execution.journal-entries-per-burst-max", "10000", 10, MANY),
            s.integer("execution.state-bytes-max", "8388608", 10_000, MANY)),
        s.duration("execution.command-timeout", "10s", MS),
        s.duration("execution.answer-timeout", "0s", Duration.ZERO),
        s.choice("execution.flowchart-mode", FlowchartMode.COUNTER),
        new Scripts(
            s.integer("execution.script-threads", "2", 1, 1000),
            s.integer("execution.scripts-per-definition-max", "5000", 1, MANY),
            s.duration("execution.script-long-time", "250ms", MS),
            s.integer("execution.heavy-share", "25", 1, 100),
            s.duration("execution.heavy-after", "10ms", Duration.ZERO)),
        s.integer("execution.inner-starts-per-second-max", "1000", 1, 1_000_000));
  }

  /**
   * How long callers wait for work and children: unless it is set, a moment less than a request may
   * take, so that they are told what is known.
   */
  public Duration answerTimeout() {
    var own = execution.answerTimeout;
    var request = http.requestTimeout;
    var sixth = request.dividedBy(6);
    return own.isZero() ? request.minus(sixth.compareTo(ANSWER) < 0 ? sixth : ANSWER) : own;
  }

  /** Enough to send what is known. */
  private static final Duration ANSWER = Duration.ofSeconds(5);

  private static Expressions expressions(Settings s) {
    return new Expressions(
        s.duration("expressions.time-max", "500ms", MS),
        s.duration("expressions.wall-time-max", "30s", MS),
        s.duration("expressions.burst-time-max", "10s", MS),
        s.longInteger("expressions.instructions-max", "50000000", 1000, Long.MAX_VALUE),
        s.bytes("expressions.allocation-bytes-max", "64MiB", 1 << 10, 1L << 40),
        s.longInteger("expressions.string-chars-max", "16777216", 100, 1L << 30),
        s.integer("expressions.stack-depth-max", "1000", 10, 100_000),
        s.integer("expressions.result-chars-max", "4194304", 100, MANY),
        s.integer("expressions.source-chars-max", "262144", 100, MANY),
        s.textMap("expressions.configuration"));
  }

  private static Forms forms(Settings s) {
    return new Forms(
        Math.toIntExact(s.bytes("forms.schema-bytes-max", "64KiB", 1 << 10, 16 << 20)),
        s.integer("forms.depth-max", "64", 4, 200),
        s.integer("forms.pattern-size-max", "20000", 100, 1_000_000),
        Math.toIntExact(s.bytes("forms.data-bytes-max", "1MiB", 1 << 10, 256 << 20)),
        s.longInteger("forms.steps-max", "10000000", 1000, Long.MAX_VALUE),
        s.duration("forms.time-max", "10s", MS));
  }

  private static Timers timers(Settings s) {
    return new Timers(
        s.duration("timers.lease-duration", "10s", SECOND),
        s.duration("timers.poll-interval", "500ms", Duration.ofMillis(10)),
        s.duration("timers.horizon", "5s", MS),
        s.integer("timers.batch-max", "1000", 1, 100_000),
        s.integer("timers.in-flight-max", "64", 1, 1_000_000),
        s.duration("timers.retry-delay", "2s", MS),
        s.duration("timers.retry-delay-max", "30s", MS));
  }

  private static Scheduler scheduler(Settings s) {
    return new Scheduler(
        s.choice("scheduler.mode", SchedulerMode.LEADER),
        s.integer("scheduler.shards", "1", 1, TimerShard.COUNT_MAX),
        s.duration("scheduler.misfire-after", "60s", SECOND));
  }

  private static Schedules schedules(Settings s) {
    return new Schedules(
        s.integer("schedules.dates-max", "1000", 1, 100_000),
        s.duration("schedules.jitter-max", "1d", Duration.ZERO),
        s.integer("schedules.catch-up-max", "1000", 1, 100_000),
        s.integer("schedules.backfill-max", "1000", 1, 100_000),
        s.integer("schedules.next-max", "1000", 1, 100_000));
  }

  private static Definitions definitions(Settings s) {
    return new Definitions(
        s.integer("definitions.cache-max", "1000", 1, MANY),
        s.duration("definitions.acknowledge-timeout", "5s", MS),
        s.path("definitions.from-directory"),
        s.integer("definitions.activities-max", "20000", 1, MANY),
        s.integer("definitions.uses-depth-max", "32", 1, 1000),
        s.integer("definitions.uses-max", "1000", 1, MANY),
        s.choice("definitions.unknown-activities", UnknownActivities.REFUSE));
  }

  private static Scanner scanner(Settings s) {
    return new Scanner(
        s.flag("scanner.enabled", "true"),
        s.duration("scanner.interval", "5m", SECOND),
        s.duration("scanner.silence-max", "30s", SECOND),
        s.integer("scanner.page-size", "500", 10, 10_000),
        s.duration("scanner.pause", "100ms", Duration.ZERO),
        s.duration("scanner.grace", "1m", Duration.ZERO),
        s.duration("scanner.due-bound", "30s", MS),
        s.flag("scanner.repair", "true"),
        s.duration("scanner.keep", "30d", SECOND));
  }

  /** So long may a command be on its way, whose repetition is known by the journal. */
  private static final Duration KEEP_MIN = Duration.ofHours(1);

  private static Retention retention(Settings s) {
    return new Retention(
        s.flag("retention.enabled", "false"),
        s.duration("retention.period", "30d", KEEP_MIN),
        s.periods("retention.statuses", KEEP_MIN, NodeConfig::ended),
        s.periods("retention.definitions", KEEP_MIN, id -> id),
        s.duration("retention.audit-keep", "90d", KEEP_MIN),
        s.duration("retention.alterations-keep", "90d", KEEP_MIN),
        new Sweeps(
            s.duration("retention.sweep-interval", "1h", SECOND),
            s.integer("retention.slice-rows", "1000", 1, 100_000),
            s.duration("retention.pause", "100ms", Duration.ZERO),
            s.duration("retention.statement-timeout", "30s", SECOND),
            s.duration("retention.lock-timeout", "100ms", MS)));
  }

  private static WorkflowStatus ended(String name) {
    for (var status : WorkflowStatus.values()) {
      if (status.finished() && status.name().equalsIgnoreCase(name)) {
        return status;
      }
    }
    throw new IllegalArgumentException("must name Completed, Faulted or Cancelled");
  }

  private static Logging logging(Settings s) {
    return new Logging(
        s.choice("logging.level", Level.INFO),
        s.choiceMap("logging.levels", Level.INFO),
        s.choice("logging.format", LogFormat.TEXT),
        s.integer("logging.queue-max", "8192", 1, 1_000_000),
        s.duration("logging.queue-wait-max", "500ms", Duration.ZERO),
        s.integer("logging.line-chars-max", "8192", 100, 1_000_000),
        s.integer("logging.burst-lines-max", "1000", 0, MANY),
        s.duration("logging.write-delay", "2ms", Duration.ZERO),
        logFile(s));
  }

  private static @Nullable LogFile logFile(Settings s) {
    var path = s.path("logging.file");
    long bytesMax = s.bytes("logging.file-bytes-max", "100MiB", 1 << 20, 1L << 40);
    int kept = s.integer("logging.files-kept", "5", 0, 1000);
    return path == null ? null : new LogFile(path, bytesMax, kept);
  }

  /** Whether this node may lead: it has the role, and the cluster fires its timers itself. */
  public boolean mayLead() {
    return node.has(Role.TIMERS) && scheduler.mode == SchedulerMode.LEADER;
  }

  private void check(Settings s) {
    var detection = cluster.detection;
    s.require(!node.roles.isEmpty(), "node.roles: must name at least one role");
    s.require(!cluster.name.isEmpty(), "cluster.name: must not be empty");
    s.require(
        cluster.members.isEmpty() || cluster.serviceDns.isEmpty(),
        "cluster.members and cluster.service-dns: set one of them");
    s.require(cluster.port != cluster.busPort, "cluster.bus-port: must differ from cluster.port");
    s.require(
        detection.heartbeatTimeout.compareTo(detection.heartbeatInterval.multipliedBy(2)) >= 0,
        "cluster.heartbeat-timeout: must be at least twice cluster.heartbeat-interval");
    s.require(
        cluster.bus.idleTimeout.compareTo(cluster.bus.pingInterval.multipliedBy(2)) > 0,
        "cluster.bus-idle-timeout: must be more than twice cluster.bus-ping-interval");
    s.require(
        cluster
                .links
                .interval
                .multipliedBy(cluster.links.missedMax)
                .compareTo(cluster.bus.lookupMax)
            > 0,
        "cluster.bus-lookup-max: must be shorter than cluster.link-missed-max times"
            + " cluster.link-interval");
    s.require(
        timers.leaseDuration.compareTo(timers.pollInterval.multipliedBy(2)) >= 0,
        "timers.lease-duration: must be at least twice timers.poll-interval");
    s.require(
        database.sessions.poolSizeMin <= database.pool.size,
        "database.pool-size-min: must not be more than database.pool-size");
    var proxies = http.doors.proxies;
    s.require(
        !proxies.httpsOnly || "https".equals(http.baseUrl.getScheme()),
        "http.base-url: must begin with https:// where http.require-https is true");
    s.require(
        !proxies.httpsOnly || !proxies.trusted.isEmpty(),
        "http.require-https: no request could be served without http.trusted-proxies");
    var uploads = http.uploads;
    s.require(
        uploads.totalBytesMax >= uploads.bytesMax + uploads.expandedBytesMax,
        "http.uploads.total-bytes-max: must be at least http.uploads.bytes-max and"
            + " http.uploads.expanded-bytes-max together");
    s.require(
        expressions.wallTimeMax.compareTo(expressions.timeMax.multipliedBy(2)) >= 0,
        "expressions.wall-time-max: must be at least twice expressions.time-max");
    s.require(
        expressions.burstTimeMax.compareTo(expressions.timeMax) >= 0,
        "expressions.burst-time-max: must be at least expressions.time-max");
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "node";
    }
  }
}
