package skein.node.config;

import java.time.Duration;

/** Links that resume. */
public record TokensConfig(Duration lifetimeDefault, int refusalsPerMinuteMax) {
  private static final Duration SECOND = Duration.ofSeconds(1);

  static TokensConfig from(Settings s) {
    return new TokensConfig(
        s.duration("tokens.lifetime-default", "30d", SECOND),
        s.integer("tokens.refusals-per-minute-max", "60", 1, 100_000));
  }
}
