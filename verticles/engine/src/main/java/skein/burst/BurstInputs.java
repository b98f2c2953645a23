package skein.burst;

import java.time.Instant;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The inputs of a burst that are not part of the state, such as the time.
 *
 * @param now constant during the burst
 * @param seed of every random number that scripts ask for
 * @param commitId of the transition
 * @param secret that tokens are made of, {@link skein.codecs.ResumeToken#SECRET_BYTES}; asked for
 *     once at most, and only where a token is made
 */
public record BurstInputs(Instant now, long seed, UUID commitId, Supplier<byte[]> secret) {

  /** For what makes no tokens. */
  public BurstInputs(Instant now, long seed, UUID commitId) {
    this(now, seed, commitId, BurstInputs::noSecret);
  }

  private static byte[] noSecret() {
    throw new IllegalStateException("A token is made where none was expected");
  }
}
