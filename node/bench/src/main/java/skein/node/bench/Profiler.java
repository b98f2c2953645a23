package skein.node.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import skein.node.dev.CannotStartException;

/**
 * Tells where the processor time of nodes and PostgreSQL goes while some stretches last: Java's by
 * samples of the JDK's flight recorder, all by Linux's figures of threads.
 */
final class Profiler {
  private static final String RECORDING = "skein-bench";

  private final Meter meter;
  private final Path folder;
  private final String name;
  private final List<Stacks.Stretch> stretches = new ArrayList<>();
  private ThreadTimes times = ThreadTimes.NONE;
  private long operations;

  /** {@code name}: of the files, which are written to the folder. */
  Profiler(Meter meter, Path folder, String name) {
    this.meter = meter;
    this.folder = folder.toAbsolutePath();
    this.name = name;
  }

  void begin() {
    try {
      Files.createDirectories(folder);
      var settings = Files.writeString(folder.resolve(name + ".jfc"), Stacks.SETTINGS);
      meter
          .nodes()
          .forEach(node ->
              node.command(
                  "jfrStart", "name=" + RECORDING, "settings=\"" + settings + "\"", "disk=true"));
      Files.delete(settings);
    } catch (IOException e) {
      throw cannotBeWritten(e);
    }
  }

  /** Figures that the work counts. */
  Outcome round(Supplier<Outcome> work) {
    var before = snapshot();
    var from = Instant.now();
    var outcome = work.get();
    stretches.add(new Stacks.Stretch(from, Instant.now()));
    times = times.plus(snapshot().since(before));
    operations += outcome.operations();
    return outcome;
  }

  private ThreadSnapshot snapshot() {
    return ThreadSnapshot.of(
        meter.nodes().stream().map(NodeJvm::process).toList(), meter.postgres());
  }

  /** Writes a table and all stacks. Returns the file with the table. */
  Path end() {
    try {
      var stacks = new Stacks();
      for (var node : meter.nodes()) {
        var recording = folder.resolve(name + "-" + node.process().pid() + ".jfr");
        node.command("jfrStop", "name=" + RECORDING, "filename=\"" + recording + "\"");
        stacks.read(recording, stretches);
        Files.delete(recording);
      }
      Files.write(folder.resolve(name + ".collapsed"), stacks.collapsed());
      var profile = new Profile(name, operations, times, stacks);
      return Files.writeString(folder.resolve(name + ".txt"), profile.table());
    } catch (IOException e) {
      throw cannotBeWritten(e);
    }
  }

  private CannotStartException cannotBeWritten(IOException e) {
    return new CannotStartException(
        "The profile cannot be written to " + folder + ": " + e.getMessage(), e);
  }
}
