package skein.node.bench;

import java.time.Duration;
import java.time.Instant;
import skein.model.Ulid;

/**
 * The ids that one run of the command gives to instances: the one of a number is always the same,
 * so that a million need not be kept. They look like ids of Skein's own and sort by number.
 */
final class Ids {
  static final int LENGTH = Ulid.LENGTH;

  private final Instant first;
  private final Duration apart;
  private final long salt;

  /** {@code first}: the time in the id with the number 0; {@code apart}: between two numbers. */
  Ids(Instant first, Duration apart, long salt) {
    this.first = first;
    this.apart = apart;
    this.salt = salt;
  }

  String id(int number) {
    return Ulid.of(at(number), mixed(2L * number), mixed(2L * number + 1));
  }

  Instant at(int number) {
    return first.plusNanos(apart.toNanos() * number);
  }

  /** A number that looks random and follows from {@code n} (Steele et al., SplitMix64). */
  long mixed(long n) {
    long z = salt + n * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
