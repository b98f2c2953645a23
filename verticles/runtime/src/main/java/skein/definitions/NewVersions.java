package skein.definitions;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;

/** The values of new versions. */
final class NewVersions {
  private final InstantSource clock;
  private final SecureRandom random;

  NewVersions(InstantSource clock, SecureRandom random) {
    this.clock = clock;
    this.random = random;
  }

  /** 16 hex digits, as Elsa's own. */
  String id() {
    return HexFormat.of().toHexDigits(random.nextLong());
  }

  Instant now() {
    return clock.instant();
  }
}
