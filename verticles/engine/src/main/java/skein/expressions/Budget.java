package skein.expressions;

import java.lang.management.ManagementFactory;
import skein.pacing.Pace;

/**
 * The resources that rendering one template has used so far.
 *
 * <p>An evaluation that exceeds a limit gets an {@link BudgetExceededError}, an {@link Error},
 * because a script can catch every exception but no error, and gets it again at each further check.
 */
final class Budget {
  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Instructions between two looks at the clock and at the heap. */
  private static final int CHECK_EVERY = 200;

  /** The cost of an array element where the array is sparse. */
  private static final int ELEMENT_BYTES = 64;

  /** Assumed where the JVM does not count: it does not for virtual threads. */
  private static final int INSTRUCTION_BYTES = 16;

  private final ExpressionLimits limits;
  private final EvaluationTime time;
  private final long allocatedBefore;
  private long instructions;
  private long unchecked;
  private long chargedBytes;
  private int depth;

  Budget(ExpressionLimits limits, EvaluationClocks clocks) {
    this.limits = limits;
    this.time = new EvaluationTime(limits.times(), clocks);
    this.allocatedBefore = THREADS.getCurrentThreadAllocatedBytes();
  }

  void spend(long count) {
    instructions += count;
    unchecked += count;
    if (instructions > limits.instructionsMax()) {
      throw new BudgetExceededError(
          "more than " + limits.instructionsMax() + " instructions (expressions.instructions-max)");
    }
    if (unchecked >= CHECK_EVERY) {
      unchecked = 0;
      check();
    }
  }

  void check() {
    time.check();
    Pace.pause();
    if (allocated() > limits.allocationMax()) {
      throw new BudgetExceededError(
          "more than "
              + limits.allocationMax()
              + " bytes allocated (expressions.allocation-bytes-max)");
    }
  }

  private long allocated() {
    var now = THREADS.getCurrentThreadAllocatedBytes();
    return now < 0
        ? chargedBytes + instructions * INSTRUCTION_BYTES
        : Math.max(chargedBytes, now - allocatedBefore);
  }

  /** Before a call, which is to {@link #leave} when it ends. */
  void enter() {
    depth++;
    if (depth > limits.stackDepthMax()) {
      throw new BudgetExceededError(
          "more than "
              + limits.stackDepthMax()
              + " calls inside one another (expressions.stack-depth-max)");
    }
  }

  void leave() {
    depth--;
  }

  /** Before a string of that length is made or flattened. */
  void string(long chars) {
    if (chars > stringMax()) {
      throw new BudgetExceededError(
          "a string of more than " + stringMax() + " characters (expressions.string-chars-max)");
    }
    chargedBytes += Math.max(0, chars);
    spend(Math.max(0, chars) / 16);
  }

  /** Characters of one string. */
  long stringMax() {
    return limits.stringCharsMax();
  }

  /** Before an array, or something else with that many parts, is made or walked. */
  void elements(long count) {
    var max = limits.allocationMax() / ELEMENT_BYTES;
    if (count > max) {
      throw new BudgetExceededError(
          "more than " + max + " elements (expressions.allocation-bytes-max)");
    }
    spend(Math.max(0, count));
  }
}
