package skein.model;

/**
 * Numbers an instance has used so far; the next one is one higher.
 *
 * @param executions activity executions
 * @param bookmarks bookmarks
 * @param journal journal entries, Elsa's {@code sequence}
 */
public record Counters(int executions, int bookmarks, long journal) {
  public static final Counters NONE = new Counters(0, 0, 0);
}
