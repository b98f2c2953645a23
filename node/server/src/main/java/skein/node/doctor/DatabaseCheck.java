package skein.node.doctor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import skein.model.SkeinException;
import skein.node.config.HostPort;
import skein.node.config.NodeConfig;
import skein.storage.DatabaseProbe.Facts;
import skein.storage.DatabaseRefusedException;
import skein.storage.Migrations;

/** The database: whether it answers, what it is, and what the role may do there. */
final class DatabaseCheck {
  static final Duration CLOCK_MAX = Duration.ofSeconds(1);
  private static final String DATABASE = "database";

  /** Connections of a node beside its pools: of lanes, leases and discovery. */
  private static final int BESIDE_POOLS = 12;

  private static final Set<String> PLAIN = Set.of("disable", "allow", "prefer");

  private final NodeConfig config;
  private final DatabaseLook look;

  DatabaseCheck(NodeConfig config, DatabaseLook look) {
    this.config = config;
    this.look = look;
  }

  List<Diagnosis> all() {
    try {
      return of(look.at(config));
    } catch (SkeinException e) {
      if (e.getCause() instanceof DatabaseRefusedException refused) {
        var said = String.valueOf(refused.getMessage());
        int cure = said.lastIndexOf(": ");
        return List.of(
            Diagnosis.failed(DATABASE, said.substring(0, cure), said.substring(cure + 2)));
      }
      return List.of(unreachable(e));
    }
  }

  private Diagnosis unreachable(Throwable e) {
    var why = new StringBuilder(String.valueOf(e.getMessage()));
    for (var cause = e.getCause(); cause != null; cause = cause.getCause()) {
      var said = String.valueOf(cause.getMessage());
      if (why.indexOf(said) < 0) {
        why.append(": ").append(said);
      }
    }
    var text = why.toString();
    var at = String.join(", ", config.database().hosts().stream().map(HostPort::toString).toList());
    if (text.contains("SSL") || text.contains("certificate") || text.contains("TLS")) {
      return Diagnosis.failed(
          "database TLS",
          at + " with sslmode=" + config.database().tls().mode() + ": " + text,
          "switch TLS on in PostgreSQL (ssl = on), give the authority's certificate as sslrootcert"
              + " of database.url, or use a weaker sslmode");
    }
    return Diagnosis.failed(
        DATABASE,
        at + " does not answer: " + text,
        "start PostgreSQL there, let it listen on that address (listen_addresses, firewall), or"
            + " correct database.url");
  }

  List<Diagnosis> of(Facts facts) {
    var found = new ArrayList<Diagnosis>();
    found.add(version(facts));
    if (facts.standby()) {
      found.add(
          Diagnosis.failed(
              DATABASE,
              "the server is a standby and takes no changes",
              "name the primary in database.url, or all servers with commas"));
    }
    found.add(rights(facts));
    found.add(durability(facts));
    if (facts.schema().tenants() && !config.tenancy().enabled()) {
      found.add(tenants());
    }
    found.add(clock(facts));
    found.add(tls(facts));
    found.add(connections(facts));
    return found;
  }

  private static Diagnosis version(Facts facts) {
    var version = "PostgreSQL " + facts.server().version();
    return facts.server().major() >= Migrations.POSTGRESQL_OLDEST
        ? Diagnosis.ok(DATABASE, version + " answers")
        : Diagnosis.failed(
            DATABASE,
            version + " is older than " + Migrations.POSTGRESQL_OLDEST,
            "upgrade PostgreSQL");
  }

