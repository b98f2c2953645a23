package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.InstanceId;
import skein.model.JournalEntry;
import skein.model.SkeinException;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/** Reads instances and their journals. Thread-safe. */
public final class InstanceStore {
  private final Database database;
  private final InstanceReads reads;

  public InstanceStore(Database database) {
    this.database = database;
    this.reads = new InstanceReads(database);
  }

  /** The last committed state; null when there is no such instance. */
  public Future<@Nullable WorkflowInstance> find(InstanceId id) {
    return reads.find(id);
  }

  /** As {@link #find}, but fails with {@code INSTANCE_NOT_FOUND}. */
  public Future<WorkflowInstance> get(InstanceId id) {
    return find(id)
        .compose(found ->
            found == null
                ? Future.failedFuture(SkeinException.instanceNotFound(id))
                : Future.succeededFuture(found));
  }

  /** What a list shows of an instance. */
  public record Summary(
      InstanceId id,
      String definitionId,
      String versionId,
      int version,
      WorkflowStatus status,
      @Nullable String correlationId,
      @Nullable String name,
      @Nullable String parentId,
      int incidentCount,
      Instant createdAt,
      Instant updatedAt,
      @Nullable Instant finishedAt) {}

  /**
   * Which instances; an empty list or null does not restrict.
   *
   * @param times all must hold
   * @param orderBy one of {@link Order}
   * @param skip 0 or more
   * @param take 1 to 1,000
   */
  public record Query(
      List<String> definitionIds,
      List<String> ids,
      List<WorkflowStatus> statuses,
      @Nullable String correlationId,
      @Nullable String name,
      @Nullable String parentId,
      @Nullable Integer version,
      @Nullable Boolean hasIncidents,
      @Nullable String searchTerm,
      List<TimeFilter> times,
      Order orderBy,
      boolean descending,
      int skip,
      int take) {}

  /** Takes instances by one of their times; one that has no such time is never taken. */
  public record TimeFilter(TimeColumn column, TimeOperator operator, Instant at) {}

  public enum TimeColumn {
    CreatedAt("created_at"),
    UpdatedAt("updated_at"),
    FinishedAt("finished_at");

    private final String column;

    TimeColumn(String column) {
      this.column = column;
    }
  }

  public enum TimeOperator {
    Is("="),
    IsNot("<>"),
    GreaterThan(">"),
    GreaterThanOrEqual(">="),
    LessThan("<"),
    LessThanOrEqual("<=");

    private final String sql;

    TimeOperator(String sql) {
      this.sql = sql;
    }
  }

  public enum Order {
    Created("created_at"),
    UpdatedAt("updated_at"),
    Finished("finished_at"),
    Name("name");

    private final String column;

    Order(String column) {
      this.column = column;
    }
  }

  /** {@code total}: how many there are in all. */
  public record Page(List<Summary> items, long total) {}

  private static final String MATCH =
      """
        from workflow_instances
       where ($1::text[] is null or definition_id = any($1))
         and ($2::text[] is null or id = any($2))
         and ($3::text[] is null or status = any($3))
         and ($4::text is null or correlation_id = $4)
         and ($5::text is null or name = $5)
         and ($6::text is null or parent_id = $6)
         and ($7::int is null or version = $7)
         and ($8::boolean is null or (incident_count > 0) = $8)
         and ($9::text is null or name ilike '%' || $9 || '%' or id = $9 or definition_id = $9
              or correlation_id = $9)
      """;

  private static final int MATCH_PARAMETERS = 9;

  private static String times(Query query) {
    var conditions = new StringBuilder();
    int next = MATCH_PARAMETERS;
    for (var filter : query.times()) {
      conditions
          .append(" and ")
          .append(filter.column().column)
          .append(' ')
          .append(filter.operator().sql)
          .append(" $")
          .append(++next);
    }
    return conditions.toString();
  }

  private static final String COLUMNS =
      """
      select id, definition_id, definition_version_id, version, status, correlation_id, name,
             parent_id, incident_count, created_at, updated_at, finished_at
      """;

  private static final String UNFINISHED_CHILDREN =
      "select id from workflow_instances where parent_id = $1 and finished_at is null limit $2";

  public Future<List<InstanceId>> unfinishedChildren(InstanceId parent, int max) {
    return database
        .run("look for children", UNFINISHED_CHILDREN, Tuple.of(parent.value(), max))
        .map(rows -> {
          var ids = new ArrayList<InstanceId>();
          rows.forEach(row -> ids.add(new InstanceId(row.getString(0))));
          return ids;
        });
  }

