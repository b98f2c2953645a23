package skein.node.dev;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A server running on a data directory, as its file {@code postmaster.pid} says: line 1 is the
 * process, line 7 its shared memory, line 8 its state.
 */
final class Postmaster {
  private static final Duration STOP_MAX = Duration.ofSeconds(30);

  private final PostgresBinaries binaries;
  private final Path directory;

  Postmaster(PostgresBinaries binaries, Path directory) {
    this.binaries = binaries;
    this.directory = directory;
  }

  private Path file() {
    return file(directory);
  }

  private static Path file(Path directory) {
    return directory.resolve("postmaster.pid");
  }

  /** The server's process, when there is one. */
  Optional<ProcessHandle> process() {
    return process(directory);
  }

  private static Optional<ProcessHandle> process(Path directory) {
    try {
      var lines = Folders.lines(file(directory));
      return lines.isEmpty()
          ? Optional.empty()
          : ProcessHandle.of(Long.parseLong(lines.getFirst().strip()))
              .filter(ProcessHandle::isAlive)
              .filter(process -> serves(process, directory));
    } catch (IOException | NumberFormatException _) {
      return Optional.empty(); // it is being written or removed
    }
  }

  /** Numbers of processes are used again: in containers another program soon has the same one. */
  private static boolean serves(ProcessHandle process, Path directory) {
    return process
        .info()
        .arguments()
        .map(arguments -> Arrays.asList(arguments).contains(directory.toString()))
        .orElse(true); // not ours to look at: then a server is what we must assume
  }

  boolean isReady() {
    try {
      var lines = Folders.lines(file());
      return process().isPresent() && lines.size() >= 8 && lines.get(7).startsWith("ready");
    } catch (IOException _) {
      return false; // it is being written
    }
  }

  /** Ends the server of a directory that is no longer needed, when its sessions have ended. */
  static void end(Path directory) {
    var running = process(directory);
    if (running.isPresent()) {
      running.get().destroy();
      awaitEnd(running.get());
    }
  }

  /** Ends the server and its sessions; everything committed is on disk. */
  void stop() {
    var running = process();
    if (running.isEmpty()) {
      return;
    }
    binaries.run("", "pg_ctl", "stop", "-D", directory.toString(), "-m", "fast", "-W");
    awaitEnd(running.get());
  }

  private static void awaitEnd(ProcessHandle server) {
    try {
      server.onExit().get(STOP_MAX.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new CannotStartException(
          "PostgreSQL (process " + server.pid() + ") does not stop; see its log", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * PostgreSQL does not start when its file names a process that lives, even if that is another
   * program by now, as happens in containers. The file may go only when no process uses the
   * server's shared memory: its sessions could still write.
   */
  void removeFileOfAnotherProcess() throws IOException {
    var lines = Folders.lines(file());
    if (lines.size() < 7 || process().isPresent()) {
      return;
    }
    boolean alive =
        ProcessHandle.of(Long.parseLong(lines.getFirst().strip()))
            .map(ProcessHandle::isAlive)
            .orElse(false);
    if (!alive) {
      return;
    }
    var keyAndId = lines.get(6).strip();
    if (isAttached(keyAndId.substring(keyAndId.lastIndexOf(' ') + 1))) {
      throw new CannotStartException(
          "Sessions of an earlier PostgreSQL still run on " + directory + ": end them first");
    }
    Files.delete(file());
  }

  private static boolean isAttached(String sharedMemoryId) throws IOException {
    var table = Path.of("/proc/sysvipc/shm");
    if (!Files.exists(table)) {
      return true; // cannot know
    }
    return Files.readAllLines(table).stream()
        .skip(1)
        .map(line -> line.strip().split("\\s+"))
        .anyMatch(columns -> columns[1].equals(sharedMemoryId) && !columns[6].equals("0"));
  }
}
