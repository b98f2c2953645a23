package skein.codecs;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.InstanceId;
import skein.model.Recurrence;
import skein.model.Schedule;
import skein.model.Timetable;
import skein.model.Timetable.Misfire;
import skein.model.Timetable.Overlap;
import skein.model.Timetable.Policies;

/**
 * Schedules as JSON, in the shape in which they are stored and shown. What is stored carries its
 * version as {@code v}.
 */
public final class ScheduleJson {
  private static final long VERSION = 1;

  private ScheduleJson() {}

  /**
   * {@code {cron | interval, anchor | dates, timeZone, startAt, endAt, jitter}}: instants as
   * ISO-8601 in UTC, durations as ISO-8601.
   */
  public static Map<String, @Nullable Object> rule(Timetable timetable) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    var given = timetable.recurrence();
    if (given instanceof Recurrence.Cron cron) {
      json.put("cron", cron.expression());
    } else if (given instanceof Recurrence.Interval interval) {
      json.put("interval", interval.every().toString());
      json.put("anchor", interval.anchor().toString());
    } else if (given instanceof Recurrence.Dates dates) {
      json.put("dates", dates.dates());
    } else {
      throw Unwritten.kind(given);
    }
    json.put("timeZone", timetable.zone().getId());
    json.put("startAt", text(timetable.startAt()));
    json.put("endAt", text(timetable.endAt()));
    json.put("jitter", timetable.jitter().isZero() ? null : timetable.jitter().toString());
    return json;
  }

  public static Map<String, @Nullable Object> policies(Policies policies) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("misfirePolicy", policies.misfire().name());
    json.put("catchUpMax", (long) policies.catchUpMax());
    json.put("overlapPolicy", policies.overlap().name());
    return json;
  }

  public static Map<String, @Nullable Object> target(Schedule.Target target) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("definitionId", target.definitionId());
    json.put("definitionVersionId", target.versionId());
    json.put("activityId", target.activityId());
    json.put("input", target.input());
    json.put("correlationId", target.correlationId());
    return json;
  }

  public static @Nullable Map<String, @Nullable Object> run(Schedule.@Nullable Run run) {
    if (run == null) {
      return null;
    }
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("at", run.at().toString());
    json.put("workflowInstanceId", run.instanceId().value());
    json.put("input", run.input());
    return json;
  }

  /** As it is stored. */
  public static String stored(Map<String, @Nullable Object> json) {
    var versioned = new LinkedHashMap<String, @Nullable Object>();
    versioned.put("v", VERSION);
    json.forEach((name, value) -> {
      if (value != null) {
        versioned.put(name, value);
      }
    });
    return JsonText.print(versioned);
  }

  /** Reads what {@link #stored} has written of both. */
  public static Timetable timetable(String rule, String policies) {
    var json = parsed(rule);
    return new Timetable(
        recurrence(json),
        ZoneId.of(String.valueOf(json.get("timeZone"))),
        instant(json, "startAt"),
        instant(json, "endAt"),
        json.get("jitter") instanceof String text ? Duration.parse(text) : Duration.ZERO,
        readPolicies(parsed(policies)));
  }

  private static Recurrence recurrence(Map<String, @Nullable Object> json) {
    if (json.get("cron") instanceof String expression) {
      return new Recurrence.Cron(expression);
    }
    var anchor = instant(json, "anchor");
    if (json.get("interval") instanceof String every && anchor != null) {
      return new Recurrence.Interval(Duration.parse(every), anchor);
    }
    if (json.get("dates") instanceof List<?> dates) {
      return new Recurrence.Dates(dates.stream().map(String::valueOf).toList());
    }
    throw new BadBytesException("A stored schedule", 0, "neither cron, interval nor dates");
  }

  private static Policies readPolicies(Map<String, @Nullable Object> json) {
    return new Policies(
        Misfire.valueOf(String.valueOf(json.get("misfirePolicy"))),
        json.get("catchUpMax") instanceof Long max ? max.intValue() : Policies.DEFAULT.catchUpMax(),
        Overlap.valueOf(String.valueOf(json.get("overlapPolicy"))));
  }

  public static Schedule.Target readTarget(String stored) {
    var json = parsed(stored);
    return new Schedule.Target(
        String.valueOf(json.get("definitionId")),
        text(json, "definitionVersionId"),
        text(json, "activityId"),
        object(json.get("input")),
        text(json, "correlationId"));
  }

  public static Schedule.@Nullable Run readRun(@Nullable String stored) {
    if (stored == null) {
      return null;
    }
    var json = parsed(stored);
    var at = instant(json, "at");
    if (at == null) {
      throw new BadBytesException("A stored run of a schedule", 0, "no instant");
    }
    var id = new InstanceId(String.valueOf(json.get("workflowInstanceId")));
    return new Schedule.Run(at, id, json.get("input") == null ? null : object(json.get("input")));
  }

  private static Map<String, @Nullable Object> parsed(String text) {
    return JsonText.parseObject(text, JsonLimits.STORED);
  }

  private static Map<String, @Nullable Object> object(@Nullable Object value) {
    var copy = new LinkedHashMap<String, @Nullable Object>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((name, member) -> copy.put(String.valueOf(name), member));
    }
    return copy;
  }

  private static @Nullable String text(Map<String, @Nullable Object> json, String name) {
    return json.get(name) instanceof String text ? text : null;
  }

  private static @Nullable Instant instant(Map<String, @Nullable Object> json, String name) {
    return json.get(name) instanceof String text ? Instant.parse(text) : null;
  }

  private static @Nullable String text(@Nullable Instant instant) {
    return instant == null ? null : instant.toString();
  }
}
