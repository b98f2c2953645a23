package skein.model;

/** The status of an instance. The names are stored: add, never rename. */
public enum WorkflowStatus {
  /** Accepted and durable, not yet run. */
  Pending,
  /** A burst is running; never committed by this version, reserved for durable steps. */
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
