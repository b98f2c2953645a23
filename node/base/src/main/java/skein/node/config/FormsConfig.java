package skein.node.config;

import java.time.Duration;

/** Limits of forms of user tasks; {@code timeMax} is elapsed time. */
public record FormsConfig(
    int schemaBytesMax,
    int depthMax,
    int patternSizeMax,
    int dataBytesMax,
    long stepsMax,
    Duration timeMax) {
  private static final Duration MS = Duration.ofMillis(1);

  static FormsConfig from(Settings s) {
    return new FormsConfig(
        Math.toIntExact(s.bytes("forms.schema-bytes-max", "64KiB", 1 << 10, 16 << 20)),
        s.integer("forms.depth-max", "64", 4, 200),
        s.integer("forms.pattern-size-max", "20000", 100, 1_000_000),
        Math.toIntExact(s.bytes("forms.data-bytes-max", "1MiB", 1 << 10, 256 << 20)),
        s.longInteger("forms.steps-max", "10000000", 1000, Long.MAX_VALUE),
        s.duration("forms.time-max", "10s", MS));
  }
}
