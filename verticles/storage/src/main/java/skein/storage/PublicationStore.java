package skein.storage;

import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import skein.codecs.DefinitionCodec;
import skein.codecs.JsonText;
import skein.model.DefinitionRef;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.Trigger;
import skein.model.WorkflowDefinition;

/**
 * Writes definitions: drafts, publications with their triggers and timers, and retractions; each in
 * one transaction. Thread-safe.
 */
public final class PublicationStore {
  private final Database database;

  public PublicationStore(Database database) {
    this.database = database;
  }

  private static final String UNMARK_LATEST =
      "update workflow_definitions set is_latest = false where definition_id = $1 and is_latest";

  private static final String INSERT =
      """
      insert into workflow_definitions (id, definition_id, version, name, description, is_latest,
          is_published, created_at, content, type_name, uses, tenant_id)
      values ($1, $2, $3, $4, $5, true, false, $6, $7, $8, $9, $10)
      """;

  private static final String REPLACE =
      """
      update workflow_definitions set name = $4, description = $5, created_at = $6, content = $7,
             type_name = $8, uses = $9
       where id = $1 and definition_id = $2 and version = $3 and not is_published
      """;

  /**
   * What others find a definition by.
   *
   * @param typeName as an activity; null when it is not usable as one
   * @param uses what its uses of others are found by, see {@link DefinitionStore#users}
   */
  public record Names(@Nullable String typeName, List<String> uses) {}

  /**
   * Writes a draft: the latest version if that is a draft, else a new latest one. Fails with {@code
   * DEFINITION_CONFLICT} when another save came between.
   */
  public Future<Void> saveDraft(WorkflowDefinition draft, Names names, boolean isNew) {
    return inTransaction(
        "save definition " + draft.ref().definitionId(),
        connection -> {
          if (isNew) {
            return run(connection, UNMARK_LATEST, Tuple.of(draft.ref().definitionId()))
                .compose(_ -> run(connection, INSERT, insertion(draft, names)))
                .mapEmpty();
          }
          return run(connection, REPLACE, row(draft, names))
              .compose(rows ->
                  rows.rowCount() == 1
                      ? Future.succeededFuture()
                      : Future.failedFuture(conflict(draft.ref().definitionId())));
        });
  }

  private static Tuple insertion(WorkflowDefinition draft, Names names) {
    return row(draft, names).addString(draft.ref().tenant());
  }

  private static Tuple row(WorkflowDefinition draft, Names names) {
    var uses = names.uses().isEmpty() ? null : names.uses().toArray(String[]::new);
    return Tuple.of(
            draft.ref().versionId(),
            draft.ref().definitionId(),
            draft.ref().version(),
            draft.name(),
            draft.description(),
            Database.timestamp(draft.createdAt()),
            JsonText.print(DefinitionCodec.write(draft)))
        .addString(names.typeName())
        .addValue(uses);
  }

  private static final String LATEST_DRAFT =
      """
      select content from workflow_definitions
       where id = $1 and is_latest and not is_published
      """;

  /**
   * Changes the draft of a definition, so that no save that comes between is undone.
   *
   * @param change takes the document there is; null leaves it as it is
   * @return false when it is no longer a draft or nothing was changed
   */
  public Future<Boolean> changeDraft(DefinitionRef draft, Change change) {
    return inTransaction(
        "change the draft of definition " + draft.definitionId(),
        connection ->
            run(connection, LOCK_VERSIONS, Tuple.of(draft.definitionId()))
                .compose(_ -> run(connection, LATEST_DRAFT, Tuple.of(draft.versionId())))
                .compose(rows -> {
                  var changed =
                      rows.size() == 0
                          ? null
                          : change.of(rows.iterator().next().getString("content"));
                  return changed == null
                      ? Future.succeededFuture(false)
                      : run(connection, REPLACE, row(changed.draft(), changed.names())).map(true);
                }));
  }

