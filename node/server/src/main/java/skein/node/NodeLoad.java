package skein.node;

import com.sun.management.OperatingSystemMXBean;
import io.vertx.core.json.JsonObject;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How busy a process is, for display.
 *
 * @param cpu the part of all processors that it used since the last look, 0 to 1; null where the
 *     machine does not say
 * @param processors that it may use
 * @param heapUsedBytes with what is no longer needed and not collected yet
 * @param heapMaxBytes what the heap may grow to
 * @param eventLoopLag by how much the latest event loop was late
 */
record NodeLoad(
    @Nullable Double cpu,
    int processors,
    long heapUsedBytes,
    long heapMaxBytes,
    Duration eventLoopLag) {
  static NodeLoad now(Duration eventLoopLag) {
    var heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    return new NodeLoad(
        cpuNow(),
        Runtime.getRuntime().availableProcessors(),
        heap.getUsed(),
        Runtime.getRuntime().maxMemory(),
        eventLoopLag);
  }

  private static @Nullable Double cpuNow() {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
      double load = system.getProcessCpuLoad();
      return load >= 0 ? Math.min(1, load) : null; // also where it is not a number
    }
    return null;
  }

  JsonObject json() {
    return new JsonObject()
        .put("cpu", cpu)
        .put("processors", processors)
        .put("heapUsedBytes", heapUsedBytes)
        .put("heapMaxBytes", heapMaxBytes)
        .put("eventLoopLagMs", eventLoopLag.toMillis());
  }
}
