package skein.node.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import skein.node.bench.ThreadTimes.Cpu;
import skein.node.bench.ThreadTimes.Part;

/**
 * The threads of some processes at one moment, by their number; empty where Linux does not report
 * them.
 */
record ThreadSnapshot(Map<String, Entry> threads) {
  private static final Pattern COLLECTOR =
      Pattern.compile("(VM Thread|VM Periodic|GC Thread|G1 |Z[A-Z]|XWorker|Shenandoah).*");

  /** The title of a session ends with its client: an address with a port, or none. */
  private static final Pattern SESSION = Pattern.compile("postgres: .*(\\[local]|\\(\\d+\\)).*");

  /** A thread and what it has used so far. */
  record Entry(Part part, Cpu cpu) {}

  ThreadSnapshot {
    threads = Map.copyOf(threads);
  }

  /** The threads of nodes, and of a server of PostgreSQL, whose processes have one each. */
  static ThreadSnapshot of(List<ProcessHandle> nodes, Stream<ProcessHandle> postgres) {
    var threads = new HashMap<String, Entry>();
    for (var node : nodes) {
      for (var thread : tasks(node)) {
        add(threads, thread, "comm", ThreadSnapshot::partOfNode);
      }
    }
    postgres
        .map(process -> Path.of("/proc/" + process.pid()))
        .forEach(process -> add(threads, process, "cmdline", ThreadSnapshot::partOfPostgres));
    return new ThreadSnapshot(threads);
  }

  private static List<Path> tasks(ProcessHandle process) {
    try (var tasks = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
      return tasks.toList();
    } catch (IOException _) {
      return List.of();
    }
  }

  private static void add(
      Map<String, Entry> threads, Path thread, String nameIn, Function<String, Part> partOf) {
    try {
      var fields = ProcessCpu.fieldsOf(Files.readString(thread.resolve("stat")));
      var name = Files.readString(thread.resolve(nameIn), StandardCharsets.ISO_8859_1).strip();
      var cpu = new Cpu(ProcessCpu.userSeconds(fields), ProcessCpu.systemSeconds(fields));
      threads.put(thread.toString(), new Entry(partOf.apply(name), cpu));
    } catch (IOException _) {
      // it has ended
    }
  }

  static Part partOfNode(String name) {
    if (name.startsWith("C1 ") || name.startsWith("C2 ")) {
      return Part.COMPILER;
    }
    if (name.startsWith("JFR ")) {
      return Part.RECORDER;
    }
    return COLLECTOR.matcher(name).matches() ? Part.COLLECTOR : Part.JAVA;
  }

  static Part partOfPostgres(String title) {
    return SESSION.matcher(title).matches() ? Part.SESSIONS : Part.SERVERS;
  }

  /** The use since then; threads that have ended do not count. */
  ThreadTimes since(ThreadSnapshot earlier) {
    var parts = new EnumMap<Part, Cpu>(Part.class);
    threads.forEach((thread, now) -> {
      var then = earlier.threads.get(thread);
      var used = then == null ? now.cpu : now.cpu.minus(then.cpu);
      parts.merge(now.part, used, Cpu::plus);
    });
    return new ThreadTimes(parts);
  }
}
