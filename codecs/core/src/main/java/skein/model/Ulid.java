package skein.model;

import java.time.Instant;

/**
 * Writes ULIDs in lower case: 48 bits of milliseconds, 80 bits of randomness, 26 characters of
 * Crockford's base 32, sorting by time (https://github.com/ulid/spec).
 */
public final class Ulid {
  public static final int LENGTH = 26;
  private static final char[] DIGITS = "0123456789abcdefghjkmnpqrstvwxyz".toCharArray();

  private Ulid() {}

  /** {@code random}: 80 bits, the upper 16 of {@code high} are not used. */
  public static String of(Instant at, long high, long low) {
    long time = at.toEpochMilli() & 0xFFFFFFFFFFFFL;
    var text = new char[LENGTH];
    for (int i = 9; i >= 0; i--) {
      text[i] = DIGITS[(int) (time & 31)];
      time >>>= 5;
    }
    long first = high;
    long second = low;
    for (int i = 17; i >= 10; i--) {
      text[i] = DIGITS[(int) (first & 31)];
      first >>>= 5;
    }
    for (int i = 25; i >= 18; i--) {
      text[i] = DIGITS[(int) (second & 31)];
      second >>>= 5;
    }
    return new String(text);
  }
}
