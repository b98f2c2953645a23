package skein.invariants;

import java.time.Duration;
import skein.storage.PassStore.Terms;

/**
 * How much the scanner looks at, and how often.
 *
 * @param terms when a node may begin a pass
 * @param lookAgain until what looks wrong is looked at again
 * @param grace what changed later than this ago is not judged
 * @param dueBound as late as a timer may be
 * @param repair what can be repaired safely
 * @param keep of violations that are over
 */
public record ScannerOptions(
    Terms terms,
    Pace pace,
    Duration lookAgain,
    Duration grace,
    Duration dueBound,
    boolean repair,
    Duration keep) {

  /**
   * @param pageSize rows of one step
   * @param pause between two steps; a pass that was asked for makes none
   */
  public record Pace(int pageSize, Duration pause) {}

  public static final ScannerOptions DEFAULT =
      new ScannerOptions(
          new Terms(Duration.ofMinutes(5), Duration.ofSeconds(30), Duration.ofSeconds(3)),
          new ScannerOptions.Pace(500, Duration.ofMillis(100)),
          Duration.ofSeconds(1),
          Duration.ofMinutes(1),
          Duration.ofSeconds(30),
          true,
          Duration.ofDays(30));
}