  /** A change of a draft as it is stored. */
  public interface Change {
    @Nullable Changed of(String content);
  }

  public record Changed(WorkflowDefinition draft, Names names) {}

  /**
   * Writes a new version and publishes it at once. Fails with {@code DEFINITION_CONFLICT} when
   * another save came between.
   */
  public Future<Void> publishNew(
      WorkflowDefinition version,
      Names names,
      List<Trigger> triggers,
      List<ScheduledTrigger> schedules) {
    var ref = version.ref();
    return inTransaction(
        "publish a new version of definition " + ref.definitionId(),
        connection ->
            run(connection, LOCK_VERSIONS, Tuple.of(ref.definitionId()))
                .compose(_ -> run(connection, UNMARK_LATEST, Tuple.of(ref.definitionId())))
                .compose(_ -> run(connection, INSERT, insertion(version, names)))
                .compose(_ -> publish(connection, ref, triggers, schedules)));
  }

  private static final String LOCK_VERSIONS =
      "select id from workflow_definitions where definition_id = $1 order by version for update";

  private static final String UNPUBLISH =
      "update workflow_definitions set is_published = false where definition_id = $1 and"
          + " is_published";

  private static final String PUBLISH =
      "update workflow_definitions set is_published = true where id = $1";

  /** Publishes a version with its triggers and their schedules, in place of the one before. */
  public Future<Void> publish(
      DefinitionRef ref, List<Trigger> triggers, List<ScheduledTrigger> schedules) {
    return inTransaction(
        "publish definition " + ref.definitionId(),
        connection -> publish(connection, ref, triggers, schedules));
  }

  private Future<Void> publish(
      SqlConnection connection,
      DefinitionRef ref,
      List<Trigger> triggers,
      List<ScheduledTrigger> schedules) {
    return withdraw(connection, ref.definitionId(), schedules)
        .compose(_ -> run(connection, PUBLISH, Tuple.of(ref.versionId())))
        .compose(rows ->
            rows.rowCount() == 1
                ? Future.succeededFuture()
                : Future.failedFuture(conflict(ref.definitionId())))
        .compose(_ -> TriggerRows.add(database, connection, ref, triggers, schedules));
  }

  private static final String IS_PUBLISHED =
      "select 1 from workflow_definitions where id = $1 and is_published";

  /**
   * Replaces the triggers of a published version, and their schedules.
   *
   * @return false when it is not published any more, and nothing was changed
   */
  public Future<Boolean> replaceTriggers(
      DefinitionRef ref, List<Trigger> triggers, List<ScheduledTrigger> schedules) {
    return inTransaction(
        "replace the triggers of definition " + ref.definitionId(),
        connection ->
            run(connection, LOCK_VERSIONS, Tuple.of(ref.definitionId()))
                .compose(_ -> run(connection, IS_PUBLISHED, Tuple.of(ref.versionId())))
                .compose(rows ->
                    rows.size() == 0
                        ? Future.succeededFuture(false)
                        : TriggerRows.drop(database, connection, ref.definitionId(), schedules)
                            .compose(_ ->
                                TriggerRows.add(database, connection, ref, triggers, schedules))
                            .map(true)));
  }

  /** Takes the published version back; false when there was none. */
  public Future<Boolean> retract(String definitionId) {
    return inTransaction(
        "retract definition " + definitionId,
        connection -> withdraw(connection, definitionId, List.of()).map(n -> n > 0));
  }

  /** {@code kept}: the schedules that are to be there afterwards as well. */
  private Future<Integer> withdraw(
      SqlConnection connection, String definitionId, List<ScheduledTrigger> kept) {
    var id = Tuple.of(definitionId);
    return run(connection, LOCK_VERSIONS, id)
        .compose(_ -> TriggerRows.drop(database, connection, definitionId, kept))
        .compose(_ -> run(connection, UNPUBLISH, id))
        .map(RowSet::rowCount);
  }

  private static final String DELETE = "delete from workflow_definitions where definition_id = $1";

