package skein.node.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import skein.node.bench.ThreadTimes.Cpu;
import skein.node.bench.ThreadTimes.Part;

/** Where the processor time of one operation goes. */
record Profile(String name, long operations, ThreadTimes times, Stacks stacks) {

  /** Microseconds of one operation: the steps of the nodes' Java threads, then what is beside. */
  String table() {
    var lines = new ArrayList<String>();
    lines.add(
        "%s: microseconds of processor time for one operation (%d operations, %d samples)"
            .formatted(name, operations, stacks.samples()));
    lines.add("");
    lines.add(line("nodes, Java threads", micros(times.of(Part.JAVA))));
    lines.addAll(steps());
    if (stacks.samples() == 0) {
      lines.add("  (no samples: the flight recorder takes them of JDK 25 or newer on Linux)");
    }
    lines.add(line("  of all these in the kernel", perOperation(times.of(Part.JAVA).kernel())));
    lines.add(line("nodes, compiler", micros(times.of(Part.COMPILER))));
    lines.add(line("nodes, collector and other work of the JVM", micros(times.of(Part.COLLECTOR))));
    lines.add(line("nodes, the recording itself", micros(times.of(Part.RECORDER))));
    var sessions = times.of(Part.SESSIONS);
    lines.add(line("PostgreSQL, sessions", micros(sessions)));
    lines.add(line("  of these in the kernel", perOperation(sessions.kernel())));
    lines.add(line("PostgreSQL, writers and others", micros(times.of(Part.SERVERS))));
    return String.join("\n", lines) + "\n";
  }

  /** The largest first. */
  private List<String> steps() {
    double java = micros(times.of(Part.JAVA));
    return Arrays.stream(ProfileStep.values())
        .filter(step -> stacks.share(step) > 0)
        .sorted(Comparator.comparingDouble(stacks::share).reversed())
        .map(step ->
            line("  " + step.label(), java * stacks.share(step))
                + String.format(Locale.ROOT, "%7.1f %%", 100 * stacks.share(step)))
        .toList();
  }

  private double micros(Cpu cpu) {
    return perOperation(cpu.total());
  }

  private double perOperation(double seconds) {
    return operations == 0 ? 0 : seconds * 1e6 / operations;
  }

  private static String line(String label, double micros) {
    return String.format(Locale.ROOT, "%-46s%9.1f", label, micros);
  }
}
