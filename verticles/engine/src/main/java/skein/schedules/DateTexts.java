package skein.schedules;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

/** Dates as people write them. */
public final class DateTexts {
  private static final Instant FIRST = Instant.parse("1900-01-01T00:00:00Z");
  private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

  private DateTexts() {}

  /**
   * With an offset an instant; without one a date and time on the clocks of the zone, or a date,
   * which is its midnight. A time that clocks leave out is the first instant after it, a time that
   * they show twice the first of both. Throws {@link IllegalArgumentException} for anything else.
   */
  public static Instant instant(String text, ZoneId zone) {
    var instant = read(text, zone);
    if (instant.isBefore(FIRST) || !instant.isBefore(END)) {
      throw new IllegalArgumentException(
          "\"" + text.strip() + "\" is not between the years 1900 and 9999");
    }
    return instant.truncatedTo(ChronoUnit.MILLIS);
  }

  private static Instant read(String text, ZoneId zone) {
    var stripped = text.strip();
    try {
      return OffsetDateTime.parse(stripped).toInstant();
    } catch (DateTimeException e) {
      return local(stripped, zone);
    }
  }

  private static Instant local(String text, ZoneId zone) {
    LocalDateTime local;
    try {
      local =
          text.length() == 10 ? LocalDate.parse(text).atStartOfDay() : LocalDateTime.parse(text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "\""
              + text
              + "\" is not a valid date: write 2026-12-24, 2026-12-24T18:00 or 2026-12-24T18:00Z",
          e);
    }
    var change = zone.getRules().getTransition(local);
    return change != null && change.isGap()
        ? change.getInstant()
        : local.atZone(zone).withEarlierOffsetAtOverlap().toInstant();
  }
}
