package skein.node.config;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The database and the connections to it.
 *
 * <p>{@code hosts}: in the order in which the primary is looked for.
 */
public record DatabaseConfig(
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
  private static final Duration MS = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int MANY = 1_000_000_000;

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
   * @param poolSizeMin connections of the pool that stay open though they are unused
   * @param keepAlive zero: as the server's configuration has it
   */
  public record Sessions(
      String applicationName, int poolSizeMin, Duration idleTimeout, Duration keepAlive) {}

  /** Without user and password. */
  public String uri() {
    var each = hosts.stream().map(HostPort::toString).collect(Collectors.joining(","));
    return "postgresql://" + each + "/" + name + "?" + tls.query();
  }

  static DatabaseConfig from(Settings s) {
    var address = s.connection("database.url", "postgresql://localhost:5432/elsa");
    var user = s.text("database.user", "");
    var password = s.secretOrFile("database.password");
    return new DatabaseConfig(
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

  /** Rules over more than one key. */
  void check(Settings s) {
    s.require(
        sessions.poolSizeMin <= pool.size,
        "database.pool-size-min: must not be more than database.pool-size");
  }
}
