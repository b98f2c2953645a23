package skein.storage;

import io.vertx.pgclient.PgException;
import org.jspecify.annotations.Nullable;

/** The database answers and refuses this role; the operator has to correct that. */
public final class DatabaseRefusedException extends IllegalStateException {
  private final String said;
  private final String cure;

  private DatabaseRefusedException(String said, String cure, Throwable cause) {
    super("The database refused the connection: " + said + ": " + cure, cause);
    this.said = said;
    this.cure = cure;
  }

  /** Null when the failure is another. */
  static @Nullable DatabaseRefusedException of(Throwable e) {
    if (!(e instanceof PgException error)) {
      return null;
    }
    var cure = cureOf(error.getSqlState());
    return cure == null
        ? null
        : new DatabaseRefusedException(String.valueOf(error.getErrorMessage()), cure, error);
  }

  /** Why, in the words of the database. */
  String said() {
    return said;
  }

  /** What the operator may do. */
  String cure() {
    return cure;
  }

  private static @Nullable String cureOf(@Nullable String sqlState) {
    return switch (sqlState) {
      case "28P01", "28000" ->
          "correct database.user and database.password (SKEIN_DATABASE_PASSWORD), or the server's"
              + " pg_hba.conf";
      case "3D000" -> "create the database, or correct database.url";
      case null, default -> null;
    };
  }
}