  private static final String DELETE_VERSION =
      "delete from workflow_definitions where definition_id = $1 and version = $2 returning"
          + " is_published";

  private static final String MARK_LATEST =
      """
      update workflow_definitions set is_latest = true
       where id = (select id from workflow_definitions where definition_id = $1
                   order by version desc limit 1)
      """;

  private static final int OPEN_COUNTED_MAX = 10_000;

  private static final String COUNT_OPEN =
      """
      select count(*) from (
        select from workflow_instances
         where definition_id = $1 and version = $2 and finished_at is null limit %d) as found
      """
          .formatted(OPEN_COUNTED_MAX);

  /** Removes all versions; false when there was none. Instances stay. */
  public Future<Boolean> delete(String definitionId) {
    return inTransaction(
        "delete definition " + definitionId,
        connection ->
            withdraw(connection, definitionId, List.of())
                .compose(_ -> TriggerRows.dropWithRoutes(database, connection, definitionId))
                .compose(_ -> run(connection, DELETE, Tuple.of(definitionId)))
                .map(rows -> rows.rowCount() > 0));
  }

  /**
   * Removes one version; false when there was none. Fails with {@code DEFINITION_IN_USE} while
   * instances of it have not ended. One that starts at the same time may still be committed: it is
   * found once all nodes know of the removal.
   */
  public Future<Boolean> deleteVersion(String definitionId, int version) {
    return inTransaction(
        "delete version " + version + " of definition " + definitionId,
        connection ->
            run(connection, LOCK_VERSIONS, Tuple.of(definitionId))
                .compose(_ -> run(connection, COUNT_OPEN, Tuple.of(definitionId, version)))
                .compose(rows -> unlessInUse(definitionId, version, rows))
                .compose(_ -> run(connection, DELETE_VERSION, Tuple.of(definitionId, version)))
                .compose(rows -> {
                  if (rows.size() == 0) {
                    return Future.succeededFuture(false);
                  }
                  Future<?> published =
                      rows.iterator().next().getBoolean(0)
                          ? withdraw(connection, definitionId, List.of())
                          : Future.succeededFuture();
                  return published
                      .compose(_ -> run(connection, UNMARK_LATEST, Tuple.of(definitionId)))
                      .compose(_ -> run(connection, MARK_LATEST, Tuple.of(definitionId)))
                      .map(true);
                }));
  }

  private static Future<Void> unlessInUse(String definitionId, int version, RowSet<Row> counted) {
    long open = counted.iterator().next().getLong(0);
    return open == 0
        ? Future.succeededFuture()
        : Future.failedFuture(
            new SkeinException(
                ErrorCode.DEFINITION_IN_USE,
                "Version "
                    + version
                    + " of definition "
                    + definitionId
                    + " has "
                    + (open < OPEN_COUNTED_MAX ? "" : "at least ")
                    + open
                    + " instances that have not ended: cancel or migrate them, or delete the"
                    + " version with force=true, which cancels them"));
  }

  private static SkeinException conflict(String definitionId) {
    return new SkeinException(
        ErrorCode.DEFINITION_CONFLICT,
        "Workflow definition " + definitionId + " was changed at the same time: load it again");
  }

  private <T> Future<T> inTransaction(String what, Function<SqlConnection, Future<T>> work) {
    return database.inTransaction(
        what,
        connection ->
            work.apply(connection)
                .recover(e ->
                    Future.failedFuture(
                        e instanceof PgException sql && "23505".equals(sql.getSqlState())
                            ? new SkeinException(
                                ErrorCode.DEFINITION_CONFLICT,
                                "Changed at the same time, or an id is in use: " + what)
                            : e)));
  }

  /** With the deadline of a statement, and failures as the database says them. */
  private Future<RowSet<Row>> run(SqlConnection connection, String sql, Tuple parameters) {
    return database.timed(() -> connection.preparedQuery(sql).execute(parameters));
  }
}
