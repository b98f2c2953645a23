package skein.model;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** When a schedule is due, again and again. */
public sealed interface Recurrence {

  /** Five fields, or six with seconds first; read in the time zone of the schedule. */
  record Cron(String expression) implements Recurrence {}

  /**
   * By elapsed time, independent of changes of local time.
   *
   * @param every at least a second
   * @param anchor an instant of the grid, and the first one; whole milliseconds
   */
  record Interval(Duration every, Instant anchor) implements Recurrence {
    public Interval {
      anchor = anchor.truncatedTo(ChronoUnit.MILLIS);
    }
  }

  /**
   * Single dates in ascending order: with an offset an instant; without one a date and time, or a
   * date alone, which is its midnight, in the time zone of the schedule.
   */
  record Dates(List<String> dates) implements Recurrence {
    public Dates {
      dates = List.copyOf(dates);
    }
  }
}
