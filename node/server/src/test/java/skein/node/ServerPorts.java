package skein.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/** What the operating system knows of a process: its memory, and who is connected to its ports. */
final class ServerPorts {
  private static final String ESTABLISHED = "01";

  private ServerPorts() {}

  /** Connections to this port that both sides still have. */
  static long connectionsTo(int port) {
    var suffix = String.format(Locale.ROOT, ":%04X", port);
    return Stream.of("/proc/net/tcp", "/proc/net/tcp6")
        .flatMap(file -> lines(Path.of(file)))
        .map(line -> line.strip().split("\\s+", 5))
        .filter(fields -> fields[1].endsWith(suffix) && fields[3].equals(ESTABLISHED))
        .count();
  }

  /** Resident memory in MiB. */
  static long memory(long pid) {
    return lines(Path.of("/proc/" + pid + "/status"))
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
        .sum();
  }

  /** Of all its threads, in seconds. */
  static double cpuSeconds(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().totalCpuDuration())
        .map(spent -> spent.toMillis() / 1000.0)
        .orElse(0.0);
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.exists(file) ? Files.readAllLines(file).stream() : Stream.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
