package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.model.InstanceId;
import skein.model.Timer;

/**
 * Deliveries of events that keep failing. Their timers are still there, and are tried again, each
 * time later. Thread-safe.
 */
public final class DeadLetterStore {
  /** Before this many attempts have failed, a delivery is not a dead letter. */
  public static final int ATTEMPTS_MIN = 3;

  /** Letters that are counted beyond those that a page skips. */
  private static final int COUNT_MAX = 10_000;

  private final Database database;

  public DeadLetterStore(Database database) {
    this.database = database;
  }

  /**
   * A delivery that keeps failing.
   *
   * @param id follows from that of its timer
   * @param bookmarkId that it would resume; null: it starts an instance, or has its receivers still
   *     to find
   * @param attempts that have failed, 30 at most
   */
  public record Letter(
      String id,
      String timerId,
      InstanceId instanceId,
      @Nullable String bookmarkId,
      @Nullable String correlationId,
      int attempts,
      Failures failures) {}

  /**
   * When and why it failed.
   *
   * @param since the first time
   * @param at the last time
   * @param code of the last refusal
   * @param message of the last refusal
   */
  public record Failures(Instant since, Instant at, String code, String message) {}

  /** {@code total}: how many there are in all, at most 10,000 more than were skipped. */
  public record Page(List<Letter> items, long total) {}

  private static final String COLUMNS =
      """
      select f.id, f.timer_id, f.failed_since, f.failed_at, f.code, f.message, t.workflow_instance_id,
             t.attempts, t.payload ->> 'bookmarkId' as bookmark_id,
             t.payload ->> 'correlationId' as correlation_id
      """;

  private static final String LETTERS =
      """
        from delivery_failures f join timers t on t.id = f.timer_id
       where t.attempts >= $1 and ($2::text is null or t.workflow_instance_id = $2)
      """;

  static final String LIST =
      COLUMNS + LETTERS + " order by f.failed_since desc, f.timer_id limit $3 offset $4";

  static final String COUNT = "select count(*) from (select 1" + LETTERS + " limit $3) as found";

  /**
   * Those that failed first most recently come first.
   *
   * @param instanceId null: of all
   */
  public Future<Page> page(@Nullable InstanceId instanceId, int skip, int take) {
    var instance = instanceId == null ? null : instanceId.value();
    return database
        .run("list dead letters", LIST, Tuple.of(ATTEMPTS_MIN, instance, take, skip))
        .compose(rows -> {
          var items = new ArrayList<Letter>();
          rows.forEach(row -> items.add(letter(row)));
          return database
              .run(
                  "count dead letters",
                  COUNT,
                  Tuple.of(ATTEMPTS_MIN, instance, (long) skip + COUNT_MAX))
              .map(counted -> new Page(items, counted.iterator().next().getLong(0)));
        });
  }

  static final String FIND =
      COLUMNS
          + """
            from delivery_failures f join timers t on t.id = f.timer_id
           where t.attempts >= $1 and f.id = $2
          """;

  /** Null when it is none, or has been delivered. */
  public Future<@Nullable Letter> find(String id) {
    return database
        .run("read a dead letter", FIND, Tuple.of(ATTEMPTS_MIN, id))
        .map(rows -> {
          for (var row : rows) {
            return letter(row);
          }
          return null;
        });
  }

  private static Letter letter(Row row) {
    return new Letter(
        row.getString("id"),
        row.getString("timer_id"),
        new InstanceId(row.getString("workflow_instance_id")),
        row.getString("bookmark_id"),
        row.getString("correlation_id"),
        row.getInteger("attempts"),
        new Failures(
            row.getOffsetDateTime("failed_since").toInstant(),
            row.getOffsetDateTime("failed_at").toInstant(),
            row.getString("code"),
            row.getString("message")));
  }

  static final String DELETE =
      """
      with gone as (
        delete from timers
         where id = (select timer_id from delivery_failures where id = $1) and attempts >= $2
        returning id
      )
      delete from delivery_failures where timer_id in (select id from gone)
      """;

  /**
   * Gives a delivery up, but for an attempt that a leader knows of already. False when there is no
   * such letter.
   */
  public Future<Boolean> delete(String id) {
    return database
        .run("delete a dead letter", DELETE, Tuple.of(id, ATTEMPTS_MIN))
        .map(rows -> rows.rowCount() > 0);
  }

  /** The kinds of timers that are deliveries of events. */
  private static boolean isDelivery(Timer timer) {
    return switch (timer.kind()) {
      case Event, Resume, Trigger -> true;
      case Bookmark,
          Start,
          Child,
          ChildDone,
          Alter,
          CancelChildren,
          Schedule,
          ScheduleStart,
          ScheduleDone,
          Cancel ->
          false;
    };
  }

  static final String FAILED =
      """
      insert into delivery_failures (timer_id, code, message)
      select id, $2, $3 from timers where id = $1
      on conflict (timer_id) do update
         set failed_at = clock_timestamp(), code = excluded.code, message = excluded.message
      """;

  private static final int MESSAGE_CHARS_MAX = 1_000;

  /** Notes why a delivery could not be made now; without effect for other timers. */
  Future<Void> failed(Timer timer, String code, String message) {
    if (!isDelivery(timer)) {
      return Future.succeededFuture();
    }
    var text =
        message.length() > MESSAGE_CHARS_MAX ? message.substring(0, MESSAGE_CHARS_MAX) : message;
    return database
        .run("note a failed delivery", FAILED, Tuple.of(timer.id(), code, text))
        .mapEmpty();
  }

  static final String FORGET =
      """
      delete from delivery_failures
       where timer_id = any (array(
         select f.timer_id from delivery_failures f
          where not exists (select from timers t where t.id = f.timer_id) limit $1))
      """;

  /** Removes the notes on deliveries that were made after all; returns how many. */
  Future<Integer> forgetDelivered(int max) {
    return database.run("forget failed deliveries", FORGET, Tuple.of(max)).map(SqlResult::rowCount);
  }
}