  private static final String IS_CANCELLED =
      "select from workflow_instances where id = $1 and status = 'Cancelled'";

  public Future<Boolean> isCancelled(InstanceId id) {
    return database
        .run("look at instance " + id, IS_CANCELLED, Tuple.of(id.value()))
        .map(rows -> rows.size() > 0);
  }

  public Future<Page> list(Query query) {
    var order = query.orderBy().column + (query.descending() ? " desc" : " asc");
    int next = MATCH_PARAMETERS + query.times().size() + 1;
    var sql =
        COLUMNS
            + MATCH
            + times(query)
            + " order by "
            + order
            + " nulls last, id limit $"
            + next
            + " offset $"
            + (next + 1);
    var parameters = match(query).addInteger(query.take()).addInteger(query.skip());
    return database
        .run("list instances", sql, parameters)
        .compose(rows -> {
          var items = new ArrayList<Summary>();
          rows.forEach(row -> items.add(summary(row)));
          return count(query).map(total -> new Page(items, total));
        });
  }

  private Future<Long> count(Query query) {
    return database
        .run("count instances", "select count(*) " + MATCH + times(query), match(query))
        .map(rows -> rows.iterator().next().getLong(0));
  }

  private static Tuple match(Query query) {
    var parameters =
        Tuple.tuple()
            .addValue(texts(query.definitionIds()))
            .addValue(texts(query.ids()))
            .addValue(texts(query.statuses().stream().map(Enum::name).toList()))
            .addString(query.correlationId())
            .addString(query.name())
            .addString(query.parentId())
            .addInteger(query.version())
            .addBoolean(query.hasIncidents())
            .addString(query.searchTerm());
    query.times().forEach(filter -> parameters.addValue(Database.timestamp(filter.at())));
    return parameters;
  }

  private static String @Nullable [] texts(List<String> values) {
    return values.isEmpty() ? null : values.toArray(String[]::new);
  }

  private static Summary summary(Row row) {
    return new Summary(
        new InstanceId(row.getString("id")),
        row.getString("definition_id"),
        row.getString("definition_version_id"),
        row.getInteger("version"),
        WorkflowStatus.valueOf(row.getString("status")),
        row.getString("correlation_id"),
        row.getString("name"),
        row.getString("parent_id"),
        row.getInteger("incident_count"),
        row.getOffsetDateTime("created_at").toInstant(),
        row.getOffsetDateTime("updated_at").toInstant(),
        Database.instant(row.getOffsetDateTime("finished_at")));
  }

  private static final String JOURNAL =
      "select entries::text from journal where workflow_instance_id = $1 order by revision";

  /** Every journal line of an instance, in order. */
  public Future<List<JournalEntry>> journal(InstanceId id) {
    return database
        .run("read the journal of " + id, JOURNAL, Tuple.of(id.value()))
        .map(rows -> {
          var entries = new ArrayList<JournalEntry>();
          for (var row : rows) {
            var array = JsonText.parse(row.getString(0), JsonLimits.STORED);
            if (array != null) {
              entries.addAll(JournalJson.parse(array));
            }
          }
          return entries;
        });
  }

  private static final String COMMITTED_AT =
      "select revision from journal where workflow_instance_id = $1 and commit_id = $2";

  /** The revision that this commit made; null when it never landed. */
  public Future<@Nullable Long> revisionOf(InstanceId id, UUID commitId) {
    return database
        .run("look for commit " + commitId, COMMITTED_AT, Tuple.of(id.value(), commitId))
        .map(rows -> {
          for (var row : rows) {
            return row.getLong(0);
          }
          return null;
        });
  }

  private static final String DELETE =
      """
      with gone as (delete from workflow_instances where id = $1 returning id),
           marks as (delete from bookmarks where workflow_instance_id = $1),
           due as (delete from timers where workflow_instance_id = $1),
           lines as (delete from journal where workflow_instance_id = $1)
      select id from gone
      """;

  /** Removes an instance and all that is its own; false when there was none. */
  public Future<Boolean> delete(InstanceId id) {
    return database
        .run("delete instance " + id, DELETE, Tuple.of(id.value()))
        .map(rows -> rows.size() > 0);
  }
}
