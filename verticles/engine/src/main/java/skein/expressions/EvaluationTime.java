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
  private final Duration cpuMax;
  private final String cpuSetting;
  private final Duration wallMax;
  private final long startedAt;

  /** When processor time is asked for next, in nanoseconds since the start. */
  private long nextLook;

  private boolean measured;

  /** The processor time at the start. */
  private long cpuStart;

  /** The time of one expression. */
  EvaluationTime(ExpressionLimits.Times limits, EvaluationClocks clocks) {
    this(limits.cpuMax(), "expressions.time-max", limits.wallMax(), clocks);
  }

  private EvaluationTime(
      Duration cpuMax, String cpuSetting, Duration wallMax, EvaluationClocks clocks) {
    this.clocks = clocks;
    this.cpuMax = cpuMax;
    this.cpuSetting = cpuSetting;
    this.wallMax = wallMax;
    this.startedAt = clocks.nanoTime().getAsLong();
    this.nextLook = cpuMax.toNanos() / UNMEASURED_SHARE;
  }

  /** The time of the expressions of one burst, with the elapsed time of one more. */
  static EvaluationTime ofExpressions(ExpressionLimits.Times limits, EvaluationClocks clocks) {
    return new EvaluationTime(
        limits.burstCpuMax(),
        "expressions.burst-time-max",
        limits.burstCpuMax().plus(limits.wallMax()),
        clocks);
  }

  /** The time of a whole burst, with as much more elapsed time as its expressions have. */
  static EvaluationTime ofBurst(
      Duration cpuMax, ExpressionLimits.Times limits, EvaluationClocks clocks) {
    return new EvaluationTime(
        cpuMax,
        "twice expressions.burst-time-max",
        cpuMax.plus(limits.wallMax().multipliedBy(2)),
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
    if (used > cpuMax.toNanos()) {
      throw new BudgetExceededError(
          "longer than " + cpuMax + " of processor time (" + cpuSetting + ")");
    }
    if (elapsed > wallMax.toNanos()) {
      throw new EvaluationStarvedError(
          "ended after "
              + wallMax
              + " (expressions.wall-time-max), of which it had a processor for no more than "
              + Duration.ofMillis(used / 1_000_000));
    }
    long mayRunOut = elapsed + Math.max(cpuMax.toNanos() - used, PAUSE_NANOS_MIN);
    nextLook = Math.min(mayRunOut, wallMax.toNanos());
  }

  /** It is unknown whether it was starved: repeated, it might never end. */
  private void lookWithoutCpuTime(long elapsed) {
    if (elapsed > wallMax.toNanos()) {
      throw new BudgetExceededError("longer than " + wallMax + " (expressions.wall-time-max)");
    }
    nextLook = wallMax.toNanos();
  }
}
