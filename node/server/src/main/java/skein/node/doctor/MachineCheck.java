package skein.node.doctor;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** The JVM and the memory of the machine or container. */
final class MachineCheck {
  private static final int JAVA_MIN = 25;
  private static final long MB = 1 << 20;

  /** The memory of a node beside its heap: code, threads, buffers. */
  private static final long BESIDE_HEAP = 200 * MB;

  private MachineCheck() {}

  static List<Diagnosis> all() {
    var found = new ArrayList<Diagnosis>();
    int java = Runtime.version().feature();
    var name = Runtime.version() + " of " + System.getProperty("java.vendor");
    found.add(
        java >= JAVA_MIN
            ? Diagnosis.ok("java", name)
            : Diagnosis.failed(
                "java",
                name + " is older than " + JAVA_MIN,
                "install JDK " + JAVA_MIN + " or newer, or set SKEIN_JAVA_HOME to one"));
    long heap = Runtime.getRuntime().maxMemory();
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
      found.add(memory(heap, system.getTotalMemorySize()));
    }
    return found;
  }

  /** In bytes. */
  static Diagnosis memory(long heap, long total) {
    var finding = "heap of at most %d MB on %d MB".formatted(heap / MB, total / MB);
    return heap + BESIDE_HEAP <= total
        ? Diagnosis.ok("memory", finding)
        : Diagnosis.warning(
            "memory",
            finding + ": the process may be killed when it uses all of it",
            "give SKEIN_JAVA_OPTS=-Xmx%dm, or more memory"
                .formatted(Math.max(64, (total - BESIDE_HEAP) / MB)));
  }
}
