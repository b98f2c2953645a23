package skein.storage;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.postgres.PostgresUri;

/**
 * Reads the tables that Elsa 3 keeps in PostgreSQL, all as of one moment; changes nothing. Each row
 * is the text of a JSON object with a member for each column, so that tables of older versions,
 * which have fewer columns, can be read, too.
 *
 * <p>One connection, with one statement at a time; close it after use.
 */
public final class ElsaTables {
  private static final String SNAPSHOT =
      "begin transaction isolation level repeatable read read only";

  /** Instances that have not ended need the versions that they began with, published or not. */
  private static final String DEFINITIONS =
      """
      select to_json(t)::text from %1$s."WorkflowDefinitions" t
       where t."IsPublished" or t."IsLatest"
          or t."Id" in (select i."DefinitionVersionId" from %1$s."WorkflowInstances" i
                         where i."Status" = 'Running')
       order by t."DefinitionId", t."Version"
      """;

  private static final String LABELS =
      "select to_json(t)::text from %1$s.\"Labels\" t order by t.\"Name\", t.\"Id\"";

  private static final String LABELLED =
      "select to_json(t)::text from %1$s.\"WorkflowDefinitionLabels\" t order by t.\"Id\"";

  private static final String UNFINISHED =
      """
      select (to_jsonb(t) - 'Data')::text from %1$s."WorkflowInstances" t
       where t."Status" = 'Running' order by t."CreatedAt", t."Id"
      """;

  private static final String INSTANCE =
      "select to_json(t)::text from %1$s.\"WorkflowInstances\" t where t.\"Id\" = $1";

  /** Their key has had two names. */
  private static final String BOOKMARKS =
      "select to_json(t)::text from %1$s.\"Bookmarks\" t where t.\"WorkflowInstanceId\" = $1";

  private static final String RECORDS =
      """
      select to_json(t)::text from %1$s."ActivityExecutionRecords" t
       where t."WorkflowInstanceId" = $1 order by t."StartedAt", t."Id"
      """;

  private static final String LOG =
      """
      select to_json(t)::text from %1$s."WorkflowExecutionLogRecords" t
       where t."WorkflowInstanceId" = $1 order by t."Timestamp", t."Sequence"
      """;

  private final PgConnection connection;
  private final String schema;

  private ElsaTables(PgConnection connection, String schema) {
    this.connection = connection;
    this.schema = schema;
  }

  /**
   * Connects, and looks at the database as it is then. Fails as {@link Database} does when the
   * server does not answer or refuses the role.
   *
   * @param uri as {@link PostgresUri} has it; its first server is used
   * @param password null: that of the URI, if it has one
   * @param schema of Elsa's tables, as it is named there
   */
  public static Future<ElsaTables> open(
      Vertx vertx, String uri, @Nullable String password, String schema) {
    var server = PostgresUri.servers(uri).getFirst();
    if (password != null) {
      server.setPassword(password);
    }
    return PgConnection.connect(vertx, server)
        .compose(connection ->
            connection
                .query(SNAPSHOT)
                .execute()
                .map(_ -> new ElsaTables(connection, quoted(schema))))
        .recover(
            e -> Future.failedFuture(DatabaseErrors.explain("connect to the database of Elsa", e)));
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** The versions that are published, the latest, or in use by an instance that has not ended. */
  public Future<List<String>> definitions() {
    return rows(DEFINITIONS, Tuple.tuple());
  }

  /** Empty where Elsa has no labels. */
  public Future<List<String>> labels() {
    return rowsIfThere("Labels", LABELS);
  }

  /** Which version of a definition has which label; empty where Elsa has no labels. */
  public Future<List<String>> labelled() {
    return rowsIfThere("WorkflowDefinitionLabels", LABELLED);
  }

  /** The instances that have not ended, without their state; those that are older first. */
  public Future<List<String>> unfinished() {
    return rows(UNFINISHED, Tuple.tuple());
  }

  /** An instance with its state; empty when there is none with this id. */
  public Future<List<String>> instance(String id) {
    return rows(INSTANCE, Tuple.of(id));
  }

  /** The bookmarks of an instance. */
  public Future<List<String>> bookmarks(String instanceId) {
    return rows(BOOKMARKS, Tuple.of(instanceId));
  }

  /** The records of what an instance has executed. */
  public Future<List<String>> records(String instanceId) {
    return rows(RECORDS, Tuple.of(instanceId));
  }

  /** The log of an instance. */
  public Future<List<String>> log(String instanceId) {
    return rows(LOG, Tuple.of(instanceId));
  }

  private Future<List<String>> rowsIfThere(String table, String sql) {
    return connection
        .preparedQuery("select to_regclass($1) is not null")
        .execute(Tuple.of(schema + '.' + quoted(table)))
        .compose(found ->
            found.iterator().next().getBoolean(0)
                ? rows(sql, Tuple.tuple())
                : Future.succeededFuture(List.of()))
        .recover(ElsaTables::explained);
  }

  private Future<List<String>> rows(String sql, Tuple arguments) {
    return connection
        .preparedQuery(sql.formatted(schema))
        .execute(arguments)
        .map(found -> {
          List<String> texts = new ArrayList<>();
          found.forEach(row -> texts.add(row.getString(0)));
          return texts;
        })
        .recover(ElsaTables::explained);
  }

  private static Future<List<String>> explained(Throwable e) {
    return Future.failedFuture(DatabaseErrors.explain("read the tables of Elsa", e));
  }

  public Future<Void> close() {
    return connection.close();
  }
}
