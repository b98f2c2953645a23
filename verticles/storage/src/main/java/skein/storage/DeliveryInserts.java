package skein.storage;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.model.Timer;
import skein.model.Transition;

/**
 * Writes the deliveries of one event in one transaction. What fits in one portion is one statement;
 * more is written a portion at a time, so that neither memory nor an event loop has to do with all
 * of them at once. Thread-safe.
 */
final class DeliveryInserts {
  /** The rows of one statement. */
  static final int ROWS_MAX = 500;

  /** Written in a second at least: they are seen, and served, when the last of them is written. */
  private static final double ROWS_PER_SECOND_MIN = 10_000;

  /** The characters of the payloads of one statement, which has one payload at least. */
  static final int CHARS_MAX = 1 << 20;

  private final Database database;

  DeliveryInserts(Database database) {
    this.database = database;
  }

  /**
   * Selects the rows of a portion, the arrays of which begin with parameter $1. The leader repeats
   * deliveries in their order, 500 a second: behind the node that serves them.
   */
  private static final String ROWS =
      """
      select t.id, clock_timestamp() + make_interval(secs => $5::float8 + 0.002 * ($6 + t.place - 1)),
             t.instance_id, t.kind, t.payload::json
        from unnest($1::text[], $2::text[], $3::text[], $4::text[])
             with ordinality as t (id, instance_id, kind, payload, place)
      """;

  private static final String INSERT =
      "insert into timers (id, due_at, workflow_instance_id, kind, payload) ";

  private static final String SINGLE = " on conflict (id) do nothing";

  /** Those that follow the first. */
  private static final String MORE = INSERT + ROWS + SINGLE;

  private static final String FIRST_OF_EVENT =
      "with gone as (delete from timers where id = $7 returning 1), made as ("
          + INSERT
          + ROWS
          + " where $7 = '' or exists (select from gone)"
          + SINGLE
          + ") select $7 = '' or exists (select from gone) as writes, true as done";

  /** Done before under the same claim counts as done. */
  private static final String FIRST_WITH_KEY =
      """
      with held as materialized (
        select 1 from idempotency_keys
         where key = $7 and claim = $8 and reply is null and status is null for update
      ), answered as (
        update idempotency_keys set reply = $9, complete = $10, body = $11
         where key = $7 and claim = $8 and exists (select from held)
      ), made as (
      """
          + INSERT
          + ROWS
          + " where exists (select from held)"
          + SINGLE
          + """
          )
          select exists (select from held) as writes,
                 exists (select from held)
              or exists (select from idempotency_keys
                          where key = $7 and claim = $8 and reply is not null) as done
          """;

  /** As {@link StimulusRows#deliver}. */
  Future<Void> ofEvent(String eventTimerId, List<Timer> deliveries, double graceSeconds) {
    return new Writing("deliver an event", FIRST_OF_EVENT, deliveries, graceSeconds)
        .write(Tuple.of(eventTimerId))
        .mapEmpty();
  }

  /** As {@link StimulusRows#deliverOnce}. */
  Future<Boolean> withKey(
      Transition.Kept kept, UUID claim, List<Timer> deliveries, Buffer list, double graceSeconds) {
    var place = StoredValues.Place.reply(kept.key());
    var reply = database.values().seal(place, Buffer.buffer(kept.reply()));
    return new Writing("deliver an event once", FIRST_WITH_KEY, deliveries, graceSeconds)
        .write(Tuple.of(kept.key(), claim, reply, kept.complete(), list));
  }

  /** One transaction. */
  private final class Writing {
    private final String what;
    private final String first;
    private final List<Timer> deliveries;
    private final double graceSeconds;

    /** The index of the first that is in no portion yet. */
    private int next;

    Writing(String what, String first, List<Timer> deliveries, double graceSeconds) {
      this.what = what;
      this.first = first;
      this.deliveries = deliveries;
      this.graceSeconds = graceSeconds + deliveries.size() / ROWS_PER_SECOND_MIN;
    }

    /** {@code own}: further parameters of the first statement. Answers whether it is written. */
    Future<Boolean> write(Tuple own) {
      var parameters = portion();
      for (int i = 0; i < own.size(); i++) {
        parameters.addValue(own.getValue(i));
      }
      if (next == deliveries.size()) {
        return database.run(what, first, parameters).map(rows -> said(rows, "done"));
      }
      return database.inTransaction(
          what,
          connection ->
              database
                  .run(connection, what, first, parameters)
                  .compose(rows -> {
                    var done = said(rows, "done");
                    return said(rows, "writes")
                        ? rest(connection).map(done)
                        : Future.succeededFuture(done);
                  }));
    }

    private Future<Void> rest(SqlClient connection) {
      return next == deliveries.size()
          ? Future.succeededFuture()
          : database.run(connection, what, MORE, portion()).compose(_ -> rest(connection));
    }

    private Tuple portion() {
      int from = next;
      var payloads = new ArrayList<@Nullable String>();
      int chars = 0;
      while (next < deliveries.size() && payloads.size() < ROWS_MAX) {
        var payload = TimerStore.payload(deliveries.get(next), database.values());
        chars += payload == null ? 0 : payload.length();
        if (chars > CHARS_MAX && next > from) {
          break;
        }
        payloads.add(payload);
        next++;
      }
      var those = deliveries.subList(from, next);
      return Tuple.tuple()
          .addValue(those.stream().map(Timer::id).toArray(String[]::new))
          .addValue(those.stream().map(t -> t.instanceId().value()).toArray(String[]::new))
          .addValue(those.stream().map(t -> t.kind().name()).toArray(String[]::new))
          .addValue(payloads.toArray(String[]::new))
          .addDouble(graceSeconds)
          .addInteger(from);
    }
  }

  private static boolean said(RowSet<Row> rows, String column) {
    return rows.iterator().next().getBoolean(column);
  }
}
