package skein.simulation;

/** Looks for a seed that goes wrong; loaded again for each mutant. */
public final class Hunt {
  private Hunt() {}

  /** The first seed and what was wrong; null: none of so many is. */
  public static String hunt(long seeds, boolean comparesRevisionAlone) {
    for (long seed = 1; seed <= seeds; seed++) {
      var outcome = new Run(Plan.draw(seed), false, comparesRevisionAlone).run();
      if (!outcome.violations().isEmpty()) {
        return "seed " + seed + ": " + outcome.violations().getFirst();
      }
    }
    return null;
  }
}
