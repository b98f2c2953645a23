package skein.expressions;

import java.time.Duration;

/**
 * What one evaluation may use. Whoever exceeds one gets an {@link ExpressionException} of kind
 * {@link ExpressionException#BUDGET_EXCEEDED}.
 *
 * @param timeMax by the injected nano source
 * @param instructionsMax as the interpreter counts them; a call counts about a hundred
 * @param allocationMax bytes that the evaluating thread may allocate; also bounds a single array
 *     that a built-in function makes, at 64 bytes for each element
 * @param stringCharsMax characters of one string that a script or template makes
 * @param stackDepthMax nested calls of script functions; values may nest 200 levels in any case
 * @param resultCharsMax characters of all strings and keys of one value copied out, plus 8 for
 *     every other value
 * @param sourceCharsMax characters of one script or template
 */
public record ExpressionLimits(
    Duration timeMax,
    long instructionsMax,
    long allocationMax,
    long stringCharsMax,
    int stackDepthMax,
    int resultCharsMax,
    int sourceCharsMax) {

  /** Of the bytes of a string, which has at most two for each character, and room for a copy. */
  private static final int BYTES_PER_CHAR = 4;

  public static final ExpressionLimits DEFAULT =
      new ExpressionLimits(
          Duration.ofMillis(500), 10_000_000, 64L << 20, 1_000, 4 << 20, 256 << 10);

  /** With strings as long as {@code allocationMax} has room for. */
  public ExpressionLimits(
      Duration timeMax,
      long instructionsMax,
      long allocationMax,
      int stackDepthMax,
      int resultCharsMax,
      int sourceCharsMax) {
    this(
        timeMax,
        instructionsMax,
        allocationMax,
        Math.max(1, allocationMax / BYTES_PER_CHAR),
        stackDepthMax,
        resultCharsMax,
        sourceCharsMax);
  }

  public ExpressionLimits {
    positive("timeMax", timeMax.isPositive() ? 1 : 0);
    positive("instructionsMax", instructionsMax);
    positive("allocationMax", allocationMax);
    positive("stringCharsMax", stringCharsMax);
    positive("stackDepthMax", stackDepthMax);
    positive("resultCharsMax", resultCharsMax);
    positive("sourceCharsMax", sourceCharsMax);
  }

  private static void positive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " must be positive: " + value);
    }
  }
}
