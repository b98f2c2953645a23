package skein.node.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import skein.node.dev.CannotStartException;
import skein.node.dev.Folders;

/**
 * The build of a checkout: of one that is there, or of a commit, in a work tree of git that is
 * removed when this is closed. Its own launcher makes it. Closing is thread-safe, the rest is for
 * one thread.
 */
final class OtherBuild implements AutoCloseable {
  private static final Path LAUNCHER = Path.of("node", "skein");
  private static final Duration BUILD_MAX = Duration.ofMinutes(20);
  private static final Duration END_MAX = Duration.ofSeconds(10);
  private static final int LINES_SHOWN = 20;

  private final Path home;
  private final String name;
  private @Nullable Path folder;
  private @Nullable Process running;
  private boolean closed;

  /**
   * @param home the checkout that knows the commit
   * @param name a commit as git reads it, or the folder of a checkout, as a path with a slash
   */
  OtherBuild(Path home, String name) {
    this.home = home;
    this.name = name;
  }

  /**
   * What starts its nodes; it is built by then.
   *
   * @throws CannotStartException when there is no such commit, or it cannot be built
   */
  Path launcher() {
    var there = Path.of(name).resolve(LAUNCHER).toAbsolutePath();
    var isFolder = name.contains("/") && Files.isExecutable(there);
    var launcher = isFolder ? there : checkedOut().resolve(LAUNCHER);
    run("be built", List.of(launcher.toString(), "version"));
    return launcher;
  }

  private Path checkedOut() {
    var tree = newFolder().resolve("tree");
    run(
        "be checked out",
        git("worktree", "add", "--detach", tree.toString(), "--end-of-options", name));
    return tree;
  }

  private synchronized Path newFolder() {
    requireOpen();
    try {
      var made = Files.createTempDirectory("skein-bench-build-");
      folder = made;
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new CannotStartException("Stopped before the end");
    }
  }

  private List<String> git(String... arguments) {
    var command = new ArrayList<>(List.of("git", "-C", home.toString()));
    command.addAll(Arrays.asList(arguments));
    return command;
  }

  private void run(String what, List<String> command) {
    try {
      var output = Files.createTempFile("skein-bench-build-", ".log");
      try {
        if (!succeeds(command, output)) {
          throw new CannotStartException(name + " cannot " + what + ":\n" + lastLines(output));
        }
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      throw new CannotStartException(name + " cannot " + what + ": " + e.getMessage(), e);
    }
  }

  private boolean succeeds(List<String> command, Path output) throws IOException {
    var builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().put("SKEIN_JAVA_HOME", System.getProperty("java.home"));
    builder.environment().remove("SKEIN_JAVA_OPTS");
    Process process;
    synchronized (this) {
      requireOpen();
      process = builder.start();
      running = process;
    }
    try {
      if (process.waitFor(BUILD_MAX.toSeconds(), TimeUnit.SECONDS)) {
        return process.exitValue() == 0;
      }
      end(process);
      throw new CannotStartException(name + " was not built within " + BUILD_MAX);
    } catch (InterruptedException e) {
      end(process);
      Thread.currentThread().interrupt();
      throw new CannotStartException("Interrupted", e);
    }
  }

  private static String lastLines(Path output) throws IOException {
    var lines = Files.readAllLines(output);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size()));
  }

  /** Returns when they have ended, and write no more. */
  private static void end(Process process) {
    var all = new ArrayList<>(process.descendants().toList());
    all.add(process.toHandle());
    all.forEach(ProcessHandle::destroy);
    try {
      all(all).get(END_MAX.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException _) {
      all.forEach(ProcessHandle::destroyForcibly);
      all(all).join();
    } catch (InterruptedException e) {
      all.forEach(ProcessHandle::destroyForcibly);
      Thread.currentThread().interrupt();
    }
  }

  private static CompletableFuture<Void> all(List<ProcessHandle> processes) {
    return CompletableFuture.allOf(
        processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new));
  }

  /** From any thread; what is being built is stopped too. */
  @Override
  public synchronized void close() {
    boolean first = !closed;
    closed = true;
    if (running != null) {
      end(running);
    }
    if (folder != null && first) {
      remove(folder);
    }
  }

  private void remove(Path made) {
    try {
      var tree = made.resolve("tree").toString();
      new ProcessBuilder(git("worktree", "remove", "--force", "--force", tree))
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD) // there is none if it was not added
          .start()
          .waitFor();
      Folders.delete(made);
    } catch (IOException e) {
      throw new CannotStartException(
          "The folder " + made + " cannot be deleted: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
