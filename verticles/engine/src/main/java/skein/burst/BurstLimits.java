package skein.burst;

import java.util.List;
import skein.model.InstanceLimits;

/**
 * What one instance may use. An instance that exceeds a limit faults; nothing is truncated
 * silently.
 *
 * @param size of one burst
 * @param executionsMax executions of an instance that are not over
 * @param bookmarksMax open bookmarks of an instance
 * @param incidentsMax incidents that are kept; later ones are only in the journal
 * @param children other instances that are started
 * @param journal what a burst may write there
 * @param work outside: requests, mails, jobs and the like
 */
public record BurstLimits(
    Size size,
    int executionsMax,
    int bookmarksMax,
    int incidentsMax,
    ChildLimits children,
    JournalLimits journal,
    WorkLimits work) {
  /**
   * How much one burst may do and hold.
   *
   * @param stepsMax activities executed or resumed
   * @param heldCharsMax of variables, outputs, lines and the like in memory
   */
  public record Size(int stepsMax, long heldCharsMax) {
    public Size {
      if (stepsMax < 1 || heldCharsMax < 1) {
        throw new IllegalArgumentException("Limits of a burst start at 1");
      }
    }

    /** For instances whose states may have so many bytes: what becomes too large is found out. */
    public static Size of(int stepsMax, int stateBytesMax) {
      return new Size(stepsMax, 4L * stateBytesMax);
    }
  }

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
        Size.of(stepsMax, InstanceLimits.DEFAULT.stateBytesMax()),
        executionsMax,
        bookmarksMax,
        incidentsMax,
        children,
        journal,
        work);
  }

  int stepsMax() {
    return size.stepsMax();
  }

  long heldCharsMax() {
    return size.heldCharsMax();
  }

  public BurstLimits {
    var counts = List.of(executionsMax, bookmarksMax, incidentsMax);
    if (counts.stream().anyMatch(count -> count < 1)) {
      throw new IllegalArgumentException("Limits of a burst start at 1: " + counts);
    }
  }
}
