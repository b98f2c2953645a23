package skein.storage;

import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import skein.codecs.DefinitionCodec;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.DefinitionRef;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.model.Trigger;
import skein.model.WorkflowDefinition;

/** Keeps the versions of definitions and the triggers of the published ones. Thread-safe. */
public final class DefinitionStore {
  private final Database database;

  public DefinitionStore(Database database) {
    this.database = database;
  }

  /** Which version of a definition. */
  public enum Which {
    LATEST("is_latest"),
    PUBLISHED("is_published");

    private final String condition;

    Which(String condition) {
      this.condition = condition;
    }
  }

  private static final String COLUMNS =
      """
      select id, definition_id, version, name, description, is_latest, is_published, created_at,
             content
        from workflow_definitions
      """;

  public Future<@Nullable WorkflowDefinition> find(String definitionId, Which which) {
    var sql = COLUMNS + " where definition_id = $1 and " + which.condition;
    return one(sql, Tuple.of(definitionId));
  }

  public Future<@Nullable WorkflowDefinition> find(String definitionId, int version) {
    return one(
        COLUMNS + " where definition_id = $1 and version = $2", Tuple.of(definitionId, version));
  }

  public Future<@Nullable WorkflowDefinition> findVersion(String versionId) {
    return one(COLUMNS + " where id = $1", Tuple.of(versionId));
  }

  /** All versions, newest first. */
  public Future<List<WorkflowDefinition>> versions(String definitionId) {
    return many(
        COLUMNS + " where definition_id = $1 order by version desc", Tuple.of(definitionId));
  }

  /**
   * Which definitions a list shows.
   *
   * @param condition see {@link Listed}
   * @param skip 0 or more
   * @param take 1 to 1,000
   */
  public record Query(
      Listed condition,
      @Nullable String searchTerm,
      List<String> definitionIds,
      List<String> ids,
      OrderBy orderBy,
      boolean descending,
      int skip,
      int take) {}

  /** Elsa's version options, as far as a list knows them. */
  public enum Listed {
    Latest("is_latest"),
    Published("is_published"),
    LatestOrPublished("(is_latest or is_published)"),
    LatestAndPublished("(is_latest and is_published)"),
    Draft("(is_latest and not is_published)"),
    AllVersions("true");

    private final String condition;

    Listed(String condition) {
      this.condition = condition;
    }
  }

  public enum OrderBy {
    Name("name"),
    Created("created_at"),
    Version("version");

    private final String column;

    OrderBy(String column) {
      this.column = column;
    }
  }

  public record Page(List<WorkflowDefinition> items, long total) {}

  public Future<Page> list(Query query) {
    var where =
        " where "
            + query.condition().condition
            + """
             and ($1::text is null or name ilike '%' || $1 || '%' or definition_id = $1 or id = $1)
             and ($2::text[] is null or definition_id = any($2))
             and ($3::text[] is null or id = any($3))
            """;
    var order = query.orderBy().column + (query.descending() ? " desc" : " asc");
    var sql =
        COLUMNS + where + " order by " + order + " nulls last, definition_id limit $4 offset $5";
    return many(sql, match(query).addInteger(query.take()).addInteger(query.skip()))
        .compose(items ->
            database
                .run(
                    "count definitions",
                    "select count(*) from workflow_definitions" + where,
                    match(query))
                .map(rows -> new Page(items, rows.iterator().next().getLong(0))));
  }

  private static Tuple match(Query query) {
    return Tuple.tuple()
        .addString(query.searchTerm())
        .addValue(
            query.definitionIds().isEmpty() ? null : query.definitionIds().toArray(String[]::new))
        .addValue(query.ids().isEmpty() ? null : query.ids().toArray(String[]::new));
  }

  private static final String UNMARK_LATEST =
      "update workflow_definitions set is_latest = false where definition_id = $1 and is_latest";

  private static final String INSERT =
      """
      insert into workflow_definitions (id, definition_id, version, name, description, is_latest,
          is_published, created_at, content)
      values ($1, $2, $3, $4, $5, true, false, $6, $7)
      """;

  private static final String REPLACE =
      """
      update workflow_definitions set name = $4, description = $5, created_at = $6, content = $7
       where id = $1 and definition_id = $2 and version = $3 and not is_published
      """;

  /**
   * Writes a draft: the latest version if that is a draft, else a new latest one. Fails with {@code
   * DEFINITION_CONFLICT} when another save came between.
   */
  public Future<Void> saveDraft(WorkflowDefinition draft, boolean isNew) {
    var parameters =
        Tuple.of(
            draft.ref().versionId(),
            draft.ref().definitionId(),
            draft.ref().version(),
            draft.name(),
            draft.description(),
            Database.timestamp(draft.createdAt()),
            JsonText.print(DefinitionCodec.write(draft)));
    return inTransaction(
        "save definition " + draft.ref().definitionId(),
        connection -> {
          if (isNew) {
            return run(connection, UNMARK_LATEST, Tuple.of(draft.ref().definitionId()))
                .compose(_ -> run(connection, INSERT, parameters))
                .mapEmpty();
          }
          return run(connection, REPLACE, parameters)
              .compose(rows ->
                  rows.rowCount() == 1
                      ? Future.succeededFuture()
                      : Future.failedFuture(conflict(draft.ref().definitionId())));
        });
  }

