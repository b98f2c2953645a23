package skein.model;

/** The status of one execution of an activity. Elsa's words, stored and shown as they are. */
public enum ActivityStatus {
  Running,
  Completed,
  Canceled,
  Faulted
}
