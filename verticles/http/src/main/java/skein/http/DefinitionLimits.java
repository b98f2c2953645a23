package skein.http;

/**
 * How much a client may send as a definition.
 *
 * @param bytesMax of the JSON text; where other bodies may be larger, those count
 * @param concurrentMax requests with a definition larger than other bodies at a time, of one event
 *     loop; 1 or more
 */
public record DefinitionLimits(int bytesMax, int concurrentMax) {
  /** A value for so many bytes is more than those of designers have. */
  static final int BYTES_PER_VALUE = 25;

  /** 10 MiB, one at a time. */
  public static final DefinitionLimits DEFAULT = new DefinitionLimits(10 << 20, 1);

  public DefinitionLimits {
    if (bytesMax < 1 || concurrentMax < 1) {
      throw new IllegalArgumentException(
          "bytesMax %d, concurrentMax %d: 1 or more".formatted(bytesMax, concurrentMax));
    }
  }
}
