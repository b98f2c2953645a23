package skein.node.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** How long processes have had a processor, and the memory they hold. */
final class ProcessCpu {
  /** The unit of times of Linux, on every architecture that the JVM runs on. */
  private static final int TICKS_PER_SECOND = 100;

  private static final int USER = 11;
  private static final int SYSTEM = 12;
  private static final int ENDED_USER = 13;
  private static final int ENDED_SYSTEM = 14;

  private ProcessCpu() {}

  /** The processor time of one process. */
  static double seconds(ProcessHandle process) {
    var fields = stat(process);
    return fields.length == 0 ? byTheJvm(process) : userSeconds(fields) + systemSeconds(fields);
  }

  /** The user time of a process or a thread, from {@link #fieldsOf} its {@code stat}. */
  static double userSeconds(String[] fields) {
    return ticks(fields, USER) / TICKS_PER_SECOND;
  }

  /** The same, in the kernel. */
  static double systemSeconds(String[] fields) {
    return ticks(fields, SYSTEM) / TICKS_PER_SECOND;
  }

  /** The time of a process and its descendants; ended children count where Linux reports them. */
  static double secondsOfAll(ProcessHandle parent) {
    var fields = stat(parent);
    double ended =
        fields.length == 0
            ? 0
            : (ticks(fields, ENDED_USER) + ticks(fields, ENDED_SYSTEM)) / TICKS_PER_SECOND;
    return ended + seconds(parent) + parent.descendants().mapToDouble(ProcessCpu::seconds).sum();
  }

  private static double byTheJvm(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
  }

  private static double ticks(String[] fields, int index) {
    return Long.parseLong(fields[index]);
  }

  /** The fields after the name, which may have blanks; empty when there is nothing to read. */
  private static String[] stat(ProcessHandle process) {
    try {
      var text = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
      return fieldsOf(text);
    } catch (IOException _) {
      return new String[0];
    }
  }

  static String[] fieldsOf(String stat) {
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
  }

  /** Bytes in memory; 0 when unknown. */
  static long residentBytes(ProcessHandle process) {
    try {
      return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
          .findFirst()
          .orElse(0);
    } catch (IOException _) {
      return 0;
    }
  }
}
