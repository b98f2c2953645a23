package skein.burst;

import java.util.List;
import skein.model.InstanceLimits;

/**
 * What one instance may use up. Whoever goes past a limit faults; nothing is cut off silently.
 *
 * @param heldCharsMax of variables, outputs, lines and the like that a burst holds in memory
 * @param stepsMax activities executed or resumed in one burst
 * @param executionsMax executions of an instance that are not over
 * @param bookmarksMax open bookmarks of an instance
 * @param incidentsMax incidents that are kept; later ones are only in the journal
 * @param children other instances that are started
 * @param journal what a burst may write there
 * @param work outside: requests, mails, jobs and the like
 */
public record BurstLimits(
    long heldCharsMax,
    int stepsMax,
    int executionsMax,
    int bookmarksMax,
    int incidentsMax,
    ChildLimits children,
    JournalLimits journal,
    WorkLimits work) {
  public static final BurstLimits DEFAULT =
      new BurstLimits(
          10_000,
          10_000,
          1_000,
          100,
          ChildLimits.DEFAULT,
          JournalLimits.DEFAULT,
          WorkLimits.DEFAULT);

  /** With room for states of the usual size. */
  public BurstLimits(
      int stepsMax,
      int executionsMax,
      int bookmarksMax,
      int incidentsMax,
      ChildLimits children,
      JournalLimits journal,
      WorkLimits work) {
    this(
        heldCharsMax(InstanceLimits.DEFAULT.stateBytesMax()),
        stepsMax,
        executionsMax,
        bookmarksMax,
        incidentsMax,
        children,
        journal,
        work);
  }

  /** For instances whose states may have so many bytes: what becomes too large is found out. */
  public static long heldCharsMax(int stateBytesMax) {
    return 4L * stateBytesMax;
  }

  public BurstLimits {
    if (heldCharsMax < 1) {
      throw new IllegalArgumentException("A burst holds a character at least: " + heldCharsMax);
    }
    var counts = List.of(stepsMax, executionsMax, bookmarksMax, incidentsMax);
    if (counts.stream().anyMatch(count -> count < 1)) {
      throw new IllegalArgumentException("Limits of a burst start at 1: " + counts);
    }
  }
}
