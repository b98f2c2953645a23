package skein.model;

/**
 * The limits of an imported instance: those of one that runs here.
 *
 * @param executionsMax activity executions that are not over
 * @param bookmarksMax open bookmarks
 * @param incidentsMax incidents that are kept
 * @param stateBytesMax bytes of its state
 */
public record InstanceLimits(
    int executionsMax, int bookmarksMax, int incidentsMax, int stateBytesMax) {
  public static final InstanceLimits DEFAULT = new InstanceLimits(10_000, 1_000, 100, 8 << 20);

  /**
   * Throws {@code TOO_LARGE}, which names the setting. One bookmark and one incident more are
   * accepted: an instance that faulted for being past a limit has them.
   */
  public void check(int executions, int bookmarks, int incidents) {
    check(executions, executionsMax, "activities under way", "execution.activities-max");
    check(bookmarks, bookmarksMax + 1L, "bookmarks", "execution.bookmarks-max");
    check(incidents, incidentsMax + 1L, "incidents", "execution.incidents-max");
  }

  private static void check(int count, long max, String what, String setting) {
    if (count > max) {
      throw new SkeinException(
          ErrorCode.TOO_LARGE,
          "The instance has %,d %s, more than %s allows here".formatted(count, what, setting));
    }
  }
}
