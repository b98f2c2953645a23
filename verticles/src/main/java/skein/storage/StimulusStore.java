package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.model.BookmarkId;
import skein.model.InstanceId;
import skein.model.Timer;

/** Finds who waits for a stimulus, and hands events to many of them durably. Thread-safe. */
public final class StimulusStore {
  private final Database database;

  public StimulusStore(Database database) {
    this.database = database;
  }

  private static final String WAITING =
      """
      select id from bookmarks
       where hash = $1
         and ($2::text is null or correlation_id = $2)
         and ($3::text is null or workflow_instance_id = $3)
       order by id limit $4
      """;

  /**
   * Bookmarks that wait for a stimulus.
   *
   * @param correlationId null means any
   * @param instanceId null means any
   */
  public Future<List<BookmarkId>> waiting(
      String hash, @Nullable String correlationId, @Nullable InstanceId instanceId, int max) {
    var parameters =
        Tuple.of(hash, correlationId, instanceId == null ? null : instanceId.value(), max);
    return database
        .run("look for bookmarks", WAITING, parameters)
        .map(rows -> {
          var found = new ArrayList<BookmarkId>();
          rows.forEach(row -> found.add(BookmarkId.parse(row.getString(0))));
          return found;
        });
  }

  /** A trigger that matches, as far as a start needs it. */
  public record Match(String triggerId, String definitionId, String versionId, String activityId) {}

  private static final String TRIGGERS =
      """
      select id, workflow_definition_id, workflow_definition_version_id, activity_id
        from triggers where hash = $1 order by id
      """;

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

  private static final String DELIVER =
      """
      with gone as (delete from timers where id = $1)
      insert into timers (id, due_at, workflow_instance_id, kind, payload)
      select t.id, clock_timestamp() + make_interval(secs => $2), t.instance_id, t.kind, t.payload::json
        from unnest($3::text[], $4::text[], $5::text[], $6::text[])
          as t (id, instance_id, kind, payload)
      on conflict (id) do nothing
      """;

  /**
   * Makes one timer of each delivery of an event, and removes the event's own, in one transaction:
   * from here on each receiver is served exactly once.
   *
   * @param eventTimerId the event's timer; empty when the event came from outside
   * @param graceSeconds until the leader repeats a delivery whose nudge was lost
   */
  public Future<Void> deliver(String eventTimerId, List<Timer> deliveries, double graceSeconds) {
    var parameters =
        Tuple.of(
            eventTimerId,
            graceSeconds,
            deliveries.stream().map(Timer::id).toArray(String[]::new),
            deliveries.stream().map(t -> t.instanceId().value()).toArray(String[]::new),
            deliveries.stream().map(t -> t.kind().name()).toArray(String[]::new),
            deliveries.stream().map(t -> JsonText.print(t.payload())).toArray(String[]::new));
    return database.run("deliver an event", DELIVER, parameters).mapEmpty();
  }
}
