package skein.node.config;

import java.time.Duration;

/** {@code keep}: of violations that are over. */
public record ScannerConfig(
    boolean enabled,
    Duration interval,
    Duration silenceMax,
    int pageSize,
    Duration pause,
    Duration grace,
    Duration dueBound,
    boolean repair,
    Duration keep) {
  private static final Duration MS = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  static ScannerConfig from(Settings s) {
    return new ScannerConfig(
        s.flag("scanner.enabled", "true"),
        s.duration("scanner.interval", "5m", SECOND),
        s.duration("scanner.silence-max", "30s", SECOND),
        s.integer("scanner.page-size", "500", 10, 10_000),
        s.duration("scanner.pause", "100ms", Duration.ZERO),
        s.duration("scanner.grace", "1m", Duration.ZERO),
        s.duration("scanner.due-bound", "30s", MS),
        s.flag("scanner.repair", "true"),
        s.duration("scanner.keep", "30d", SECOND));
  }
}
