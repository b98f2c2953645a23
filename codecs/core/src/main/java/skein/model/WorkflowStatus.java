package skein.model;

/** Where an instance stands. The names are stored: add, never rename. */
public enum WorkflowStatus {
  /** Accepted and durable, not yet run. */
  Pending,
  /** In the middle of a burst; never committed by this version, kept for durable steps. */
  Running,
  /** Waits for at least one bookmark, or for an operator after an incident. */
  Suspended,
  Completed,
  Faulted,
  Cancelled;

  /** Nothing can happen to a finished instance any more. */
  public boolean finished() {
    return this == Completed || this == Faulted || this == Cancelled;
  }
}