  private static final String LOCK_VERSIONS =
      "select id from workflow_definitions where definition_id = $1 order by version for update";

  private static final String UNPUBLISH =
      "update workflow_definitions set is_published = false where definition_id = $1 and is_published";

  private static final String PUBLISH =
      "update workflow_definitions set is_published = true where id = $1";

  private static final String DROP_ALL_TRIGGERS =
      "delete from triggers where workflow_definition_id = $1";

  /** Instances of older versions go on waiting at their routes, so those stay. */
  private static final String DROP_TRIGGERS =
      DROP_ALL_TRIGGERS + " and name <> 'Elsa.HttpEndpoint.Route'";

  private static final String DROP_TRIGGER_TIMERS =
      """
      delete from timers
       where kind = 'Trigger' and payload ->> 'definitionId' = $1
      """;

  private static final String ADD_TRIGGER =
      """
      insert into triggers (id, workflow_definition_id, workflow_definition_version_id, version,
          activity_id, name, hash, payload)
      values ($1, $2, $3, $4, $5, $6, $7, $8::text::json)
      on conflict (id) do update
          set workflow_definition_version_id = excluded.workflow_definition_version_id,
              version = excluded.version, activity_id = excluded.activity_id
      """;

  private static final String ADD_TIMER =
      """
      insert into timers (id, due_at, workflow_instance_id, kind, payload)
      values ($1, $2, $3, $4, $5::text::json)
      """;

  /** Publishes a version with its triggers and their first timers, in place of the one before. */
  public Future<Void> publish(DefinitionRef ref, List<Trigger> triggers, List<Timer> timers) {
    return inTransaction(
        "publish definition " + ref.definitionId(),
        connection ->
            withdraw(connection, ref.definitionId())
                .compose(_ -> run(connection, PUBLISH, Tuple.of(ref.versionId())))
                .compose(rows ->
                    rows.rowCount() == 1
                        ? Future.succeededFuture()
                        : Future.failedFuture(conflict(ref.definitionId())))
                .compose(_ -> addTriggers(connection, ref, triggers))
                .compose(_ -> addTimers(connection, timers)));
  }

  /** Takes the published version back; false when there was none. */
  public Future<Boolean> retract(String definitionId) {
    return inTransaction(
        "retract definition " + definitionId,
        connection -> withdraw(connection, definitionId).map(n -> n > 0));
  }

  private Future<Integer> withdraw(SqlConnection connection, String definitionId) {
    var id = Tuple.of(definitionId);
    return run(connection, LOCK_VERSIONS, id)
        .compose(_ -> run(connection, DROP_TRIGGERS, id))
        .compose(_ -> run(connection, DROP_TRIGGER_TIMERS, id))
        .compose(_ -> run(connection, UNPUBLISH, id))
        .map(RowSet::rowCount);
  }

  private Future<Void> addTriggers(
      SqlConnection connection, DefinitionRef ref, List<Trigger> triggers) {
    if (triggers.isEmpty()) {
      return Future.succeededFuture();
    }
    var rows = new ArrayList<Tuple>();
    for (var trigger : triggers) {
      rows.add(
          Tuple.of(
              trigger.id(),
              ref.definitionId(),
              ref.versionId(),
              ref.version(),
              trigger.activityId(),
              trigger.name(),
              trigger.hash(),
              JsonText.print(trigger.payload())));
    }
    return connection
        .preparedQuery(ADD_TRIGGER)
        .executeBatch(rows)
        .recover(e -> {
          if (e instanceof PgException sql && "triggers_endpoint".equals(sql.getConstraint())) {
            return Future.failedFuture(
                SkeinException.definitionInvalid(
                    List.of(
                        "Another published workflow has an HTTP endpoint with the same path and method")));
          }
          return Future.failedFuture(e);
        })
        .mapEmpty();
  }

  private Future<Void> addTimers(SqlConnection connection, List<Timer> timers) {
    if (timers.isEmpty()) {
      return Future.succeededFuture();
    }
    var rows = new ArrayList<Tuple>();
    for (var timer : timers) {
      rows.add(
          Tuple.of(
              timer.id(),
              Database.timestamp(timer.dueAt()),
              timer.instanceId().value(),
              timer.kind().name(),
              JsonText.print(timer.payload())));
    }
    return connection.preparedQuery(ADD_TIMER).executeBatch(rows).mapEmpty();
  }

  private static final String DELETE = "delete from workflow_definitions where definition_id = $1";

  private static final String DELETE_VERSION =
      "delete from workflow_definitions where definition_id = $1 and version = $2 returning is_published";

