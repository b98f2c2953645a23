package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;

/** Finds the user tasks that wait, by an index on who may perform them. Thread-safe. */
public final class TaskStore {
  private static final Logger log = LoggerFactory.getLogger(TaskStore.class);

  private final Database database;

  private final ReadLimit limit;

  public TaskStore(Database database) {
    this(database, ReadLimit.OF_HEAP);
  }

  TaskStore(Database database, ReadLimit limit) {
    this.database = database;
    this.limit = limit;
  }

  /**
   * A task that waits.
   *
   * @param task the payload of its bookmark
   */
  public record Task(
      InstanceId instanceId,
      String definitionId,
      String versionId,
      int version,
      @Nullable String correlationId,
      @Nullable String instanceName,
      Map<String, @Nullable Object> task) {}

  /**
   * Which tasks; an empty list or null does not restrict.
   *
   * @param subjects a task has at least one of them: {@code user:…} or {@code group:…}
   * @param claimed a task has it: {@code claimed:…}
   * @param dueBefore tasks without a due date are never taken by it
   * @param skip 0 or more
   * @param take 1 to 1,000
   */
  public record Query(
      List<String> subjects,
      @Nullable String claimed,
      List<String> definitionIds,
      @Nullable Instant dueBefore,
      int skip,
      int take) {}

  /** Tasks that are counted beyond those that a page skips. */
  private static final int COUNT_MAX = 10_000;

  /** {@code total}: how many there are in all, at most 10,000 more than were skipped. */
  public record Page(List<Task> items, long total) {}

  private static final String COLUMNS =
      """
      select i.id, i.definition_id, i.definition_version_id, i.version, i.correlation_id, i.name,
             b.task::text as task, b.id as bookmark_id
      """;

  private static final int BOOKMARK_ID = 7;

  private static final String FROM =
      """
        from bookmarks b join workflow_instances i on i.id = b.workflow_instance_id
       where true
      """;

  /**
   * All tasks, by the index on their age. Not said where subjects are asked for, or the tasks of a
   * tenant: that index would seem as good as theirs.
   */
  private static final String FROM_ALL = FROM + " and b.task is not null\n";

  /** A query as SQL: conditions that are not asked for would keep the index from being used. */
  record Statement(String from, List<Object> parameters) {
    String page() {
      int next = parameters.size() + 1;
      var page =
          COLUMNS.stripTrailing()
              + ", b.created_at "
              + from
              + " order by b.created_at, b.id limit $%d offset $%d".formatted(next, next + 1);
      return """
      select id, definition_id, definition_version_id, version, correlation_id, name,
             case when %s then task end, bookmark_id
        from (%s) page order by created_at, bookmark_id
      """
          .formatted(ReadLimit.fits("task", "created_at, bookmark_id", next + 2), page);
    }

    Tuple pageParameters(Query query, ReadLimit limit) {
      return tuple().addInteger(query.take()).addInteger(query.skip()).addInteger(limit.bytesMax());
    }

    String count() {
      return "select count(*) from (select 1 %s limit $%d) as found"
          .formatted(from, parameters.size() + 1);
    }

    Tuple countParameters(Query query) {
      return tuple().addLong((long) query.skip() + COUNT_MAX);
    }

    private Tuple tuple() {
      var tuple = Tuple.tuple();
      parameters.forEach(tuple::addValue);
      return tuple;
    }

    private Statement and(String condition, Object value) {
      var more = new ArrayList<>(parameters);
      more.add(value);
      return new Statement(from + " and " + condition.formatted(more.size()) + "\n", more);
    }
  }

  /**
   * Compared as text of one length: a value in a task that is not an instant does not fail the
   * statement.
   */
  private static final String DUE =
      "rpad(rtrim(b.task ->> 'dueAt', 'Z')"
          + " || case when strpos(b.task ->> 'dueAt', '.') = 0 then '.' else '' end, 29, '0')"
          + " collate \"C\"";

  private static final Instant DUE_LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

  private static final DateTimeFormatter DUE_TEXT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  static Statement statement(Query query, TenantScope scope) {
    boolean all = query.subjects().isEmpty() && query.claimed() == null;
    boolean allOfTenant = all && !scope.owner().isEmpty();
    var statement = new Statement(all && !allOfTenant ? FROM_ALL : FROM, List.of());
    var tenant = scope.tenant();
    if (tenant != null) {
      statement = statement.and(allOfTenant ? "b.task_tenant = $%d" : "i.tenant_id = $%d", tenant);
    }
    if (!query.subjects().isEmpty()) {
      statement = statement.and("b.subjects && $%d::text[]", texts(query.subjects()));
    }
    if (query.claimed() != null) {
      statement = statement.and("b.subjects @> $%d::text[]", texts(List.of(query.claimed())));
    }
    if (!query.definitionIds().isEmpty()) {
      statement = statement.and("i.definition_id = any($%d)", texts(query.definitionIds()));
    }
    if (query.dueBefore() != null) {
      statement =
          statement.and(DUE + " < $%d", DUE_TEXT.format(earlier(query.dueBefore(), DUE_LAST)));
    }
    return statement;
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private static String[] texts(List<String> texts) {
    return texts.toArray(String[]::new);
  }

  /**
   * Oldest first. Of a task that cannot be read there is the id alone. Fails with {@code TOO_LARGE}
   * when they are more than one request may read.
   */
  public Future<Page> page(Query query, TenantScope scope) {
    var statement = statement(query, scope);
    return database
        .run("list tasks", statement.page(), statement.pageParameters(query, limit))
        .compose(rows -> {
          var items = new ArrayList<Task>();
          rows.forEach(row -> items.add(listed(row)));
          return query.skip() == 0 && items.size() < query.take()
              ? Future.succeededFuture(new Page(items, items.size()))
              : count(statement, query).map(total -> new Page(items, total));
        });
  }

  private Future<Long> count(Statement statement, Query query) {
    return database
        .run("count tasks", statement.count(), statement.countParameters(query))
        .map(rows -> rows.iterator().next().getLong(0));
  }

  static final String FIND = COLUMNS + FROM_ALL + " and b.id = $1";

  /** Null when no such task waits. */
  public Future<@Nullable Task> find(BookmarkId id) {
    return database
        .run("read task " + id, FIND, Tuple.of(id.toString()))
        .map(rows -> {
          for (var row : rows) {
            return task(row, payload(row, text(row)));
          }
          return null;
        });
  }

  /** One that cannot be read must not keep the others from whose they are. */
  private Task listed(Row row) {
    var text = text(row);
    try {
      return task(row, payload(row, text));
    } catch (SkeinException e) {
      if (e.code() == ErrorCode.ENCRYPTION_KEY_MISSING) {
        throw e; // It is not the task that is wrong.
      }
      var taskId = row.getString(BOOKMARK_ID);
      log.atError()
          .addKeyValue("taskId", taskId)
          .addKeyValue("cause", e.getMessage())
          .log("task.unreadable");
      return task(row, Map.of("taskId", taskId));
    }
  }

  private String text(Row row) {
    return limit.within(row.getString(6), "This page of tasks", "ask for fewer with take");
  }

  private Map<String, @Nullable Object> payload(Row row, String text) {
    var place = StoredValues.Place.task(BookmarkId.parse(row.getString(BOOKMARK_ID)));
    return database.values().openObject(place, text);
  }

  private static Task task(Row row, Map<String, @Nullable Object> payload) {
    return new Task(
        new InstanceId(row.getString(0)),
        row.getString(1),
        row.getString(2),
        row.getInteger(3),
        row.getString(4),
        row.getString(5),
        payload);
  }
}
