package skein.burst;

/**
 * How many other instances an instance may start.
 *
 * @param perBurstMax in one burst
 * @param waitingMax instances that wait for one another, one above the other
 * @param causesMax instances of which each started the next, see {@link Ancestry}
 */
public record ChildLimits(int perBurstMax, int waitingMax, int causesMax) {
  public static final ChildLimits DEFAULT = new ChildLimits(20_000, 64, 10_000);

  public ChildLimits {
    if (perBurstMax < 1 || waitingMax < 1 || causesMax < 1) {
      throw new IllegalArgumentException(
          "Limits of children start at 1: " + perBurstMax + ", " + waitingMax + ", " + causesMax);
    }
  }
}