  private static final String MARK_LATEST =
      """
      update workflow_definitions set is_latest = true
       where id = (select id from workflow_definitions where definition_id = $1
                   order by version desc limit 1)
      """;

  /** Removes all versions; false when there was none. Instances stay. */
  public Future<Boolean> delete(String definitionId) {
    return inTransaction(
        "delete definition " + definitionId,
        connection ->
            withdraw(connection, definitionId)
                .compose(_ -> run(connection, DROP_ALL_TRIGGERS, Tuple.of(definitionId)))
                .compose(_ -> run(connection, DELETE, Tuple.of(definitionId)))
                .map(rows -> rows.rowCount() > 0));
  }

  /** Removes one version; false when there was none. */
  public Future<Boolean> deleteVersion(String definitionId, int version) {
    return inTransaction(
        "delete version " + version + " of definition " + definitionId,
        connection ->
            run(connection, LOCK_VERSIONS, Tuple.of(definitionId))
                .compose(_ -> run(connection, DELETE_VERSION, Tuple.of(definitionId, version)))
                .compose(rows -> {
                  if (rows.size() == 0) {
                    return Future.succeededFuture(false);
                  }
                  Future<?> published =
                      rows.iterator().next().getBoolean(0)
                          ? withdraw(connection, definitionId)
                          : Future.succeededFuture();
                  return published
                      .compose(_ -> run(connection, UNMARK_LATEST, Tuple.of(definitionId)))
                      .compose(_ -> run(connection, MARK_LATEST, Tuple.of(definitionId)))
                      .map(true);
                }));
  }

  /**
   * A published HTTP endpoint; or, without a method in the payload, a path template at which
   * instances wait.
   */
  public record Endpoint(
      String triggerId, DefinitionRef definition, String activityId, Map<?, ?> payload) {}

  private static final String ENDPOINTS =
      """
      select id, workflow_definition_id, workflow_definition_version_id, version, activity_id,
             payload::text as payload
        from triggers where name in ('Elsa.HttpEndpoint', 'Elsa.HttpEndpoint.Route') order by id
      """;

  public Future<List<Endpoint>> endpoints() {
    return database
        .run("read the HTTP endpoints", ENDPOINTS, Tuple.tuple())
        .map(rows -> {
          var found = new ArrayList<Endpoint>();
          for (var row : rows) {
            if (JsonText.parse(row.getString("payload"), JsonLimits.STORED)
                instanceof Map<?, ?> payload) {
              found.add(
                  new Endpoint(
                      row.getString("id"),
                      new DefinitionRef(row.getString(1), row.getString(2), row.getInteger(3)),
                      row.getString("activity_id"),
                      payload));
            }
          }
          return found;
        });
  }

  private Future<@Nullable WorkflowDefinition> one(String sql, Tuple parameters) {
    return many(sql, parameters).map(found -> found.isEmpty() ? null : found.getFirst());
  }

  private Future<List<WorkflowDefinition>> many(String sql, Tuple parameters) {
    return database
        .run("read definitions", sql, parameters)
        .map(rows -> {
          var found = new ArrayList<WorkflowDefinition>();
          rows.forEach(row -> found.add(definition(row)));
          return found;
        });
  }

  @SuppressWarnings("unchecked")
  private static WorkflowDefinition definition(Row row) {
    var content = JsonText.parse(row.getString("content"), JsonLimits.STORED);
    if (!(content instanceof Map<?, ?> json)) {
      throw new IllegalStateException("Definition " + row.getString("id") + " is not an object");
    }
    return new WorkflowDefinition(
        new DefinitionRef(
            row.getString("definition_id"), row.getString("id"), row.getInteger("version")),
        row.getString("name"),
        row.getString("description"),
        row.getBoolean("is_latest"),
        row.getBoolean("is_published"),
        row.getOffsetDateTime("created_at").toInstant(),
        (Map<String, @Nullable Object>) json);
  }

  private static SkeinException conflict(String definitionId) {
    return new SkeinException(
        ErrorCode.DEFINITION_CONFLICT,
        "Workflow definition " + definitionId + " was changed at the same time: load it again");
  }

  @SuppressWarnings("NullAway") // The transaction gives what the work gives.
  private <T> Future<T> inTransaction(String what, Function<SqlConnection, Future<T>> work) {
    return database
        .pool()
        .withTransaction(work)
        .recover(e -> {
          if (e instanceof PgException sql && "23505".equals(sql.getSqlState())) {
            return Future.failedFuture(
                new SkeinException(
                    ErrorCode.DEFINITION_CONFLICT,
                    "Changed at the same time, or an id is in use: " + what));
          }
          return Future.failedFuture(Database.explain(what, e));
        });
  }

  private Future<RowSet<Row>> run(SqlConnection connection, String sql, Tuple parameters) {
    return connection.preparedQuery(sql).execute(parameters);
  }
}
