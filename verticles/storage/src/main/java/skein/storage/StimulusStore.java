package skein.storage;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.model.BookmarkId;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.model.Transition;

/** Finds who waits for a stimulus, and hands events to many of them durably. Thread-safe. */
public final class StimulusStore implements StimulusRows {
  private final Database database;

  public StimulusStore(Database database) {
    this.database = database;
  }

  /** In the order of the index, so that no more are read than are wanted. */
  static final String WAITING =
      "select id from bookmarks where hash = $1 order by correlation_id limit $2";

  static final String WAITING_CORRELATED =
      "select id from bookmarks where hash = $1 and correlation_id = $2 limit $3";

  /**
   * The ids of an instance's bookmarks begin with its own and a dash; behind it comes the dot. The
   * hash is hidden from its index, in which a million others may wait.
   */
  static final String WAITING_IN_INSTANCE =
      """
      select id from bookmarks
       where id >= $2::text || '-' and id < $2 || '.' and workflow_instance_id = $2
         and hash || '' = $1 and ($3::text is null or correlation_id = $3)
       limit $4
      """;

  /**
   * Bookmarks that wait for a stimulus, in order of their ids.
   *
   * @param correlationId null means any
   * @param instanceId null means any
   * @param max more than so many are left out, whichever they are
   */
  @Override
  public Future<List<BookmarkId>> waiting(
      String hash, @Nullable String correlationId, @Nullable InstanceId instanceId, int max) {
    return waitingRows(hash, correlationId, instanceId, max)
        .map(rows -> {
          var ids = new ArrayList<String>();
          rows.forEach(row -> ids.add(row.getString(0)));
          return ids.stream().sorted().map(BookmarkId::parse).toList();
        });
  }

  private Future<RowSet<Row>> waitingRows(
      String hash, @Nullable String correlationId, @Nullable InstanceId instanceId, int max) {
    var what = "look for bookmarks";
    if (instanceId != null) {
      var parameters = Tuple.of(hash, instanceId.value(), correlationId, max);
      return database.run(what, WAITING_IN_INSTANCE, parameters);
    }
    return correlationId == null
        ? database.run(what, WAITING, Tuple.of(hash, max))
        : database.run(what, WAITING_CORRELATED, Tuple.of(hash, correlationId, max));
  }

  /** A trigger that matches, as far as a start needs it. */
  public record Match(String triggerId, String definitionId, String versionId, String activityId) {}

  static final String TRIGGERS =
      """
      select id, workflow_definition_id, workflow_definition_version_id, activity_id
        from triggers where hash = $1 order by id
      """;

  @Override
  public Future<List<Match>> triggers(String hash) {
    return database
        .run("look for triggers", TRIGGERS, Tuple.of(hash))
        .map(rows -> {
          var found = new ArrayList<Match>();
          for (Row row : rows) {
            found.add(
                new Match(row.getString(0), row.getString(1), row.getString(2), row.getString(3)));
          }
          return found;
        });
  }

  /** The leader repeats deliveries in their order, 500 a second: behind whoever serves them. */
  private static final String DELIVER =
      """
      with gone as (delete from timers where id = $1 returning 1)
      insert into timers (id, due_at, workflow_instance_id, kind, payload)
      select t.id, clock_timestamp() + make_interval(secs => $2 + 0.002 * (t.place - 1)),
             t.instance_id, t.kind, t.payload::json
        from unnest($3::text[], $4::text[], $5::text[], $6::text[])
             with ordinality as t (id, instance_id, kind, payload, place)
       where $1 = '' or exists (select from gone)
      on conflict (id) do nothing
      """;

  /** Done before under the same claim counts as done. */
  private static final String DELIVER_ONCE =
      """
      with held as materialized (
        select 1 from idempotency_keys
         where key = $6 and claim = $7 and reply is null and status is null for update
      ), answered as (
        update idempotency_keys set reply = $8, complete = $9, body = $10
         where key = $6 and claim = $7 and exists (select from held)
      ), made as (
        insert into timers (id, due_at, workflow_instance_id, kind, payload)
        select t.id, clock_timestamp() + make_interval(secs => $1 + 0.002 * (t.place - 1)),
               t.instance_id, t.kind, t.payload::json
          from unnest($2::text[], $3::text[], $4::text[], $5::text[])
               with ordinality as t (id, instance_id, kind, payload, place)
         where exists (select from held)
        on conflict (id) do nothing
      )
      select exists (select from held)
          or exists (select from idempotency_keys
                      where key = $6 and claim = $7 and reply is not null)
      """;

  private @Nullable String payload(Timer delivery) {
    return TimerStore.payload(delivery, database.values());
  }

  @Override
  public Future<Boolean> deliverOnce(
      Transition.Kept kept, UUID claim, List<Timer> deliveries, Buffer list, double graceSeconds) {
    var parameters =
        Tuple.of(graceSeconds)
            .addValue(deliveries.stream().map(Timer::id).toArray(String[]::new))
            .addValue(deliveries.stream().map(t -> t.instanceId().value()).toArray(String[]::new))
            .addValue(deliveries.stream().map(t -> t.kind().name()).toArray(String[]::new))
            .addValue(deliveries.stream().map(this::payload).toArray(String[]::new))
            .addString(kept.key())
            .addUUID(claim)
            .addBuffer(
                database
                    .values()
                    .seal(StoredValues.Place.reply(kept.key()), Buffer.buffer(kept.reply())))
            .addBoolean(kept.complete())
            .addBuffer(list);
    return database
        .run("deliver an event once", DELIVER_ONCE, parameters)
        .map(rows -> rows.iterator().next().getBoolean(0));
  }

  /**
   * Makes one timer of each delivery of an event, and removes the event's own, in one transaction:
   * from here on each receiver is served exactly once. Without the event's own timer nothing is
   * made: it was delivered before, and who waits by now waits for the next event.
   *
   * @param eventTimerId the event's timer; empty when the event came from outside
   * @param graceSeconds until the leader repeats a delivery whose nudge was lost
   */
  @Override
  public Future<Void> deliver(String eventTimerId, List<Timer> deliveries, double graceSeconds) {
    var parameters =
        Tuple.of(
            eventTimerId,
            graceSeconds,
            deliveries.stream().map(Timer::id).toArray(String[]::new),
            deliveries.stream().map(t -> t.instanceId().value()).toArray(String[]::new),
            deliveries.stream().map(t -> t.kind().name()).toArray(String[]::new),
            deliveries.stream().map(this::payload).toArray(String[]::new));
    return database.run("deliver an event", DELIVER, parameters).mapEmpty();
  }
}
