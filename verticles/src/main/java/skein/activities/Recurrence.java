package skein.activities;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.expressions.Expressions;

/** When triggers fire that the clock fires again and again. */
public final class Recurrence {
  static final String TIMER = "Elsa.Timer";
  static final String CRON = "Elsa.Cron";

  private Recurrence() {}

  /**
   * The first occurrence after an instant; null for a trigger that does not recur.
   *
   * @param name the trigger's stimulus name
   * @param payload as the trigger is kept with
   */
  public static @Nullable Instant next(String name, @Nullable Object payload, Instant after) {
    if (!(payload instanceof Map<?, ?> map)) {
      return null;
    }
    return switch (name) {
      case CRON ->
          map.get("cronExpression") instanceof String text
              ? CronSchedule.parse(text).next(after)
              : null;
      case TIMER -> timer(map, after);
      default -> null;
    };
  }

  /** Occurrences stay on the grid that publishing has begun, however late one was. */
  private static @Nullable Instant timer(Map<?, ?> payload, Instant after) {
    if (!(payload.get("startAt") instanceof String start)
        || !(payload.get("interval") instanceof String text)) {
      return null;
    }
    var first = Instant.parse(start);
    if (first.isAfter(after)) {
      return first;
    }
    var interval = Expressions.duration(text).toMillis();
    var passed = after.toEpochMilli() - first.toEpochMilli();
    return first.plusMillis((passed / interval + 1) * interval);
  }
}
