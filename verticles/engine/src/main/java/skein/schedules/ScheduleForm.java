package skein.schedules;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import skein.expressions.ExpressionException;
import skein.expressions.Expressions;
import skein.model.Recurrence;
import skein.model.SkeinException;
import skein.model.Timetable;
import skein.model.Timetable.Misfire;
import skein.model.Timetable.Overlap;
import skein.model.Timetable.Policies;

/**
 * Reads a timetable as people write it, with all that is wrong at once: {@code cron}, {@code
 * interval} (with {@code anchor}) or {@code dates}; {@code timeZone}, {@code startAt}, {@code
 * endAt}, {@code jitter}, {@code misfirePolicy}, {@code catchUpMax}, {@code overlapPolicy}. Members
 * that are null are absent.
 */
public final class ScheduleForm {
  private static final Duration EVERY_MIN = Duration.ofSeconds(1);
  private static final Duration EVERY_MAX = Duration.ofDays(3_660);

  private final Map<String, @Nullable Object> json;
  private final ScheduleLimits limits;
  private final List<String> errors = new ArrayList<>();

  private ScheduleForm(Map<String, @Nullable Object> json, ScheduleLimits limits) {
    this.json = json;
    this.limits = limits;
  }

  /**
   * Throws {@code SCHEDULE_INVALID} with a sentence for each thing that is wrong.
   *
   * @param now an interval without an anchor or a start counts from here
   */
  public static Timetable read(
      Map<String, @Nullable Object> json, Instant now, ScheduleLimits limits) {
    var form = new ScheduleForm(json, limits);
    var timetable = form.timetable(now);
    if (timetable == null || !form.errors.isEmpty()) {
      throw SkeinException.scheduleInvalid(form.errors);
    }
    return timetable;
  }

  private @Nullable Timetable timetable(Instant now) {
    var zone = zone();
    var startAt = instant("startAt", zone);
    var endAt = instant("endAt", zone);
    if (startAt != null && endAt != null && endAt.isBefore(startAt)) {
      errors.add("endAt: " + endAt + " is before startAt, " + startAt);
    }
    var jitter = jitter();
    var policies = policies();
    var recurrence = recurrence(zone, startAt, now);
    return recurrence == null
        ? null
        : new Timetable(recurrence, zone, startAt, endAt, jitter, policies);
  }

  private ZoneId zone() {
    var text = text("timeZone");
    if (text == null) {
      return ZoneId.of("UTC");
    }
    try {
      return ZoneId.of(text.strip());
    } catch (DateTimeException e) {
      errors.add(
          "timeZone: \""
              + shown(text)
              + "\" is not a valid time zone: write UTC or a name such as Europe/Berlin");
      return ZoneId.of("UTC");
    }
  }

  private @Nullable Recurrence recurrence(ZoneId zone, @Nullable Instant startAt, Instant now) {
    var names =
        Stream.of("cron", "interval", "dates").filter(name -> json.get(name) != null).toList();
    if (names.size() != 1) {
      errors.add(
          "cron, interval, dates: give one of them, not " + (names.isEmpty() ? "none" : names));
      return null;
    }
    return switch (names.getFirst()) {
      case "cron" -> cron();
      case "interval" -> interval(zone, startAt, now);
      default -> dates(zone);
    };
  }

  private @Nullable Recurrence cron() {
    var text = text("cron");
    if (text == null) {
      return null;
    }
    try {
      CronExpression.parse(text);
      return new Recurrence.Cron(text.strip());
    } catch (CronException e) {
      errors.add("cron: " + e.getMessage());
      return null;
    }
  }

  private @Nullable Recurrence interval(ZoneId zone, @Nullable Instant startAt, Instant now) {
    var every = duration("interval");
    if (every == null) {
      return null;
    }
    if (every.compareTo(EVERY_MIN) < 0 || every.compareTo(EVERY_MAX) > 0) {
      errors.add("interval: " + every + " is not one second to ten years");
      return null;
    }
    if (every.toNanosPart() % 1_000_000 != 0) {
      errors.add("interval: " + every + " is not a whole number of milliseconds");
      return null;
    }
    var anchor = instant("anchor", zone);
    var first = startAt == null ? now.plus(every) : startAt;
    return new Recurrence.Interval(every, anchor == null ? first : anchor);
  }

