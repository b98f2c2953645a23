package skein.codecs;

/**
 * Bytes that are not what they should be: cut off, damaged, or written by a newer version. Nothing
 * was built from them.
 */
public final class BadBytesException extends RuntimeException {
  private final int position;
  private final boolean newer;

  BadBytesException(String what, int position, String problem) {
    this(what, position, problem, false);
  }

  BadBytesException(String what, int position, String problem, boolean newer) {
    super(what + ", byte " + position + ": " + problem);
    this.position = position;
    this.newer = newer;
  }

  /** Whether a newer version may be able to read them; what it wrote is to be left to it. */
  public boolean isNewer() {
    return newer;
  }

  /** Offset of the byte that could not be read; 0 or more. */
  public int position() {
    return position;
  }
}
