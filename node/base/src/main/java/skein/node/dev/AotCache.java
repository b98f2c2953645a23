package skein.node.dev;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Makes the cache of compiled and linked classes (JEP 483, JEP 514) that lets the next start be
 * faster, in another process of low priority, the trainer. The launcher says where by {@code
 * -Dskein.aot.make=FILE} when there is none.
 *
 * <p>The trainer writes {@code FILE.PID}, with the number of this process, which gets its name when
 * it is whole. It ends with this process; what it has written by then is removed, by the next start
 * if this process was killed.
 */
public final class AotCache implements AutoCloseable {
  private static final String PROPERTY = "skein.aot.make";

  /** The name of a file that is not whole yet, with the number of the process that wants it. */
  private static final Pattern PARTIAL = Pattern.compile("skein-.*\\.aot\\.(\\d+)(\\..*)?");

  private final Path partial;
  private final Path work;
  private final Process trainer;
  private final CompletableFuture<Void> ended;

  private AotCache(Path file) throws IOException {
    this.partial = Path.of(file + "." + ProcessHandle.current().pid());
    this.work = Files.createTempDirectory("skein-warm-up");
    this.trainer = train();
    this.ended = trainer.onExit().thenAccept(process -> take(process.exitValue(), file));
  }

  /**
   * Empty when there is a cache, or when none can be made, as without a PostgreSQL to train on: the
   * next start is slower then.
   */
  public static Optional<AotCache> makeInBackground() {
    var name = System.getProperty(PROPERTY);
    if (name == null || !DevJar.isThere()) {
      return Optional.empty();
    }
    var file = Path.of(name).toAbsolutePath();
    try {
      removePartial(file.resolveSibling(""), pid -> ProcessHandle.of(pid).isEmpty());
      return Optional.of(new AotCache(file));
    } catch (IOException | UncheckedIOException _) {
      return Optional.empty();
    }
  }

  private Process train() throws IOException {
    var java = new ArrayList<>(OwnProcess.command());
    java.removeIf(argument -> argument.startsWith("-XX:AOTCache="));
    java.add(1, "-XX:AOTCacheOutput=" + partial);
    java.addAll(List.of("warm-up", "--child", "--folder", work.toString()));
    var command = new ArrayList<>(List.of("nice", "-n", "19"));
    command.addAll(java);
    return new ProcessBuilder(command)
        .redirectOutput(Redirect.DISCARD)
        .redirectError(Redirect.DISCARD)
        .start();
  }

  private void take(int exitCode, Path file) {
    try {
      if (exitCode == 0 && Files.exists(partial)) {
        Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
      }
      removePartial(file.resolveSibling(""), pid -> pid == ProcessHandle.current().pid());
    } catch (IOException | UncheckedIOException _) {
      // removed by a later start
    }
  }

  private static void removePartial(Path folder, Predicate<Long> ofProcess) throws IOException {
    try (var files = Files.list(folder)) {
      for (var file : files.toList()) {
        var name = PARTIAL.matcher(file.getFileName().toString());
        if (name.matches() && ofProcess.test(Long.parseLong(name.group(1)))) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  /**
   * Ends the trainer and its database at once. It is killed: however a JVM is asked to end, it
   * writes the cache first, and at the low priority that takes long.
   */
  @Override
  public void close() {
    trainer.descendants().forEach(ProcessHandle::destroyForcibly);
    trainer.destroyForcibly();
    ended.join();
    try {
      EmbeddedPostgres.discard(work);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
