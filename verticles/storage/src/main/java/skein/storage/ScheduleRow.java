package skein.storage;

import io.vertx.sqlclient.Row;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import skein.codecs.ScheduleJson;
import skein.model.InstanceId;
import skein.model.Schedule;
import skein.model.Schedule.Counts;

/** A row of schedules as a record. */
final class ScheduleRow {
  static final String COLUMNS = columns("s.target::text");

  static String columns(String target) {
    return """
    s.id, s.origin, s.rule::text as rule, s.policies::text as policies, %s as target,
    s.paused, s.note, s.next_at, s.last_at, s.last_instance_id, s.running_instance_id,
    s.buffered::text as buffered, s.started, s.skipped, s.missed, s.cancelled, s.failed,
    s.revision, s.created_at, s.updated_at, s.tenant_id\
    """
        .formatted(target);
  }

  private ScheduleRow() {}

  static Schedule read(Row row) {
    var state =
        new Schedule.State(
            row.getBoolean("paused"),
            row.getString("note"),
            Database.instant(row.getOffsetDateTime("next_at")),
            Database.instant(row.getOffsetDateTime("last_at")),
            instanceId(row.getString("last_instance_id")),
            instanceId(row.getString("running_instance_id")),
            ScheduleJson.readRun(row.getString("buffered")),
            new Counts(
                row.getLong("started"),
                row.getLong("skipped"),
                row.getLong("missed"),
                row.getLong("cancelled"),
                row.getLong("failed")));
    return new Schedule(
        row.getString("id"),
        Schedule.Origin.valueOf(row.getString("origin")),
        ScheduleJson.timetable(row.getString("rule"), row.getString("policies")),
        ScheduleJson.readTarget(row.getString("target")).of(row.getString("tenant_id")),
        state,
        row.getLong("revision"),
        instant(row.getOffsetDateTime("created_at")),
        instant(row.getOffsetDateTime("updated_at")));
  }

  private static Instant instant(@Nullable OffsetDateTime time) {
    return Objects.requireNonNull(Database.instant(time));
  }

  private static @Nullable InstanceId instanceId(@Nullable String text) {
    return text == null ? null : new InstanceId(text);
  }
}
