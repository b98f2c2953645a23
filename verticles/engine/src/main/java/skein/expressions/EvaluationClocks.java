package skein.expressions;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The clocks of evaluations, in nanoseconds. Only differences are used.
 *
 * @param nanoTime monotonic
 * @param cpuTime the processor time that the calling thread has used; negative where it is not
 *     counted, as for virtual threads
 * @param ofJvm whether the processor time is what the JVM counts, and {@code nanoTime} may be asked
 *     by any thread
 */
public record EvaluationClocks(LongSupplier nanoTime, LongSupplier cpuTime, boolean ofJvm) {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final boolean COUNTED = THREADS.isCurrentThreadCpuTimeSupported();
  private static final boolean COUNTED_FOR_OTHERS = THREADS.isThreadCpuTimeSupported();

  public static final EvaluationClocks SYSTEM = withNanoTime(System::nanoTime);

  /** Asked by the evaluating thread alone. */
  public EvaluationClocks(LongSupplier nanoTime, LongSupplier cpuTime) {
    this(nanoTime, cpuTime, false);
  }

  /** With the processor time that the JVM counts. */
  static EvaluationClocks withNanoTime(LongSupplier nanoTime) {
    return new EvaluationClocks(nanoTime, EvaluationClocks::cpuTimeOfThread, true);
  }

  /** The same for a thread that is watched by another; empty where that is not possible. */
  Optional<EvaluationClocks> of(Thread watched) {
    return ofJvm
        ? Optional.of(new EvaluationClocks(nanoTime, () -> cpuTime(watched)))
        : Optional.empty();
  }

  private static long cpuTimeOfThread() {
    return COUNTED && !Thread.currentThread().isVirtual() ? THREADS.getCurrentThreadCpuTime() : -1;
  }

  private static long cpuTime(Thread thread) {
    return COUNTED_FOR_OTHERS && !thread.isVirtual()
        ? THREADS.getThreadCpuTime(thread.threadId())
        : -1;
  }
}
