package skein.schedules;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.model.InstanceId;
import skein.model.Schedule;

/**
 * A decision about a schedule; committed whole or not at all.
 *
 * @param next its next revision
 * @param notBefore the commit fails before this instant, by the database's clock
 * @param starts in the order of their instants
 * @param cancels what runs and gives way
 * @param verdict the outcome of a requested occurrence
 */
public record ScheduleChange(
    Schedule next,
    @Nullable Instant notBefore,
    List<Schedule.Run> starts,
    @Nullable InstanceId cancels,
    Verdict verdict) {
  public ScheduleChange {
    starts = List.copyOf(starts);
  }

  /** The outcome of an occurrence. */
  public enum Verdict {
    Started,
    /** It starts when what runs has ended. */
    Buffered,
    /** The running instance was cancelled, and it starts when that has ended. */
    Cancelling,
    Skipped,
    /** None was asked for. */
    None
  }
}
