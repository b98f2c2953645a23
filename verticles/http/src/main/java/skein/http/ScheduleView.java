package skein.http;

import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.ScheduleJson;
import skein.model.InstanceId;
import skein.model.Schedule;
import skein.model.Timetable;
import skein.schedules.ScheduleRules;

/** Schedules as the API shows them. */
final class ScheduleView {
  private ScheduleView() {}

  static Map<String, @Nullable Object> of(Schedule schedule) {
    var state = schedule.state();
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", schedule.id());
    json.put("origin", schedule.origin().name());
    json.put("status", status(state));
    json.putAll(ScheduleJson.target(schedule.target()));
    json.putAll(ScheduleJson.rule(schedule.timetable()));
    json.putAll(ScheduleJson.policies(schedule.timetable().policies()));
    json.put("paused", state.paused());
    json.put("note", state.note());
    json.put("nextAt", text(state.nextAt()));
    json.put("lastAt", text(state.lastAt()));
    json.put("lastWorkflowInstanceId", id(state.lastInstanceId()));
    json.put("runningWorkflowInstanceId", id(state.running()));
    json.put("buffered", ScheduleJson.run(state.buffered()));
    var counts = new LinkedHashMap<String, @Nullable Object>();
    counts.put("started", state.counts().started());
    counts.put("skipped", state.counts().skipped());
    counts.put("missed", state.counts().missed());
    counts.put("cancelled", state.counts().cancelled());
    counts.put("failed", state.counts().failed());
    json.put("counts", counts);
    json.put("revision", schedule.revision());
    json.put("createdAt", schedule.createdAt().toString());
    json.put("updatedAt", schedule.updatedAt().toString());
    return json;
  }

  private static String status(Schedule.State state) {
    if (state.paused()) {
      return "Paused";
    }
    return state.nextAt() == null ? "Ended" : "Active";
  }

  private static @Nullable String text(@Nullable Instant at) {
    return at == null ? null : at.toString();
  }

  private static @Nullable String id(@Nullable InstanceId id) {
    return id == null ? null : id.value();
  }

  /** Instants with what clocks of the zone show, and when each is due with its jitter. */
  static Map<String, @Nullable Object> instants(
      String scheduleId, Timetable timetable, Instant from, int count) {
    var rules = ScheduleRules.of(timetable);
    var found = rules.list(from, null, count);
    var items = found.stream().map(at -> instant(scheduleId, timetable, rules, at)).toList();
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("timeZone", timetable.zone().getId());
    json.put("items", items);
    return json;
  }

  private static Map<String, @Nullable Object> instant(
      String scheduleId, Timetable timetable, ScheduleRules rules, Instant at) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("at", at.toString());
    json.put("local", ZonedDateTime.ofInstant(at, timetable.zone()).toOffsetDateTime().toString());
    json.put("dueAt", rules.dueAt(scheduleId, at).toString());
    return json;
  }

  static List<Map<String, @Nullable Object>> all(List<Schedule> schedules) {
    return schedules.stream().map(ScheduleView::of).toList();
  }
}
