package skein.node.logging;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The last bytes of the log, for who looks at a node from elsewhere. Lines have positions: the
 * number of bytes that were written before them since the start. Thread-safe; writing copies bytes
 * and allocates nothing.
 */
final class RecentLines extends OutputStream {
  private final byte[] ring;

  /** Bytes since the start. */
  private long written;

  RecentLines(int bytes) {
    this.ring = new byte[bytes];
  }

  /**
   * Whole lines.
   *
   * @param next from where to continue reading
   * @param skipped bytes that were requested and are no longer kept
   */
  record Part(List<String> lines, long next, long skipped) {}

  @Override
  public synchronized void write(int one) {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] bytes, int from, int length) {
    int skipped = Math.max(0, length - ring.length);
    written += skipped;
    int start = from + skipped;
    int count = length - skipped;
    if (count == 0) {
      return;
    }
    int at = (int) (written % ring.length);
    int first = Math.min(count, ring.length - at);
    System.arraycopy(bytes, start, ring, at, first);
    System.arraycopy(bytes, start + first, ring, 0, count - first);
    written += count;
  }

  /**
   * Lines from a position on, the oldest first.
   *
   * @param position of a part before; negative: as many of the newest lines as fit
   * @param bytesMax of what is answered, from 1; a longer line is left out
   */
  synchronized Part after(long position, int bytesMax) {
    long begin = lineStart(written - ring.length);
    long from =
        position < 0
            ? Math.max(begin, lineStart(written - bytesMax))
            : Math.clamp(position, begin, written);
    long skipped = position < 0 ? 0 : Math.max(0, begin - position);
    int length = (int) Math.min(bytesMax, written - from);
    var bytes = copy(from, length);
    int end = lastBreak(bytes) + 1;
    if (end == 0 && length == bytesMax) {
      return new Part(List.of(), lineAfter(from), skipped);
    }
    var text = new String(bytes, 0, end, StandardCharsets.UTF_8);
    return new Part(text.lines().toList(), from + end, skipped);
  }

  /** The first line that begins there or later, as far as that can be seen. */
  private long lineStart(long position) {
    return position <= 0 ? 0 : lineAfter(position);
  }

  private long lineAfter(long position) {
    long next = position;
    while (next < written && at(next) != '\n') {
      next++;
    }
    return Math.min(next + 1, written);
  }

  private byte at(long position) {
    return ring[(int) (position % ring.length)];
  }

  private byte[] copy(long from, int length) {
    int at = (int) (from % ring.length);
    int first = Math.min(length, ring.length - at);
    var bytes = Arrays.copyOfRange(ring, at, at + length);
    if (first < length) {
      System.arraycopy(ring, 0, bytes, first, length - first);
    }
    return bytes;
  }

  private static int lastBreak(byte[] bytes) {
    int at = bytes.length - 1;
    while (at >= 0 && bytes[at] != '\n') {
      at--;
    }
    return at;
  }
}
