package skein.storage;

import org.jspecify.annotations.Nullable;

/** The database answers and refuses this role; the operator has to correct that. */
public final class DatabaseRefusedException extends IllegalStateException {
  DatabaseRefusedException(String said, String cure, Throwable cause) {
    super("The database refused the connection: " + said + ": " + cure, cause);
  }

  /** Null when the state is of something else. */
  static @Nullable String cureOf(String sqlState) {
    return switch (sqlState) {
      case "28P01", "28000" ->
          "correct database.user and database.password (SKEIN_DATABASE_PASSWORD), or the server's"
              + " pg_hba.conf";
      case "3D000" -> "create the database, or correct database.url";
      default -> null;
    };
  }
}
