package skein.activities;

/** What activities tell their ancestors with {@link ActivityContext#signal}. */
public final class Signals {
  /** Leave the nearest loop. No value. */
  public static final String BREAK = "Break";

  /**
   * End the nearest composite: a workflow, or one that is used as an activity. The value is a list
   * of texts, its outcomes. Where nobody understands it the whole instance is meant.
   */
  public static final String COMPLETE = "Complete";

  private Signals() {}
}
