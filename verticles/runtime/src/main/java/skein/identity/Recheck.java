package skein.identity;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * How long what was found for a credential is taken for it.
 *
 * @param after 0 or more; what has changed since is seen then
 */
record Recheck(InstantSource clock, Duration after) {
  /**
   * When a credential that was verified now is to be verified again.
   *
   * @param end of the credential
   */
  Instant until(Instant end) {
    var next = clock.instant().plus(after);
    return end.isBefore(next) ? end : next;
  }
}
