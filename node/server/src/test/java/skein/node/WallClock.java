package skein.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The wall clock of one node, which can be set while it runs; its monotonic clock is not affected.
 * Needs libfaketime, as distributions have it.
 */
final class WallClock {
  private static final List<Path> LIBRARIES =
      List.of(
          Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"),
          Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1"),
          Path.of("/usr/lib64/faketime/libfaketime.so.1"));

  private final Path file;

  /** Before the node is started. */
  WallClock(ServerProcess node, Path folder) {
    file = folder.resolve(node.name() + ".clock");
    set(Duration.ZERO);
    node.environment("LD_PRELOAD", library().toString());
    node.environment("FAKETIME_TIMESTAMP_FILE", file.toString());
    node.environment("FAKETIME_CACHE_DURATION", "1");
    node.environment("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    node.environment("FAKETIME_FORCE_MONOTONIC_FIX", "0"); // else waiting returns at once
  }

  static boolean canBeSet() {
    return LIBRARIES.stream().anyMatch(Files::isReadable);
  }

  private static Path library() {
    return LIBRARIES.stream().filter(Files::isReadable).findFirst().orElseThrow();
  }

  /** So far from the true time, within a second. */
  void set(Duration ahead) {
    try {
      Files.writeString(file, "%+d".formatted(ahead.toSeconds()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
