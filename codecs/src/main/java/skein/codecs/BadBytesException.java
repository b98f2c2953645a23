package skein.codecs;

/**
 * Bytes that are not what they should be: cut off, damaged, or written by a newer version. Nothing
 * was built from them.
 */
public final class BadBytesException extends RuntimeException {
  private final int position;

  BadBytesException(String what, int position, String problem) {
    super(what + ", byte " + position + ": " + problem);
    this.position = position;
  }

  /** Offset of the byte that could not be read; 0 or more. */
  public int position() {
    return position;
  }
}
