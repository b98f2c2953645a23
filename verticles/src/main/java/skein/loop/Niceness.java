package skein.loop;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Collections;
import org.jspecify.annotations.Nullable;

/**
 * Makes threads yield the processors to others when there are too few: what {@code nice} does for
 * processes. Linux alone knows it of single threads (setpriority(2)); elsewhere nothing happens.
 */
public final class Niceness {
  public static final int MAX = 19;

  private static final int THIS_THREAD = 0; // PRIO_PROCESS of 0
  private static final @Nullable MethodHandle GET = find("getpriority", 2);
  private static final @Nullable MethodHandle SET = find("setpriority", 3);

  private final int steps;
  private final ThreadLocal<Boolean> lowered = ThreadLocal.withInitial(() -> false);

  /**
   * @param steps added to the value of whatever thread calls {@link #lower}; 0: nothing is done
   * @throws IllegalArgumentException when it is not between 0 and {@link #MAX}
   */
  public Niceness(int steps) {
    if (steps < 0 || steps > MAX) {
      throw new IllegalArgumentException("Steps of niceness: " + steps);
    }
    this.steps = steps;
  }

  /** For this thread, from now on; the second and later calls of a thread do nothing. */
  public void lower() {
    if (steps == 0 || GET == null || SET == null || lowered.get()) {
      return;
    }
    lowered.set(true);
    try {
      int now = (int) GET.invokeExact(THIS_THREAD, THIS_THREAD);
      int _ = (int) SET.invokeExact(THIS_THREAD, THIS_THREAD, Math.min(MAX, now + steps));
    } catch (Throwable e) {
      throw new IllegalStateException("The priority of a thread cannot be changed", e);
    }
  }

  /** A function of the C library that takes so many numbers and returns one; null elsewhere. */
  @SuppressWarnings("restricted")
  private static @Nullable MethodHandle find(String name, int parameters) {
    if (!System.getProperty("os.name", "").equals("Linux")) {
      return null;
    }
    var linker = Linker.nativeLinker();
    var types = Collections.nCopies(parameters, ValueLayout.JAVA_INT);
    var form = FunctionDescriptor.of(ValueLayout.JAVA_INT, types.toArray(MemoryLayout[]::new));
    return linker
        .defaultLookup()
        .find(name)
        .map(address -> linker.downcallHandle(address, form))
        .orElse(null);
  }
}
