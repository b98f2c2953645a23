package skein.node;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** The jar as a process, and what it says. Closing kills it and what it started. */
final class Skein implements AutoCloseable {
  private static final Duration SAY_MAX = Duration.ofMinutes(3);

  private final Process process;
  private final List<String> output = new CopyOnWriteArrayList<>();
  private final Thread reader;

  private Skein(Process process) {
    this.process = process;
    this.reader = Thread.ofVirtual().start(this::read);
  }

  static Skein start(String... arguments) throws IOException {
    return start(List.of(), arguments);
  }

  /** {@code options}: for its JVM. */
  static Skein start(List<String> options, String... arguments) throws IOException {
    return start(List.of(), options, arguments);
  }

  /** By another program, which gets the command as arguments. */
  static Skein startBy(List<String> program, String... arguments) throws IOException {
    return start(program, List.of(), arguments);
  }

  /** With these variables in its environment, too. */
  static Skein startWith(Map<String, String> environment, String... arguments) throws IOException {
    var builder = builder(List.of(), List.of(), Path.of(ServerProcess.jar()), arguments);
    builder.environment().putAll(environment);
    return new Skein(builder.start());
  }

  private static Skein start(List<String> program, List<String> options, String... arguments)
      throws IOException {
    return start(program, options, Path.of(ServerProcess.jar()), arguments);
  }

  /** Another jar than that of the tests. */
  static Skein startJar(Path jar, String... arguments) throws IOException {
    return start(List.of(), List.of(), jar, arguments);
  }

  private static Skein start(
      List<String> program, List<String> options, Path jar, String... arguments)
      throws IOException {
    return new Skein(builder(program, options, jar, arguments).start());
  }

  private static ProcessBuilder builder(
      List<String> program, List<String> options, Path jar, String... arguments)
      throws IOException {
    var command = new ArrayList<>(program);
    command.addAll(ServerProcess.java());
    command.addAll(options);
    command.add("-Dskein.ports.part=" + Integer.getInteger("skein.ports.part", 0));
    command.addAll(TrainedJvm.options());
    command.addAll(ServerProcess.NODE_FLAGS);
    command.addAll(List.of("-jar", jar.toString()));
    command.addAll(Arrays.asList(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true);
  }

  private void read() {
    try (var lines = process.inputReader()) {
      lines.lines().forEach(output::add);
    } catch (IOException e) {
      output.add(e.toString());
    }
  }

  Process process() {
    return process;
  }

  List<String> output() {
    return List.copyOf(output);
  }

  /** Returns the first line that contains the text, once it is there. */
  String awaitLine(String text) throws InterruptedException {
    long end = System.nanoTime() + SAY_MAX.toNanos();
    while (System.nanoTime() < end) {
      boolean ended = !reader.isAlive();
      for (var line : output) {
        if (line.contains(text)) {
          return line;
        }
      }
      if (ended) {
        break;
      }
      reader.join(Duration.ofMillis(20));
    }
    throw new AssertionError("It did not say \"" + text + "\":\n" + String.join("\n", output));
  }

  /** The exit code. */
  int awaitEnd() throws InterruptedException {
    return awaitEnd(Duration.ofMinutes(1));
  }

  int awaitEnd(Duration max) throws InterruptedException {
    if (!process.waitFor(max.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError("It did not end:\n" + String.join("\n", output));
    }
    reader.join();
    return process.exitValue();
  }

  @Override
  public void close() {
    var all = process.descendants().toList();
    process.destroyForcibly();
    all.forEach(ProcessHandle::destroyForcibly);
  }
}
