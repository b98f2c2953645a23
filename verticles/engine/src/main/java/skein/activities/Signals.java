package skein.activities;

/** The signals of activities to their ancestors, for {@link ActivityContext#signal}. */
public final class Signals {
  /** Leave the nearest loop. No value. */
  public static final String BREAK = "Break";

  /**
   * End the nearest composite: a workflow, or one that is used as an activity. The value is a list
   * of texts, its outcomes. Where no container handles it, it ends the whole instance.
   */
  public static final String COMPLETE = "Complete";

  private Signals() {}
}
