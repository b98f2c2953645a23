package skein.node;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What the launcher does so that nodes start fast: a cache of what the JVM learned. It learned
 * without load: its profiles serve a compiler that most nodes of tests do without.
 */
final class TrainedJvm {
  private static final int MINUTES_MAX = 5;

  private TrainedJvm() {}

  /**
   * For nodes that are started with it; made when there is none for this jar, once for all
   * processes that run tests.
   */
  static synchronized List<String> options() {
    var jar = new File(ServerProcess.jar()).getAbsoluteFile();
    var folder = jar.getParentFile().toPath();
    var cache = folder.resolve("skein-" + jar.lastModified() + "-for-tests.aot");
    try (var file = FileChannel.open(folder.resolve("skein-for-tests.lock"), CREATE, WRITE);
        var _ = file.lock()) {
      if (!Files.exists(cache)) {
        make(cache);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.of("-XX:AOTCache=" + cache, "-Xlog:aot*=off", "-Xlog:cds*=off");
  }

  private static void make(Path cache) {
    var command = ServerProcess.java();
    command.add("-XX:AOTCacheOutput=" + cache);
    command.addAll(List.of("-jar", ServerProcess.jar(), "warm-up", "--brief"));
    var log = TestClusters.folder().resolve("warm-up.log");
    try {
      var process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(Redirect.to(log.toFile()))
              .start();
      if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IllegalStateException("No cache was made:\n" + Files.readString(log));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }
}
