package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.Timer;

/** Shows pending timers, by due time. Thread-safe. */
public final class TimerList {
  private final Database database;

  public TimerList(Database database) {
    this.database = database;
  }

  /**
   * Which timers; an empty list or null does not restrict.
   *
   * @param instanceId of this instance: its bookmarks, and its start
   * @param dueAfter inclusive
   * @param dueBefore exclusive
   * @param skip 0 or more
   * @param take 1 to 1,000
   */
  public record Query(
      List<Timer.Kind> kinds,
      @Nullable InstanceId instanceId,
      @Nullable Instant dueAfter,
      @Nullable Instant dueBefore,
      int skip,
      int take) {}

  /**
   * @param attempts to fire it that have failed
   * @param definitionId of its instance; null when that does not exist, or not yet
   */
  public record Entry(Timer timer, int attempts, @Nullable String definitionId) {}

  /** Timers that are counted beyond those that a page skips. */
  private static final int COUNT_MAX = 10_000;

  /**
   * Without payloads. {@code total}: how many there are in all, at most 10,000 more than were
   * skipped.
   */
  public record Page(List<Entry> items, long total) {}

  private static final String COLUMNS = columns("t.payload::text");

  /** Lists show no payloads, each of which may be megabytes. */
  private static final String LISTED = columns("null::text");

  private static String columns(String payload) {
    return """
    select t.id, t.due_at, t.workflow_instance_id, t.kind, %s as payload,
           t.attempts, (select definition_id from workflow_instances i
                         where i.id = t.workflow_instance_id) as definition_id
      from timers t
    """
        .formatted(payload);
  }

  /** There is no index on instances, but ids of bookmarks begin with theirs. */
  private static final String OF_INSTANCE =
      "((id > $%1$d::text || '-' and id < $%1$d::text || '.')"
          + " or id in ('start-' || $%1$d::text, 'child-' || $%1$d::text))"
          + " and workflow_instance_id = $%1$d::text";

  /** A query as SQL: conditions that are not asked for would keep the index from being used. */
  record Statement(String where, List<Object> parameters) {
    static Statement of(Query query) {
      var statement = new Statement(" where " + TimerStore.IS_KNOWN, List.of());
      if (query.instanceId() != null) {
        statement = statement.and(OF_INSTANCE, query.instanceId().value());
      }
      if (!query.kinds().isEmpty()) {
        var kinds = query.kinds().stream().map(Timer.Kind::name).toArray(String[]::new);
        statement = statement.and("kind = any($%d::text[])", kinds);
      }
      if (query.dueAfter() != null) {
        statement = statement.and("due_at >= $%d", at(query.dueAfter()));
      }
      if (query.dueBefore() != null) {
        statement = statement.and("due_at < $%d", at(query.dueBefore()));
      }
      return statement;
    }

    private static Object at(Instant instant) {
      return Objects.requireNonNull(Database.timestamp(instant));
    }

    private Statement and(String condition, Object value) {
      var more = new ArrayList<>(parameters);
      more.add(value);
      var word = where.isEmpty() ? " where " : " and ";
      return new Statement(where + word + condition.formatted(more.size()), more);
    }

    String page() {
      int next = parameters.size() + 1;
      return LISTED + where + " order by due_at, id limit $%d offset $%d".formatted(next, next + 1);
    }

    Tuple pageParameters(Query query) {
      return tuple().addInteger(query.take()).addInteger(query.skip());
    }

    String count() {
      return "select count(*) from (select 1 from timers%s limit $%d) as found"
          .formatted(where, parameters.size() + 1);
    }

    Tuple countParameters(Query query) {
      return tuple().addLong((long) query.skip() + COUNT_MAX);
    }

    private Tuple tuple() {
      var tuple = Tuple.tuple();
      parameters.forEach(tuple::addValue);
      return tuple;
    }
  }

  /** The next one due first. */
  public Future<Page> page(Query query) {
    var statement = Statement.of(query);
    return database
        .run("list timers", statement.page(), statement.pageParameters(query))
        .compose(rows -> {
          var items = new ArrayList<Entry>();
          rows.forEach(row -> items.add(entry(row)));
          return query.skip() == 0 && items.size() < query.take()
              ? Future.succeededFuture(new Page(items, items.size()))
              : count(statement, query).map(total -> new Page(items, total));
        });
  }

  private Future<Long> count(Statement statement, Query query) {
    return database
        .run("count timers", statement.count(), statement.countParameters(query))
        .map(rows -> rows.iterator().next().getLong(0));
  }

  static final String FIND = COLUMNS + " where t.id = $1";

  /** Null when it is not pending. */
  public Future<@Nullable Entry> find(String id) {
    return database
        .run("read timer " + id, FIND, Tuple.of(id))
        .map(rows -> {
          for (var row : rows) {
            return entry(row);
          }
          return null;
        });
  }

  /** One that cannot be decrypted is shown as it is stored: the others are asked for, too. */
  private Timer shown(Timer timer) {
    try {
      return TimerStore.opened(timer, database.values());
    } catch (SkeinException _) {
      return timer;
    }
  }

  private Entry entry(Row row) {
    return new Entry(
        shown(TimerStore.timer(row)), row.getInteger("attempts"), row.getString("definition_id"));
  }
}
