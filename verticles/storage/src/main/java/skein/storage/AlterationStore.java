package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.model.WorkflowStatus;
import skein.storage.InstanceQuery.TimeFilter;

/**
 * Plans to alter many instances, and their results. Thread-safe.
 *
 * <p>A plan is a timer for each of its instances, consumed by the commit that alters the instance.
 * A job is done when its timer no longer exists, and failed when a reason was stored.
 */
public final class AlterationStore implements AlterationRows {
  private final Database database;

  public AlterationStore(Database database) {
    this.database = database;
  }

  /** A filter of instances; an empty list or null does not restrict. */
  public record Filter(
      Named named,
      List<WorkflowStatus> statuses,
      @Nullable Boolean hasIncidents,
      @Nullable String searchTerm,
      List<TimeFilter> times) {
    public Filter {
      statuses = List.copyOf(statuses);
      times = List.copyOf(times);
    }

    /** Whether it restricts nothing at all. */
    public boolean isEmpty() {
      return named.isEmpty()
          && statuses.isEmpty()
          && hasIncidents == null
          && searchTerm == null
          && times.isEmpty();
    }
  }

  /** A filter by names, each one of several; an empty list does not restrict. */
  public record Named(
      List<String> ids,
      List<String> definitionIds,
      List<String> definitionVersionIds,
      List<String> correlationIds,
      List<String> names) {
    public Named {
      ids = List.copyOf(ids);
      definitionIds = List.copyOf(definitionIds);
      definitionVersionIds = List.copyOf(definitionVersionIds);
      correlationIds = List.copyOf(correlationIds);
      names = List.copyOf(names);
    }

    boolean isEmpty() {
      return ids.isEmpty()
          && definitionIds.isEmpty()
          && definitionVersionIds.isEmpty()
          && correlationIds.isEmpty()
          && names.isEmpty();
    }
  }

  /**
   * @param failure why it could not be altered; null: it was, or will be
   * @param failedAt when; null: it was altered, or will be
   */
  public record Job(
      InstanceId instanceId,
      boolean pending,
      @Nullable String failure,
      @Nullable Instant failedAt) {}

  /**
   * How far a plan is.
   *
   * @param jobs how many there are
   * @param pending whether one is
   * @param failed whether one has
   */
  public record Progress(long jobs, boolean pending, boolean failed) {}

  /**
   * @param alterations as they were given, JSON
   * @param jobs a page of them
   */
  public record Plan(
      String id,
      @Nullable Object alterations,
      Instant createdAt,
      Progress progress,
      List<Job> jobs) {}

  private static final String SELECT =
      """
      select id from workflow_instances
       where ($1::text[] is null or id = any($1))
         and ($2::text[] is null or definition_id = any($2))
         and ($3::text[] is null or definition_version_id = any($3))
         and ($4::text[] is null or correlation_id = any($4))
         and ($5::text[] is null or name = any($5))
         and ($6::text[] is null or status = any($6))
         and ($7::boolean is null or (incident_count > 0) = $7)
         and ($8::text is null or name ilike '%' || $8 || '%' or id = $8 or definition_id = $8
              or correlation_id = $8)
         and \
      """
          + TenantScope.condition(9);

  /** The ids of the first {@code max} instances that fit. */
  public Future<List<InstanceId>> select(Filter filter, int max, TenantScope scope) {
    var named = filter.named();
    var parameters =
        Tuple.tuple()
            .addValue(texts(named.ids()))
            .addValue(texts(named.definitionIds()))
            .addValue(texts(named.definitionVersionIds()))
            .addValue(texts(named.correlationIds()))
            .addValue(texts(named.names()))
            .addValue(texts(filter.statuses().stream().map(Enum::name).toList()))
            .addBoolean(filter.hasIncidents())
            .addString(filter.searchTerm())
            .addString(scope.tenant());
    var sql = new StringBuilder(SELECT);
    for (var time : filter.times()) {
      parameters.addValue(Database.timestamp(time.at()));
      sql.append(" and ").append(time.condition().formatted(parameters.size()));
    }
    parameters.addInteger(max);
    sql.append(" order by id limit $").append(parameters.size());
    return database
        .run("select instances", sql.toString(), parameters)
        .map(rows -> {
          var ids = new ArrayList<InstanceId>();
          rows.forEach(row -> ids.add(new InstanceId(row.getString(0))));
          return ids;
        });
  }

  private static String @Nullable [] texts(List<String> values) {
    return values.isEmpty() ? null : values.toArray(String[]::new);
  }

