package skein.node.config;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An option of a connection string and the setting that it means.
 *
 * @param key of the setting; empty for one that says where the database is
 * @param unit appended to a number without one; empty: none
 */
record ConnectionOption(String key, String unit) {
  private static final ConnectionOption ADDRESS = new ConnectionOption("", "");

  /** One name for all that Npgsql, libpq and the JDBC driver call the same thing. */
  static String canonical(String name) {
    return switch (name.toLowerCase(Locale.ROOT).replaceAll("[ _]", "")) {
      case "server", "host", "datasource" -> "host";
      case "port" -> "port";
      case "database", "db", "initialcatalog", "dbname" -> "database";
      case "ssl" -> "ssl";
      case "sslmode" -> "sslmode";
      case "sslrootcert", "rootcertificate" -> "sslrootcert";
      case "targetsessionattributes", "targetsessionattrs", "targetservertype" ->
          "targetsessionattributes";
      default -> name;
    };
  }

  /** Null for one that has no effect. */
  static @Nullable ConnectionOption of(String name) {
    return switch (name.toLowerCase(Locale.ROOT).replaceAll("[ _]", "")) {
      case "host", "port", "database", "ssl", "sslmode", "sslrootcert", "targetsessionattributes" ->
          ADDRESS;
      case "database.user", "userid", "username", "user", "uid" ->
          new ConnectionOption("database.user", "");
      case "database.password", "password", "pwd" -> new ConnectionOption("database.password", "");
      case "maxpoolsize", "maximumpoolsize" -> new ConnectionOption("database.pool-size", "");
      case "minpoolsize", "minimumpoolsize" -> new ConnectionOption("database.pool-size-min", "");
      case "connectionidlelifetime" -> new ConnectionOption("database.idle-timeout", "s");
      case "timeout", "connecttimeout", "connectiontimeout", "logintimeout" ->
          new ConnectionOption("database.connect-timeout", "s");
      case "commandtimeout" -> new ConnectionOption("database.statement-timeout", "s");
      case "keepalive", "keepalivesidle" -> new ConnectionOption("database.keep-alive", "s");
      case "searchpath", "currentschema" -> new ConnectionOption("database.schema", "");
      case "applicationname" -> new ConnectionOption("database.application-name", "");
      default -> null;
    };
  }

  /** Zero, which means without end in a connection string, for a time that must end. */
  boolean isWithoutLimit(String value) {
    return !unit.isEmpty() && value.matches("0+") && !key.equals("database.keep-alive");
  }

  /** As it would be written for the setting. */
  String setting(String value) {
    return value + (value.matches("\\d+") ? unit : "");
  }
}
