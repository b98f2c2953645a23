package skein.node.config;

import java.time.Duration;
import java.util.Map;

/**
 * The limits of one expression.
 *
 * @param timeMax processor time
 * @param wallTimeMax time that passes, whether a processor works or not
 * @param burstTimeMax processor time of all expressions of one burst
 */
public record ExpressionsConfig(
    Duration timeMax,
    Duration wallTimeMax,
    Duration burstTimeMax,
    long instructionsMax,
    long allocationBytesMax,
    long stringCharsMax,
    int stackDepthMax,
    int resultCharsMax,
    int sourceCharsMax,
    Map<String, String> configuration) {
  private static final Duration MS = Duration.ofMillis(1);
  private static final int MANY = 1_000_000_000;

  static ExpressionsConfig from(Settings s) {
    return new ExpressionsConfig(
        s.duration("expressions.time-max", "500ms", MS),
        s.duration("expressions.wall-time-max", "30s", MS),
        s.duration("expressions.burst-time-max", "10s", MS),
        s.longInteger("expressions.instructions-max", "50000000", 1000, Long.MAX_VALUE),
        s.bytes("expressions.allocation-bytes-max", "64MiB", 1 << 10, 1L << 40),
        s.longInteger("expressions.string-chars-max", "16777216", 100, 1L << 30),
        s.integer("expressions.stack-depth-max", "1000", 10, 100_000),
        s.integer("expressions.result-chars-max", "4194304", 100, MANY),
        s.integer("expressions.source-chars-max", "262144", 100, MANY),
        s.secretMap("expressions.configuration"));
  }

  /** Rules over more than one key. */
  void check(Settings s) {
    s.require(
        wallTimeMax.compareTo(timeMax.multipliedBy(2)) >= 0,
        "expressions.wall-time-max: must be at least twice expressions.time-max");
    s.require(
        burstTimeMax.compareTo(timeMax) >= 0,
        "expressions.burst-time-max: must be at least expressions.time-max");
  }
}
