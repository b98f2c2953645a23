package skein.forms;

import java.time.Duration;

/**
 * The limits of a form, and of checking data against it.
 *
 * @param schemaBytesMax of a form, as JSON text
 * @param depthMax values within one another in a form
 * @param patternSizeMax instructions of all patterns of a form together, as RE2/J compiles them;
 *     about one for each character, times the repetitions of what is counted
 * @param dataBytesMax of what is checked, as JSON text
 * @param stepsMax of one check: keywords applied, characters read, and instructions of patterns
 *     gone through; the same form and data always take the same number
 * @param timeMax that may pass, with its pauses; a check that is not through by then, within its
 *     steps, was starved
 */
public record FormLimits(
    int schemaBytesMax,
    int depthMax,
    int patternSizeMax,
    int dataBytesMax,
    long stepsMax,
    Duration timeMax) {
  public static final FormLimits DEFAULT =
      new FormLimits(64 << 10, 64, 20_000, 1 << 20, 10_000_000, Duration.ofSeconds(10));

  public FormLimits {
    if (schemaBytesMax < 1
        || depthMax < 1
        || depthMax > 200
        || patternSizeMax < 1
        || dataBytesMax < 1
        || stepsMax < 1_000
        || !timeMax.isPositive()) {
      throw new IllegalArgumentException(
          "Limits of forms start at 1, depth ends at 200, steps start at 1000: %d, %d, %d, %d, %d, %s"
              .formatted(
                  schemaBytesMax, depthMax, patternSizeMax, dataBytesMax, stepsMax, timeMax));
    }
  }
}
