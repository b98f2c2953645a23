package skein.testkit;

/** The events of activities in the journal; the names are those of its entries. */
public enum ActivityEvent {
  Started,
  Suspended,
  Resumed,
  Completed,
  Retrying,
  Faulted,
  Canceled
}
