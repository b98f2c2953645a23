package skein.node.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The log: what is written, how, and where to. */
public record LoggingConfig(
    LogLevel level,
    Map<String, LogLevel> levels,
    LogFormat format,
    int queueMax,
    Duration queueWaitMax,
    int lineCharsMax,
    int burstLinesMax,
    Duration writeDelay,
    int recentBytes,
    @Nullable LogFile file) {
  private static final int MANY = 1_000_000_000;

  public enum LogFormat {
    TEXT,
    JSON
  }

  /** {@code kept}: full files beside the one that is written. */
  public record LogFile(Path path, long bytesMax, int kept) {}

  static LoggingConfig from(Settings s) {
    return new LoggingConfig(
        s.choice("logging.level", LogLevel.INFO),
        s.choiceMap("logging.levels", LogLevel.INFO),
        s.choice("logging.format", LogFormat.TEXT),
        s.integer("logging.queue-max", "8192", 1, 1_000_000),
        s.duration("logging.queue-wait-max", "500ms", Duration.ZERO),
        s.integer("logging.line-chars-max", "8192", 100, 1_000_000),
        s.integer("logging.burst-lines-max", "1000", 0, MANY),
        s.duration("logging.write-delay", "2ms", Duration.ZERO),
        (int) s.bytes("logging.recent-bytes", "256KiB", 0, 1 << 30),
        logFile(s));
  }

  private static @Nullable LogFile logFile(Settings s) {
    var path = s.path("logging.file");
    long bytesMax = s.bytes("logging.file-bytes-max", "100MiB", 1 << 20, 1L << 40);
    int kept = s.integer("logging.files-kept", "5", 0, 1000);
    return path == null ? null : new LogFile(path, bytesMax, kept);
  }
}