  private @Nullable Recurrence dates(ZoneId zone) {
    if (!(json.get("dates") instanceof List<?> list) || list.isEmpty()) {
      errors.add("dates: give a list of dates");
      return null;
    }
    if (list.size() > limits.datesMax()) {
      errors.add("dates: " + list.size() + " are too many, at most " + limits.datesMax());
      return null;
    }
    var texts = new ArrayList<String>();
    Instant last = null;
    for (var item : list) {
      var at = date(item, zone);
      if (at == null) {
        return null;
      }
      if (last != null && !at.isAfter(last)) {
        errors.add("dates: \"" + item + "\" is not after the one before it: sort them");
        return null;
      }
      last = at;
      texts.add(String.valueOf(item));
    }
    return new Recurrence.Dates(texts);
  }

  private @Nullable Instant date(@Nullable Object item, ZoneId zone) {
    try {
      return DateTexts.instant(shown(String.valueOf(item)), zone);
    } catch (IllegalArgumentException e) {
      errors.add("dates: " + e.getMessage());
      return null;
    }
  }

  private Duration jitter() {
    var jitter = json.get("jitter") == null ? null : duration("jitter");
    if (jitter == null) {
      return Duration.ZERO;
    }
    if (jitter.isNegative() || jitter.compareTo(limits.jitterMax()) > 0) {
      errors.add("jitter: " + jitter + " is not zero to " + limits.jitterMax());
      return Duration.ZERO;
    }
    return Duration.ofMillis(jitter.toMillis());
  }

  private Policies policies() {
    var defaults = Policies.DEFAULT;
    int catchUpMax = Math.min(defaults.catchUpMax(), limits.catchUpMax());
    var given = json.get("catchUpMax");
    if (given instanceof Long max && max >= 1 && max <= limits.catchUpMax()) {
      catchUpMax = max.intValue();
    } else if (given != null) {
      errors.add(
          "catchUpMax: "
              + shown(String.valueOf(given))
              + " is not a whole number from 1 to "
              + limits.catchUpMax());
    }
    return new Policies(
        choice("misfirePolicy", Misfire.class, defaults.misfire()),
        catchUpMax,
        choice("overlapPolicy", Overlap.class, defaults.overlap()));
  }

  private <E extends Enum<E>> E choice(String name, Class<E> type, E fallback) {
    var text = text(name);
    if (text == null) {
      return fallback;
    }
    for (var constant : type.getEnumConstants()) {
      if (constant.name().equalsIgnoreCase(text)) {
        return constant;
      }
    }
    errors.add(
        name + ": \"" + shown(text) + "\" is none of " + Arrays.asList(type.getEnumConstants()));
    return fallback;
  }

  private @Nullable Duration duration(String name) {
    var value = json.get(name);
    try {
      return value instanceof String text ? Expressions.duration(text) : wrong(name, value);
    } catch (ExpressionException e) {
      return wrong(name, value);
    }
  }

  private @Nullable Duration wrong(String name, @Nullable Object value) {
    errors.add(
        name
            + ": \""
            + shown(String.valueOf(value))
            + "\" is not a valid duration: write PT15M or 00:15:00");
    return null;
  }

  private @Nullable Instant instant(String name, ZoneId zone) {
    var text = text(name);
    if (text == null) {
      return null;
    }
    try {
      return DateTexts.instant(shown(text), zone);
    } catch (IllegalArgumentException e) {
      errors.add(name + ": " + e.getMessage());
      return null;
    }
  }

  private @Nullable String text(String name) {
    return switch (json.get(name)) {
      case null -> null;
      case String text when text.isBlank() -> null;
      case String text -> text;
      case Object other -> {
        errors.add(name + ": " + shown(String.valueOf(other)) + " is not a string");
        yield null;
      }
    };
  }

  private static String shown(String text) {
    return text.length() > 80 ? text.substring(0, 80) + "…" : text;
  }
}
