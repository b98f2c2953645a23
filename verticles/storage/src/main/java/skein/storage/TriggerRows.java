package skein.storage;

import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import skein.codecs.JsonText;
import skein.model.DefinitionRef;
import skein.model.SkeinException;
import skein.model.StimulusHash;
import skein.model.Trigger;

/**
 * The rows of the triggers that a published version has: the triggers, their schedules, and the
 * timers of those. Written within the transaction of its caller, each statement with its deadline.
 */
final class TriggerRows {
  private static final String DROP_ALL_TRIGGERS =
      "delete from triggers where workflow_definition_id = $1";

  /** Instances of older versions keep waiting at their routes, so those stay. */
  private static final String DROP_TRIGGERS =
      DROP_ALL_TRIGGERS + " and name <> 'Elsa.HttpEndpoint.Route'";

  private static final String ADD_TRIGGER =
      """
      insert into triggers (id, workflow_definition_id, workflow_definition_version_id, version,
          activity_id, name, hash, payload, tenant_id)
      values ($1, $2, $3, $4, $5, $6, $7, $8::text::json, $9)
      on conflict (id) do update
          set workflow_definition_version_id = excluded.workflow_definition_version_id,
              version = excluded.version, activity_id = excluded.activity_id
      """;

  /** All timers of a schedule begin with its id and an at sign; behind that comes the A. */
  static final String DROP_SCHEDULES =
      """
      with gone as (
        delete from schedules
         where definition_id = $1 and origin = 'Trigger' and id <> all($2::text[])
        returning id
      )
      delete from timers t using gone where t.id >= gone.id || '@' and t.id < gone.id || 'A'
      """;

  private static final String ADD_SCHEDULE =
      ScheduleStore.INSERT
          + """
          on conflict (id) do update
              set policies = excluded.policies, target = excluded.target,
                  updated_at = excluded.updated_at, revision = schedules.revision + 1
            where schedules.policies::text <> excluded.policies::text
               or schedules.target::text <> excluded.target::text
          """;

  /** A schedule whose next occurrence is unchanged has its timer already. */
  private static final String ADD_FIRST_TIMER =
      """
      insert into timers (id, due_at, workflow_instance_id, kind, payload)
      select $1::text, $2::timestamptz, s.instance_id, 'Schedule', $3::text::json
        from schedules s where s.id = $4 and s.next_at = $5
      on conflict (id) do nothing
      """;

  private TriggerRows() {}

  /**
   * Removes the triggers of a definition and their schedules, but for these schedules and the
   * routes of its endpoints.
   */
  static Future<Void> drop(
      Database database,
      SqlConnection connection,
      String definitionId,
      List<ScheduledTrigger> kept) {
    var keptIds = kept.stream().map(k -> k.schedule().id()).toArray(String[]::new);
    return run(database, connection, DROP_TRIGGERS, Tuple.of(definitionId))
        .compose(_ ->
            run(database, connection, DROP_SCHEDULES, Tuple.of(definitionId).addValue(keptIds)));
  }

  /** Removes the triggers of a definition, the routes of its endpoints too. */
  static Future<Void> dropWithRoutes(
      Database database, SqlConnection connection, String definitionId) {
    return run(database, connection, DROP_ALL_TRIGGERS, Tuple.of(definitionId));
  }

  /** Adds what this version has; of schedules that exist the place in their rhythm is kept. */
  static Future<Void> add(
      Database database,
      SqlConnection connection,
      DefinitionRef ref,
      List<Trigger> triggers,
      List<ScheduledTrigger> schedules) {
    return addTriggers(database, connection, ref, triggers)
        .compose(_ -> addSchedules(database, connection, schedules));
  }

  private static Future<Void> addTriggers(
      Database database, SqlConnection connection, DefinitionRef ref, List<Trigger> triggers) {
    if (triggers.isEmpty()) {
      return Future.succeededFuture();
    }
    var rows = triggers.stream().map(trigger -> row(ref, trigger)).toList();
    return database
        .timed(() -> connection.preparedQuery(ADD_TRIGGER).executeBatch(rows))
        .recover(e -> {
          if (e instanceof PgException sql && "triggers_endpoint".equals(sql.getConstraint())) {
            return Future.failedFuture(
                SkeinException.definitionInvalid(
                    List.of(
                        "An HTTP endpoint has a path and method that are already in use by another"
                            + " workflow")));
          }
          return Future.failedFuture(e);
        })
        .mapEmpty();
  }

  private static Tuple row(DefinitionRef ref, Trigger trigger) {
    return Tuple.of(
        trigger.id(),
        ref.definitionId(),
        ref.versionId(),
        ref.version(),
        trigger.activityId(),
        trigger.name(),
        StimulusHash.of(ref.tenant(), trigger.hash()),
        JsonText.print(trigger.payload()),
        ref.tenant());
  }

  private static Future<Void> addSchedules(
      Database database, SqlConnection connection, List<ScheduledTrigger> schedules) {
    Future<Void> done = Future.succeededFuture();
    for (var scheduled : schedules) {
      done =
          done.compose(_ ->
                  run(
                      database,
                      connection,
                      ADD_SCHEDULE,
                      ScheduleStore.insertion(scheduled.schedule())))
              .compose(_ -> addFirst(database, connection, scheduled));
    }
    return done;
  }

  private static Future<Void> addFirst(
      Database database, SqlConnection connection, ScheduledTrigger scheduled) {
    var first = scheduled.first();
    if (first == null) {
      return Future.succeededFuture();
    }
    var parameters =
        Tuple.of(
            first.id(),
            Database.timestamp(first.dueAt()),
            JsonText.print(first.payload()),
            scheduled.schedule().id(),
            Database.timestamp(scheduled.schedule().state().nextAt()));
    return run(database, connection, ADD_FIRST_TIMER, parameters);
  }

  private static Future<Void> run(
      Database database, SqlConnection connection, String sql, Tuple parameters) {
    return database.timed(() -> connection.preparedQuery(sql).execute(parameters)).mapEmpty();
  }
}
