package skein.expressions;

import java.time.Duration;

/**
 * The time that one evaluation has used. The limit is on the processor time of its thread, so that
 * a node that is frozen, or has more threads than processors, ends no evaluation early.
 *
 * <p>Asking for the processor time is a system call and takes as long as a whole short evaluation.
 * But a thread uses no more processor time than passes, so it is first asked for after a tenth of
 * the limit, which then counts as used, and next when the rest may have been used. A short
 * evaluation never asks.
 */
final class EvaluationTime {
  private static final int UNMEASURED_SHARE = 10;
  private static final long PAUSE_NANOS_MIN = 1_000_000;

  private final EvaluationClocks clocks;
  private final long cpuNanosMax;
  private final String cpuSetting;
  private final long wallNanosMax;
  private final long startedAt;

  /** When processor time is asked for next, in nanoseconds since the start. */
  private long nextLook;

  private boolean measured;

  /** The processor time at the start. */
  private long cpuStart;

  /** The time of one expression. */
  EvaluationTime(ExpressionLimits.Times limits, EvaluationClocks clocks) {
    this(limits.cpuMax().toNanos(), "expressions.time-max", limits.wallMax().toNanos(), clocks);
  }

  private EvaluationTime(
      long cpuNanosMax, String cpuSetting, long wallNanosMax, EvaluationClocks clocks) {
    this.clocks = clocks;
    this.cpuNanosMax = cpuNanosMax;
    this.cpuSetting = cpuSetting;
    this.wallNanosMax = wallNanosMax;
    this.startedAt = clocks.nanoTime().getAsLong();
    this.nextLook = cpuNanosMax / UNMEASURED_SHARE;
  }

  /** The time of the expressions of one burst, with the elapsed time of one more. */
  static EvaluationTime ofExpressions(ExpressionLimits.Times limits, EvaluationClocks clocks) {
    long cpuNanosMax = limits.burstCpuMax().toNanos();
    return new EvaluationTime(
        cpuNanosMax,
        "expressions.burst-time-max",
        cpuNanosMax + limits.wallMax().toNanos(),
        clocks);
  }

  /** The time of a whole burst, with as much more elapsed time as its expressions have. */
  static EvaluationTime ofBurst(
      Duration cpuMax, ExpressionLimits.Times limits, EvaluationClocks clocks) {
    return new EvaluationTime(
        cpuMax.toNanos(),
        "twice expressions.burst-time-max",
        cpuMax.toNanos() + 2 * limits.wallMax().toNanos(),
        clocks);
  }

  /**
   * @throws BudgetExceededError when the processor time is used up
   * @throws EvaluationStarvedError when too much time has passed for the little that was used
   */
  void check() {
    long elapsed = clocks.nanoTime().getAsLong() - startedAt;
    if (elapsed > nextLook) {
      look(elapsed);
    }
  }

  private void look(long elapsed) {
    long cpu = clocks.cpuTime().getAsLong();
    if (cpu < 0) {
      lookWithoutCpuTime(elapsed);
      return;
    }
    if (!measured) {
      measured = true;
      cpuStart = cpu - nextLook;
    }
    long used = cpu - cpuStart;
    if (used > cpuNanosMax) {
      throw new BudgetExceededError(
          "longer than "
              + Duration.ofNanos(cpuNanosMax)
              + " of processor time ("
              + cpuSetting
              + ")");
    }
    if (elapsed > wallNanosMax) {
      throw new EvaluationStarvedError(
          "ended after "
              + Duration.ofNanos(wallNanosMax)
              + " (expressions.wall-time-max), of which it had a processor for no more than "
              + Duration.ofMillis(used / 1_000_000));
    }
    long mayRunOut = elapsed + Math.max(cpuNanosMax - used, PAUSE_NANOS_MIN);
    nextLook = Math.min(mayRunOut, wallNanosMax);
  }

  /** It is unknown whether it was starved: repeated, it might never end. */
  private void lookWithoutCpuTime(long elapsed) {
    if (elapsed > wallNanosMax) {
      throw new BudgetExceededError(
          "longer than " + Duration.ofNanos(wallNanosMax) + " (expressions.wall-time-max)");
    }
    nextLook = wallNanosMax;
  }
}
