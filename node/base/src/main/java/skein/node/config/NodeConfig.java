package skein.node.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * All settings of a node. {@link #from} states every key once, with its default and its range;
 * {@code conf/README.md} says what they are for.
 */
public record NodeConfig(
    Node node,
    HttpConfig http,
    SecurityConfig security,
    TenancyConfig tenancy,
    ConsoleConfig console,
    StudioConfig studio,
    JsonConfig json,
    DatabaseConfig database,
    EncryptionConfig encryption,
    ClusterConfig cluster,
    ExecutionConfig execution,
    WorkConfig work,
    JobsConfig jobs,
    ExpressionsConfig expressions,
    FormsConfig forms,
    TimersConfig timers,
    SchedulerConfig scheduler,
    SchedulesConfig schedules,
    DefinitionsConfig definitions,
    TokensConfig tokens,
    MetricsConfig metrics,
    ScannerConfig scanner,
    RetentionConfig retention,
    UpgradesConfig upgrades,
    LoggingConfig logging) {
  private static final Duration MS = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  public enum Role {
    HTTP,
    EXECUTION,
    TIMERS
  }

  /**
   * {@code stuckMax}: for how long an event loop may be blocked, or the database commit nothing,
   * before the node is unready.
   */
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
   * Reads and checks everything.
   *
   * @throws ConfigException with all that is wrong; nothing has then been started
   */
  public static NodeConfig from(Settings s) {
    var config =
        new NodeConfig(
            node(s),
            HttpConfig.from(s),
            SecurityConfig.from(s),
            TenancyConfig.from(s),
            ConsoleConfig.from(s),
            StudioConfig.from(s),
            JsonConfig.from(s),
            DatabaseConfig.from(s),
            EncryptionConfig.from(s),
            ClusterConfig.from(s),
            ExecutionConfig.from(s),
            WorkConfig.from(s),
            JobsConfig.from(s),
            ExpressionsConfig.from(s),
            FormsConfig.from(s),
            TimersConfig.from(s),
            SchedulerConfig.from(s),
            SchedulesConfig.from(s),
            DefinitionsConfig.from(s),
            TokensConfig.from(s),
            MetricsConfig.from(s),
            ScannerConfig.from(s),
            RetentionConfig.from(s),
            UpgradesConfig.from(s),
            LoggingConfig.from(s));
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

  /**
   * How long callers wait for work and children: unless it is set, a moment less than a request may
   * take, so that they get what is known.
   */
  public Duration answerTimeout() {
    var own = execution.answerTimeout();
    var request = http.requestTimeout();
    var sixth = request.dividedBy(6);
    return own.isZero() ? request.minus(sixth.compareTo(ANSWER) < 0 ? sixth : ANSWER) : own;
  }

  /** Enough to send what is known. */
  private static final Duration ANSWER = Duration.ofSeconds(5);

  /** Whether this node may lead: it has the role, and the cluster fires its timers itself. */
  public boolean mayLead() {
    return node.has(Role.TIMERS) && scheduler.mode() == SchedulerConfig.SchedulerMode.LEADER;
  }

  private void check(Settings s) {
    s.require(!node.roles.isEmpty(), "node.roles: must name at least one role");
    cluster.check(s);
    timers.check(s);
    database.check(s);
    http.check(s);
    expressions.check(s);
    security.providers().forEach(provider -> provider.check(s, tenancy));
    checkPorts(s);
  }

  /**
   * Servers of one Vert.x that listen at the same address share its connections: each server would
   * get those of the other, and no bind would fail.
   */
  private void checkPorts(Settings s) {
    var ports = new LinkedHashMap<String, Integer>();
    if (node.has(Role.HTTP)) {
      ports.put("http.port", http.port());
      ports.put("http.api-port", http.portOptions().apiPort());
    }
    ports.put("management.port", http.portOptions().managementPort());
    ports.forEach((key, port) -> {
      s.require(port != cluster.port(), key + ": must differ from cluster.port");
      s.require(port != cluster.busPort(), key + ": must differ from cluster.bus-port");
    });
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "node";
    }
  }
}
