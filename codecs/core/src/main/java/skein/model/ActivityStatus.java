package skein.model;

/** Where one execution of an activity stands. Elsa's words, stored and shown as they are. */
public enum ActivityStatus {
  Running,
  Completed,
  Canceled,
  Faulted
}
