package skein.activities;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.model.Recurrence;
import skein.model.SkeinException;
import skein.model.StimulusHash;
import skein.model.Timetable;
import skein.schedules.CronException;
import skein.schedules.CronExpression;
import skein.schedules.ScheduleForm;
import skein.schedules.ScheduleLimits;

/** The common part of activities that start workflows by the clock. */
final class TimeInputs {
  static final Input TIME_ZONE =
      Input.of("TimeZone", "String")
          .described("The zone of clock times, such as Europe/Berlin; UTC when empty.");

  /** Part of when it is due: with another value it is another trigger. */
  private static final List<Input> RULE =
      List.of(
          TIME_ZONE,
          Input.of("StartAt", "String"),
          Input.of("EndAt", "String"),
          Input.of("Jitter", "String"));

  private static final List<Input> POLICIES =
      List.of(
          Input.of("MisfirePolicy", "String"),
          Input.of("CatchUpMax", "Int32"),
          Input.of("OverlapPolicy", "String"));

  private TimeInputs() {}

  /** All inputs of such an activity. */
  static Input[] with(Input recurrence) {
    var all = new ArrayList<Input>();
    all.add(recurrence);
    all.addAll(RULE);
    all.addAll(POLICIES);
    return all.toArray(Input[]::new);
  }

  /** The rest of the rule beside its recurrence, by member of a schedule's JSON. */
  static Map<String, Object> rule(Inputs inputs) {
    var rule = new LinkedHashMap<String, Object>();
    for (var input : RULE) {
      var text = inputs.text(input);
      if (text != null && !text.isBlank()) {
        rule.put(input.property(), text);
      }
    }
    return rule;
  }

  /**
   * The timetable of a trigger.
   *
   * @param recurrence {@code cron}, {@code interval} or {@code dates}
   * @throws FaultException for what is wrong with it
   */
  static Timetable timetable(Map<String, Object> recurrence, Inputs inputs) {
    var json = new LinkedHashMap<String, @Nullable Object>(recurrence);
    json.putAll(rule(inputs));
    for (var input : POLICIES) {
      var value = inputs.get(input);
      if (value != null && !value.equals("")) {
        json.put(input.property(), value);
      }
    }
    return read(json, inputs);
  }

  private static Timetable read(Map<String, @Nullable Object> json, Inputs inputs) {
    try {
      return ScheduleForm.read(json, inputs.now(), ScheduleLimits.DEFAULT);
    } catch (SkeinException e) {
      throw new FaultException("InvalidSchedule", String.join("; ", e.errors()));
    }
  }

  /** The hash of what decides when a trigger is due; as it was before rules had more than one. */
  static String hash(String name, String recurrence, Map<String, Object> rule) {
    return rule.isEmpty()
        ? StimulusHash.of(name, recurrence, null)
        : StimulusHash.of(name, recurrence, JsonText.canonical(rule));
  }

  /** Fails where the text is not a cron expression, with Elsa's message. */
  static Recurrence.Cron cron(String text) {
    try {
      CronExpression.parse(text);
      return new Recurrence.Cron(text.strip());
    } catch (CronException e) {
      throw new FaultException(
          "InvalidCron",
          "Error when parsing cron expression: The given cron expression has an invalid format. "
              + e.getMessage());
    }
  }

  /** The text of an input that is a literal; null for any other. */
  static @Nullable String literal(Map<String, @Nullable Object> json, Input input) {
    var member = Json.object(Json.member(json, input.property()));
    var expression = member == null ? null : Json.object(member.get("expression"));
    return expression != null
            && "Literal".equals(Json.text(expression, "type"))
            && expression.get("value") instanceof String literal
            && !literal.isBlank()
        ? literal
        : null;
  }

  /** Checks literals before anything is published. */
  static void plan(Map<String, @Nullable Object> json, Input cron, Consumer<String> problem) {
    var expression = literal(json, cron);
    var zone = literal(json, TIME_ZONE);
    var members = new LinkedHashMap<String, @Nullable Object>();
    members.put("dates", List.of("2026-01-01"));
    members.put("timeZone", zone);
    try {
      if (expression != null) {
        cron(expression);
      }
      ScheduleForm.read(members, Instant.EPOCH, ScheduleLimits.DEFAULT);
    } catch (FaultException e) {
      problem.accept(String.valueOf(e.getMessage()));
    } catch (SkeinException e) {
      problem.accept(String.join("; ", e.errors()));
    }
  }
}
