package skein.expressions;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.LongSupplier;

/**
 * What evaluations are timed by, in nanoseconds. Only differences are used.
 *
 * @param nanoTime monotonic
 * @param cpuTime the processor time that the calling thread has used; negative where it is not
 *     counted, as for virtual threads
 */
public record EvaluationClocks(LongSupplier nanoTime, LongSupplier cpuTime) {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final boolean COUNTED = THREADS.isCurrentThreadCpuTimeSupported();

  public static final EvaluationClocks SYSTEM = withNanoTime(System::nanoTime);

  /** With the processor time that the JVM counts. */
  static EvaluationClocks withNanoTime(LongSupplier nanoTime) {
    return new EvaluationClocks(nanoTime, EvaluationClocks::cpuTimeOfThread);
  }

  private static long cpuTimeOfThread() {
    return COUNTED && !Thread.currentThread().isVirtual() ? THREADS.getCurrentThreadCpuTime() : -1;
  }
}
