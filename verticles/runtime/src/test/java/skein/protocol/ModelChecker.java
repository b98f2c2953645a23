package skein.protocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Runs TLC on a model of {@code src/model}, in a process of its own: it ends its JVM when it is
 * done. One worker, so that a counterexample is the shortest one and the same in every run.
 */
final class ModelChecker {
  private static final Path MODELS = Path.of("src/model").toAbsolutePath();
  private static final Path WORK = Path.of("target/model").toAbsolutePath();
  private static final Duration LONGEST_RUN = Duration.ofMinutes(5);
  private static final String HEAP_MAX = "-Xmx1g";

  private static final Pattern VIOLATED = Pattern.compile("Error: Invariant (\\w+) is violated");
  private static final Pattern STEP = Pattern.compile("^State \\d+: <(\\w+) ", Pattern.MULTILINE);
  private static final Pattern COUNTS =
      Pattern.compile("^(\\d+) states generated, (\\d+) distinct states found", Pattern.MULTILINE);

  /** Of the coverage report: an action, how many new states it led to, and how many at all. */
  private static final Pattern ACTION =
      Pattern.compile("^<(\\w+) line .*>: (\\d+):(\\d+)$", Pattern.MULTILINE);

  private ModelChecker() {}

  /**
   * @param violated the invariant that does not hold; null: all hold
   * @param steps the actions of the counterexample, in their order
   * @param actions how often each action was taken; empty unless asked for
   */
  record Result(
      @Nullable String violated,
      List<String> steps,
      Map<String, Long> actions,
      long generated,
      long distinct,
      Duration took) {}

  /**
   * @param model the name of a file {@code .cfg}; up to the first dash, that of the module
   * @param settings constants that are different from what the file says
   * @param invariant the only one to check; null: all of the file
   * @param countActions to be known from the result; takes half as long again
   */
  record Run(
      String model,
      Map<String, String> settings,
      @Nullable String invariant,
      boolean countActions) {}

  /** Fails when the model cannot be read, or the checker does not end in time. */
  static Result check(Run run) throws IOException, InterruptedException {
    Files.createDirectories(WORK);
    var folder = Files.createTempDirectory(WORK, run.model + "-");
    try {
      var configuration = folder.resolve(run.model + ".cfg");
      Files.writeString(configuration, configuration(run));
      var output = folder.resolve("output.txt");
      long since = System.nanoTime();
      var process =
          new ProcessBuilder(command(run, folder, configuration))
              .directory(MODELS.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      try {
        if (!process.waitFor(LONGEST_RUN.toSeconds(), TimeUnit.SECONDS)) {
          throw new IllegalStateException(run + " has not ended within " + LONGEST_RUN);
        }
      } finally {
        process.destroyForcibly();
      }
      return result(Files.readString(output), Duration.ofNanos(System.nanoTime() - since));
    } finally {
      delete(folder);
    }
  }

  private static List<String> command(Run run, Path folder, Path configuration) {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                HEAP_MAX,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                checkersJar().toString(),
                "tlc2.TLC"));
    command.addAll(List.of("-workers", "1", "-metadir", folder.resolve("states").toString()));
    if (run.countActions) {
      command.addAll(List.of("-coverage", "1"));
    }
    command.addAll(List.of("-config", configuration.toString(), module(run)));
    return command;
  }

  private static String module(Run run) {
    int dash = run.model.indexOf('-');
    return dash < 0 ? run.model : run.model.substring(0, dash);
  }

  private static Path checkersJar() {
    try {
      var source = Class.forName("tlc2.TLC").getProtectionDomain().getCodeSource();
      return Path.of(source.getLocation().toURI());
    } catch (ClassNotFoundException | URISyntaxException e) {
      throw new IllegalStateException("The model checker is not on the class path", e);
    }
  }

  private static String configuration(Run run) throws IOException {
    var text = Files.readString(MODELS.resolve(run.model + ".cfg"));
    for (var setting : run.settings.entrySet()) {
      var line = Pattern.compile("(?m)^  " + setting.getKey() + " = .*$").matcher(text);
      if (!line.find()) {
        throw new IllegalStateException(run.model + ".cfg does not set " + setting.getKey());
      }
      var changed = "  " + setting.getKey() + " = " + setting.getValue();
      text = line.replaceFirst(Matcher.quoteReplacement(changed));
    }
    return run.invariant == null
        ? text
        : text.replaceFirst("INVARIANTS\n(  \\w+\n)+", "INVARIANTS\n  " + run.invariant + "\n");
  }

  private static Result result(String output, Duration took) {
    var counts = COUNTS.matcher(output);
    var violated = VIOLATED.matcher(output);
    boolean found = violated.find();
    if (!counts.find() || (!found && !output.contains("No error has been found"))) {
      throw new IllegalStateException(output);
    }
    var steps = STEP.matcher(output).results().map(step -> step.group(1)).toList();
    var actions = new LinkedHashMap<String, Long>();
    ACTION
        .matcher(output)
        .results()
        .forEach(each -> actions.put(each.group(1), Long.valueOf(each.group(3))));
    return new Result(
        found ? violated.group(1) : null,
        steps,
        actions,
        Long.parseLong(counts.group(1)),
        Long.parseLong(counts.group(2)),
        took);
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      files
          .sorted(Comparator.reverseOrder())
          .forEach(file -> {
            try {
              Files.delete(file);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
  }
}