  private static final String SUBMIT =
      """
      with plan as (
        insert into alteration_plans (id, alterations, created_at, tenant_id)
        values ($1, $2::text::json, clock_timestamp(), $4)
        on conflict (id) do nothing
        returning id
      ), jobs as (
        insert into alteration_jobs (id, plan_id, workflow_instance_id, status, created_at)
        select $1 || ':' || i, plan.id, i, 'Pending', clock_timestamp()
          from plan cross join unnest($3::text[]) as i
        returning id, workflow_instance_id
      ), timers_added as (
        insert into timers (id, due_at, workflow_instance_id, kind, payload)
        select 'alter-' || id, clock_timestamp(), workflow_instance_id, 'Alter',
               json_build_object('planId', $1, 'alterations', $2::text::json, 'actor', $5::text)
          from jobs
      )
      select count(*) from plan
      """;

  /**
   * Returns false, and changes nothing, when a plan with that id exists.
   *
   * @param actor who submits it, for journals and the audit log; null: unknown
   */
  public Future<Boolean> submit(
      String planId,
      Object alterations,
      List<InstanceId> instances,
      TenantScope scope,
      @Nullable String actor) {
    var ids = instances.stream().map(InstanceId::value).toArray(String[]::new);
    var stored = database.values().seal(StoredValues.Place.plan(planId), alterations);
    return database
        .run(
            "submit plan " + planId,
            SUBMIT,
            Tuple.of(planId, JsonText.print(stored), ids, scope.owner(), actor))
        .map(rows -> rows.iterator().next().getLong(0) == 1);
  }

  /** The payload of the timer of a job: it has the alterations as the plan has them. */
  static Object opened(Map<?, ?> payload, StoredValues values) {
    if (!(payload.get("planId") instanceof String planId)) {
      return payload;
    }
    var opened = new LinkedHashMap<Object, @Nullable Object>(payload);
    opened.put(
        "alterations", values.open(StoredValues.Place.plan(planId), payload.get("alterations")));
    return opened;
  }

  private static final String FAILED =
      """
      update alteration_jobs set status = 'Failed', log = to_json($2::text),
             completed_at = clock_timestamp()
       where id = $1
      """;

  /** To be called before the timer of the job is removed. */
  @Override
  public Future<Void> failed(Timer timer, String reason) {
    var job = timer.id().substring("alter-".length());
    return database.run("fail job " + job, FAILED, Tuple.of(job, reason)).mapEmpty();
  }

  private static final String FIND =
      """
      select p.alterations::text as alterations, p.created_at,
             (select count(*) from alteration_jobs j where j.plan_id = p.id) as jobs,
             exists (select from alteration_jobs j join timers t on t.id = 'alter-' || j.id
                      where j.plan_id = p.id) as pending,
             exists (select from alteration_jobs j
                      where j.plan_id = p.id and j.log #>> '{}' is not null) as failed
        from alteration_plans p where p.id = $1
      """;

  private static final String JOBS =
      """
      select j.workflow_instance_id, j.log #>> '{}' as failure, j.completed_at as failed_at,
             t.id is not null as pending
        from alteration_jobs j left join timers t on t.id = 'alter-' || j.id
       where j.plan_id = $1
       order by j.workflow_instance_id limit $2 offset $3
      """;

  /**
   * Null when there is none.
   *
   * @param skip jobs, in the order of the ids of their instances
   * @param take jobs at most
   */
  public Future<@Nullable Plan> find(String planId, int skip, int take) {
    return database
        .run("read the jobs of plan " + planId, JOBS, Tuple.of(planId, take, skip))
        .compose(jobs ->
            database
                .run("read plan " + planId, FIND, Tuple.of(planId))
                .map(rows -> {
                  for (var row : rows) {
                    return plan(planId, row, jobs);
                  }
                  return null;
                }));
  }

  private Plan plan(String planId, Row row, RowSet<Row> rows) {
    var jobs = new ArrayList<Job>();
    for (var job : rows) {
      var failedAt = job.getOffsetDateTime("failed_at");
      jobs.add(
          new Job(
              new InstanceId(job.getString("workflow_instance_id")),
              job.getBoolean("pending"),
              job.getString("failure"),
              failedAt == null ? null : failedAt.toInstant()));
    }
    return new Plan(
        planId,
        database
            .values()
            .open(
                StoredValues.Place.plan(planId),
                JsonText.parse(row.getString("alterations"), JsonLimits.STORED)),
        row.getOffsetDateTime("created_at").toInstant(),
        new Progress(row.getLong("jobs"), row.getBoolean("pending"), row.getBoolean("failed")),
        jobs);
  }
}
