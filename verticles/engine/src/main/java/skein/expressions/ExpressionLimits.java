package skein.expressions;

import java.time.Duration;

/**
 * The limits of one evaluation. One that exceeds a limit gets an {@link ExpressionException} of
 * kind {@link ExpressionException#BUDGET_EXCEEDED}.
 *
 * @param times how long it may take
 * @param instructionsMax as the interpreter counts them; a call counts about a hundred
 * @param allocationMax bytes that the evaluating thread may allocate; also bounds a single array
 *     that a built-in function makes, at 64 bytes for each element
 * @param stringCharsMax characters of one string that a script or template makes
 * @param stackDepthMax nested calls of script functions or macros; values may nest 200 levels in
 *     any case
 * @param resultCharsMax characters of all strings and keys of one value copied out, plus 8 for
 *     every other value
 * @param sourceCharsMax characters of one script or template
 */
public record ExpressionLimits(
    Times times,
    long instructionsMax,
    long allocationMax,
    long stringCharsMax,
    int stackDepthMax,
    int resultCharsMax,
    int sourceCharsMax) {

  /**
   * How long an evaluation may take.
   *
   * @param cpuMax processor time of the evaluating thread
   * @param wallMax time that may pass until then; an evaluation that has not used its processor
   *     time by then is ended with an {@link EvaluationStarvedException}
   * @param burstCpuMax processor time of all evaluations of one burst together
   */
  public record Times(Duration cpuMax, Duration wallMax, Duration burstCpuMax) {
    private static final Duration WALL_MAX_DEFAULT = Duration.ofSeconds(30);
    private static final Duration BURST_CPU_MAX_DEFAULT = Duration.ofSeconds(10);

    /** With a default for {@code burstCpuMax}. */
    public Times(Duration cpuMax, Duration wallMax) {
      this(
          cpuMax,
          wallMax,
          cpuMax.compareTo(BURST_CPU_MAX_DEFAULT) > 0 ? cpuMax : BURST_CPU_MAX_DEFAULT);
    }

    /** With a default for {@code wallMax} that is far away. */
    static Times ofCpu(Duration max) {
      return new Times(max, max.compareTo(WALL_MAX_DEFAULT) > 0 ? max : WALL_MAX_DEFAULT);
    }

    public Times {
      positive("cpuMax", cpuMax.isPositive() ? 1 : 0);
      if (wallMax.compareTo(cpuMax) < 0) {
        throw new IllegalArgumentException(
            "wallMax must be at least cpuMax (" + cpuMax + "): " + wallMax);
      }
      if (burstCpuMax.compareTo(cpuMax) < 0) {
        throw new IllegalArgumentException(
            "burstCpuMax must be at least cpuMax (" + cpuMax + "): " + burstCpuMax);
      }
    }
  }

  /** The bytes of a string, at most two for each character, and room for a copy. */
  private static final int BYTES_PER_CHAR = 4;

  public static final ExpressionLimits DEFAULT =
      new ExpressionLimits(
          Duration.ofMillis(500), 10_000_000, 64L << 20, 1_000, 4 << 20, 256 << 10);

  /** With strings as long as {@code allocationMax} has room for, and a far limit on wall time. */
  public ExpressionLimits(
      Duration cpuTimeMax,
      long instructionsMax,
      long allocationMax,
      int stackDepthMax,
      int resultCharsMax,
      int sourceCharsMax) {
    this(
        Times.ofCpu(cpuTimeMax),
        instructionsMax,
        allocationMax,
        Math.max(1, allocationMax / BYTES_PER_CHAR),
        stackDepthMax,
        resultCharsMax,
        sourceCharsMax);
  }

  public ExpressionLimits {
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
