package skein.activities;

import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A cron expression in UTC: six fields with seconds first, or five without. Sunday is 0 or 7; where
 * both days are restricted, both must match.
 */
public final class CronSchedule {
  private static final Pattern FIVE_FIELDS = Pattern.compile("\\S+(\\s+\\S+){4}");
  private static final int LENGTH_MAX = 200;

  private static final CronDefinition DEFINITION =
      CronDefinitionBuilder.defineCron()
          .withSeconds()
          .withValidRange(0, 59)
          .and()
          .withMinutes()
          .withValidRange(0, 59)
          .and()
          .withHours()
          .withValidRange(0, 23)
          .and()
          .withDayOfMonth()
          .withValidRange(1, 31)
          .supportsL()
          .supportsW()
          .supportsLW()
          .supportsQuestionMark()
          .and()
          .withMonth()
          .withValidRange(1, 12)
          .and()
          .withDayOfWeek()
          .withValidRange(0, 7)
          .withMondayDoWValue(1)
          .withIntMapping(7, 0)
          .supportsL()
          .supportsHash()
          .supportsQuestionMark()
          .and()
          .matchDayOfWeekAndDayOfMonth()
          .instance();

  private final ExecutionTime times;

  private CronSchedule(ExecutionTime times) {
    this.times = times;
  }

  /** Throws {@link FaultException} where it is none. */
  public static CronSchedule parse(String expression) {
    var text = expression.strip();
    if (text.length() > LENGTH_MAX) {
      throw invalid("It is longer than " + LENGTH_MAX + " characters.");
    }
    try {
      var six = FIVE_FIELDS.matcher(text).matches() ? "0 " + text : text;
      return new CronSchedule(ExecutionTime.forCron(new CronParser(DEFINITION).parse(six)));
    } catch (IllegalArgumentException e) {
      throw invalid(String.valueOf(e.getMessage()));
    }
  }

  private static FaultException invalid(String detail) {
    return new FaultException(
        "InvalidCron",
        "Error when parsing cron expression: The given cron expression has an invalid format. "
            + detail);
  }

  /** The first occurrence after the instant; null when there is none. */
  public @Nullable Instant next(Instant after) {
    return times
        .nextExecution(after.atZone(ZoneOffset.UTC))
        .map(ZonedDateTime::toInstant)
        .orElse(null);
  }
}
