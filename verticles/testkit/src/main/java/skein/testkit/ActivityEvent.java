package skein.testkit;

/** What the journal says of activities; the names are those of its entries. */
public enum ActivityEvent {
  Started,
  Suspended,
  Resumed,
  Completed,
  Retrying,
  Faulted,
  Canceled
}
