package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names a database: the same for all who use one schema of one database of one server or of its
 * standbys, also when one of them was promoted, and for a copy of its files; another for a database
 * that was restored from a dump.
 */
public final class DatabaseIdentity {
  private static final Logger log = LoggerFactory.getLogger(DatabaseIdentity.class);

  static final String DATABASE =
      """
      (select system_identifier from pg_control_system()),
      (select oid from pg_database where datname = current_database())
      """;

  private static final String ID = "select md5(concat_ws('/', " + DATABASE + ", current_schema()))";

  private final Database database;

  public DatabaseIdentity(Database database) {
    this.database = database;
  }

  /**
   * 32 hex digits; empty when the database answers that it does not tell this role, or nobody, as
   * some that are managed by others do. Without an answer it fails as {@link Database}.
   */
  public Future<String> id() {
    return database
        .run("read the identity of the database", ID, Tuple.tuple())
        .map(rows -> rows.iterator().next().getString(0))
        .recover(e -> {
          if (!DatabaseErrors.isAnswer(e)) {
            return Future.failedFuture(e);
          }
          log.atWarn().addKeyValue("cause", e.getMessage()).log("database.identityUnknown");
          return Future.succeededFuture("");
        });
  }
}
