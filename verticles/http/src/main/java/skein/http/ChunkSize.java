package skein.http;

/** The line before a chunk (RFC 9112, 7.1). */
final class ChunkSize {
  /** A number of 31 bits has at most eight digits. */
  private static final int DIGITS_MAX = 8;

  private ChunkSize() {}

  /** -1 when it is none, or does not fit into 31 bits. {@code end}: without CR and LF. */
  static long of(byte[] bytes, int end) {
    int digits = 0;
    long size = 0;
    while (digits < end && digits <= DIGITS_MAX && Character.digit(bytes[digits], 16) >= 0) {
      size = size << 4 | Character.digit(bytes[digits], 16);
      digits++;
    }
    boolean fits = digits > 0 && digits <= DIGITS_MAX && size <= Integer.MAX_VALUE;
    return fits && isExtension(bytes, digits, end) ? size : -1;
  }

  private static boolean isExtension(byte[] bytes, int start, int end) {
    if (start < end && bytes[start] != ';') {
      return false;
    }
    for (int i = start; i < end; i++) {
      if (RequestHead.isControl(bytes[i])) {
        return false;
      }
    }
    return true;
  }
}
