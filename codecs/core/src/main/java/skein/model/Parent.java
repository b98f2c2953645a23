package skein.model;

/**
 * The instance that started another one, or the schedule that wants to know when it has ended.
 *
 * @param id for a schedule its {@link Schedule#laneOf lane}
 * @param execution the number of the activity execution in the parent that started it; 0 when it is
 *     not known, {@link #SCHEDULE} for a schedule
 */
public record Parent(InstanceId id, int execution, Notice notice) {
  /** Stands for an execution's number when the parent is a schedule. Stored: never changes. */
  public static final int SCHEDULE = -1;

  public static Parent schedule(InstanceId lane) {
    return new Parent(lane, SCHEDULE, Notice.AtEnd);
  }

  public boolean isSchedule() {
    return execution == SCHEDULE;
  }

  /** When the parent is notified about its child. The names are stored: add, never rename. */
  public enum Notice {
    Never,
    /** When the child's first burst is over, whether it waits or has ended. */
    AtRest,
    /** When the child has ended. */
    AtEnd
  }
}
