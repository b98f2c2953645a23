package skein.http;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import skein.model.Schedule;
import skein.model.SkeinException;
import skein.model.Timetable;
import skein.schedules.ScheduleForm;
import skein.schedules.ScheduleLimits;

/** Reads schedules from bodies. What is not known is refused: a slip must not change the rule. */
final class ScheduleBody {
  private static final List<String> RULE =
      List.of(
          "cron",
          "interval",
          "anchor",
          "dates",
          "timeZone",
          "startAt",
          "endAt",
          "jitter",
          "misfirePolicy",
          "catchUpMax",
          "overlapPolicy");

  private static final Set<String> TARGET =
      Set.of("definitionid", "definitionversionid", "activityid", "input", "correlationid");

  /** Shown, and taken without a word: what was read may be sent back. */
  private static final Set<String> SHOWN =
      Set.of(
          "id",
          "origin",
          "status",
          "paused",
          "note",
          "nextat",
          "lastat",
          "lastworkflowinstanceid",
          "runningworkflowinstanceid",
          "buffered",
          "counts",
          "revision",
          "createdat",
          "updatedat",
          "count",
          "from");

  private static final Set<String> RULE_NAMES =
      RULE.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());

  private ScheduleBody() {}

  static Timetable timetable(Call call, Instant now, ScheduleLimits limits) {
    var body = call.body();
    refuseUnknown(body);
    var fields = Fields.of(body);
    var json = new LinkedHashMap<String, @Nullable Object>();
    RULE.forEach(name -> json.put(name, fields.value(name)));
    return ScheduleForm.read(json, now, limits);
  }

  private static void refuseUnknown(Map<String, @Nullable Object> body) {
    var errors = new ArrayList<String>();
    for (var name : body.keySet()) {
      var lower = name.toLowerCase(Locale.ROOT);
      if (!RULE_NAMES.contains(lower) && !TARGET.contains(lower) && !SHOWN.contains(lower)) {
        var shown = name.length() > 80 ? name.substring(0, 80) + "…" : name;
        errors.add(shown + ": a schedule has no such member");
      }
    }
    if (!errors.isEmpty()) {
      throw SkeinException.scheduleInvalid(errors);
    }
  }

  static Schedule.Target target(Fields fields) {
    return new Schedule.Target(
        fields.required("definitionId"),
        fields.text("definitionVersionId"),
        fields.text("activityId"),
        fields.object("input"),
        fields.text("correlationId"));
  }
}
