package skein.invariants;

import java.time.Duration;

/**
 * How much the scanner looks at, and how often.
 *
 * @param lease how long a node stays the one that scans without renewing
 * @param interval from the start of one pass to the start of the next
 * @param pageSize rows of one step
 * @param pause between two steps; a pass that was asked for makes none
 * @param lookAgain until what looks wrong is looked at again
 * @param grace what changed later than this ago is not judged
 * @param dueBound as late as a timer may be
 * @param repair what can be repaired safely
 * @param keep of violations that are over
 */
public record ScannerOptions(
    Duration lease,
    Duration interval,
    int pageSize,
    Duration pause,
    Duration lookAgain,
    Duration grace,
    Duration dueBound,
    boolean repair,
    Duration keep) {
  public static final ScannerOptions DEFAULT =
      new ScannerOptions(
          Duration.ofSeconds(10),
          Duration.ofMinutes(5),
          500,
          Duration.ofMillis(100),
          Duration.ofSeconds(1),
          Duration.ofMinutes(1),
          Duration.ofSeconds(30),
          true,
          Duration.ofDays(30));
}