  private Diagnosis rights(Facts facts) {
    var schema = config.database().schema();
    var role = config.database().user();
    var rights = facts.rights();
    int version = facts.schema().version();
    if (version > 0 && !rights.use()) {
      return Diagnosis.failed(
          "rights",
          "the role may not read and write the tables of the schema " + schema,
          "as the owner: GRANT USAGE ON SCHEMA %s TO %s; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %s TO %s"
              .formatted(schema, role, schema, role));
    }
    boolean current = version >= Migrations.NEWEST;
    boolean mayMigrate = rights.schema() ? rights.createTables() : rights.createSchema();
    if (!current && !mayMigrate) {
      return Diagnosis.failed(
          "rights",
          (version == 0
                  ? "there are no tables that the role may see"
                  : "the schema has version " + version + ", this is " + Migrations.NEWEST)
              + " and the role may not make them",
          rights.schema()
              ? "run skein migrate as the owner of the schema %s, or GRANT USAGE, CREATE ON SCHEMA %s TO %s"
                  .formatted(schema, schema, role)
              : "GRANT CREATE ON DATABASE %s TO %s, or run skein migrate as a role that has it"
                  .formatted(config.database().name(), role));
    }
    return Diagnosis.ok(
        "rights",
        current
            ? "the schema " + schema + " is up to date, and the role may use it"
            : "the role may bring the schema " + schema + " up to date");
  }

  private Diagnosis durability(Facts facts) {
    if (facts.unsafe().isEmpty()) {
      return Diagnosis.ok("durability", "what is committed survives a crash");
    }
    var finding = String.join(", ", facts.unsafe()) + " is off: acknowledged commits may be lost";
    var cure =
        "ALTER SYSTEM SET "
            + facts.unsafe().getFirst()
            + " = on; SELECT pg_reload_conf(); or, for a toy, database.allow-unsafe-durability:"
            + " true";
    return config.database().allowUnsafeDurability()
        ? Diagnosis.warning("durability", finding, cure)
        : Diagnosis.failed("durability", finding, cure);
  }

  private Diagnosis tenants() {
    var finding = "the database has rows of tenants, and tenancy.enabled is false";
    var cure =
        "set tenancy.enabled: true, or, if all callers are to see and change those of all tenants,"
            + " tenancy.allow-off-with-tenants: true";
    return config.tenancy().allowOffWithTenants()
        ? Diagnosis.warning("tenants", finding, cure)
        : Diagnosis.failed("tenants", finding, cure);
  }

  private static Diagnosis clock(Facts facts) {
    var ahead = facts.clockAhead();
    var finding =
        "the database's clock is %d ms %s this machine's (± %d ms)"
            .formatted(
                Math.abs(ahead.toMillis()),
                ahead.isNegative() ? "behind" : "ahead of",
                facts.clockError().toMillis());
    return ahead.abs().minus(facts.clockError()).compareTo(CLOCK_MAX) <= 0
        ? Diagnosis.ok("clock", finding)
        : Diagnosis.warning(
            "clock",
            finding
                + ": timers are right all the same, times in logs and tokens of sign-in are not",
            "synchronise both with NTP: timedatectl set-ntp true");
  }

  private Diagnosis tls(Facts facts) {
    var protocol = facts.server().tls();
    var mode = config.database().tls().mode();
    if (protocol != null) {
      return Diagnosis.ok("database TLS", protocol + " with sslmode=" + mode);
    }
    boolean elsewhere =
        config.database().hosts().stream().anyMatch(host -> !PortsCheck.isLoopback(host.host()));
    return elsewhere && PLAIN.contains(mode)
        ? Diagnosis.warning(
            "database TLS",
            "connections to another machine are not encrypted (sslmode=" + mode + ")",
            "add sslmode=verify-full and sslrootcert to database.url")
        : Diagnosis.ok("database TLS", "none, on this machine");
  }

  private Diagnosis connections(Facts facts) {
    var pool = config.database().pool();
    int needed = pool.size() + pool.readSize() + BESIDE_POOLS;
    int free = facts.server().connectionsMax() - facts.server().connections();
    var finding =
        "%d of %d connections are free, this node takes up to %d"
            .formatted(free, facts.server().connectionsMax(), needed);
    return free >= needed
        ? Diagnosis.ok("connections", finding)
        : Diagnosis.warning(
            "connections",
            finding,
            "raise max_connections of PostgreSQL, or lower database.pool-size");
  }
}
