package skein.codecs;

/**
 * How much JSON is taken in one text; all are checked before a value is built.
 *
 * @param bytesMax length of the whole text in UTF-8; 1 or more
 * @param depthMax arrays and objects within one another; 1 to {@link #DEPTH_CEILING}
 * @param stringCharsMax UTF-16 units of one string or key; 1 or more
 * @param numberDigitsMax digits of one number when written without an exponent, before and after
 *     the point; 20 or more
 * @param membersMax values in the whole text, arrays and objects included; 1 or more
 */
public record JsonLimits(
    int bytesMax, int depthMax, int stringCharsMax, int numberDigitsMax, int membersMax) {

  /** No depth is ever allowed past this: readers and writers are recursive. */
  public static final int DEPTH_CEILING = 500;

  /** 1 MiB of text, 64 deep, 512 Ki a string, 400 digits (every double fits), 100,000 values. */
  public static final JsonLimits DEFAULT = new JsonLimits(1 << 20, 64, 1 << 19, 400, 100_000);

  /** For what was checked when it was accepted and is only read back. */
  public static final JsonLimits STORED =
      new JsonLimits(1 << 28, DEPTH_CEILING, 1 << 28, 10_000, 10_000_000);

  public JsonLimits {
    requireRange("bytesMax", bytesMax, 1, Integer.MAX_VALUE);
    requireRange("depthMax", depthMax, 1, DEPTH_CEILING);
    requireRange("stringCharsMax", stringCharsMax, 1, Integer.MAX_VALUE);
    requireRange("numberDigitsMax", numberDigitsMax, 20, 100_000);
    requireRange("membersMax", membersMax, 1, Integer.MAX_VALUE);
  }

  public JsonLimits withBytesMax(int next) {
    return new JsonLimits(next, depthMax, stringCharsMax, numberDigitsMax, membersMax);
  }

  private static void requireRange(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(name + " is " + value + ", not " + min + " to " + max);
    }
  }
}
