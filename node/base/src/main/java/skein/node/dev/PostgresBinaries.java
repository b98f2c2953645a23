package skein.node.dev;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.tukaani.xz.XZInputStream;

/** The programs of PostgreSQL, unpacked once for a user, and how to run them. */
final class PostgresBinaries {
  private static final long PROGRAM_SECONDS_MAX = 120;

  private final Path folder;
  private final List<String> prefix;

  private PostgresBinaries(Path folder, List<String> prefix) {
    this.folder = folder;
    this.prefix = prefix;
  }

  /** Unpacks into the first of {@code caches} that can be written, unless it is there already. */
  static PostgresBinaries unpacked(String version, List<Path> caches) {
    var platform = platform();
    var name = "postgresql-" + version + "-" + platform;
    var failures = new ArrayList<String>();
    for (var cache : caches) {
      try {
        var folder = cache.resolve(name);
        if (!Files.isExecutable(folder.resolve("bin/postgres"))) {
          unpack(platform, cache, folder);
        }
        return new PostgresBinaries(folder, prefix());
      } catch (IOException e) {
        failures.add(e.toString());
      }
    }
    throw new CannotStartException("PostgreSQL cannot be unpacked: " + String.join("; ", failures));
  }

  private static String platform() {
    boolean mac = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac");
    var arch = System.getProperty("os.arch").matches("aarch64|arm64") ? "arm_64" : "x86_64";
    return (mac ? "darwin-" : "linux-") + arch;
  }

  /** Into a folder beside, then renamed: another process sees all of it or nothing. */
  private static void unpack(String platform, Path cache, Path folder) throws IOException {
    Files.createDirectories(cache);
    var beside = Files.createTempDirectory(cache, "unpacking-");
    try (var archive = archive(platform);
        var tar = new XZInputStream(archive)) {
      TarFolder.unpack(tar, beside);
      Files.move(beside, folder);
    } catch (FileSystemException e) {
      if (!Files.isExecutable(folder.resolve("bin/postgres"))) {
        throw e;
      }
    } finally {
      Folders.delete(beside);
    }
  }

  private static InputStream archive(String platform) {
    var in = PostgresBinaries.class.getResourceAsStream("/postgres-" + platform + ".txz");
    if (in == null) {
      throw new CannotStartException(
          "skein-dev.jar has no PostgreSQL for "
              + platform
              + ": build it on this machine, or name a database with --db postgresql://…");
    }
    return in;
  }

  /**
   * PostgreSQL refuses to run as root; inside a user namespace of its own it runs as an
   * unprivileged user.
   */
  private static List<String> prefix() {
    boolean root = System.getProperty("user.name").equals("root");
    if (!root) {
      return List.of();
    }
    try {
      var probe = new ProcessBuilder("unshare", "-U", "true").redirectErrorStream(true).start();
      if (probe.waitFor(10, TimeUnit.SECONDS) && probe.exitValue() == 0) {
        return List.of("unshare", "-U");
      }
    } catch (IOException _) {
      // no unshare here
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new CannotStartException(
        "PostgreSQL does not run as root, and this machine does not allow user namespaces"
            + " (unshare -U): start skein as a normal user, or name a database with --db"
            + " postgresql://…");
  }

  /** Runs a program to its end; its output is in the message when it fails. */
  String run(String input, String program, String... arguments) {
    var command = new ArrayList<>(prefix);
    command.add(folder.resolve("bin").resolve(program).toString());
    command.addAll(Arrays.asList(arguments));
    try {
      var output = Files.createTempFile("skein-" + program, ".txt");
      try {
        int code = run(command, input, output.toFile());
        var text = Files.readString(output);
        if (code != 0) {
          throw new CannotStartException(
              program + " ended with code " + code + ": " + text.strip());
        }
        return text;
      } finally {
        Files.deleteIfExists(output);
      }
    } catch (IOException e) {
      throw new CannotStartException(program + " cannot be run: " + e.getMessage(), e);
    }
  }

  /** Output goes to a file: a server that a program leaves behind would keep a pipe open. */
  private int run(List<String> command, String input, File output) throws IOException {
    var builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output);
    builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
    builder.environment().put("LC_ALL", "C");
    var process = builder.start();
    try (var stdin = process.outputWriter()) {
      stdin.write(input);
    }
    try {
      if (!process.waitFor(PROGRAM_SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new CannotStartException(command + " did not end in " + PROGRAM_SECONDS_MAX + " s");
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CannotStartException(command + " was interrupted", e);
    }
  }
}
