package skein.invariants;

/** A condition on the rows that holds whenever nothing is being written. */
public enum Invariant {
  /** An instance that is not finished owns work, a timer, a bookmark or a child. */
  INSTANCE_WITHOUT_WORK("instance-without-work"),
  /** The state of an instance is the one that its last row of the journal made; none is missing. */
  BROKEN_HISTORY("broken-history"),
  /** A bookmark belongs to an instance that is not finished. */
  ORPHAN_BOOKMARK("orphan-bookmark"),
  /** A bookmark that resumes by itself has a timer. */
  BOOKMARK_WITHOUT_TIMER("bookmark-without-timer"),
  /** A timer of a bookmark belongs to an instance that is not finished. */
  ORPHAN_TIMER("orphan-timer"),
  /** A due timer is not older than the bound. */
  OVERDUE_TIMER("overdue-timer"),
  /** A schedule that is not paused has its next occurrence, and a timer for it. */
  SCHEDULE_WITHOUT_OCCURRENCE("schedule-without-occurrence"),
  /** A schedule waits for an instance that runs, or for news of its end. */
  RUN_WITHOUT_NEWS("run-without-news"),
  /** Nothing belongs to a node that has left. */
  LEASE_OF_GONE_NODE("lease-of-gone-node");

  private final String wireName;

  Invariant(String wireName) {
    this.wireName = wireName;
  }

  /** Its name in the API, the metrics and the logs. */
  public String wireName() {
    return wireName;
  }
}
