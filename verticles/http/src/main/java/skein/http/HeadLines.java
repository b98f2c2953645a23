package skein.http;

import io.netty.buffer.ByteBuf;

/**
 * Counts the lines of the first head of a connection as its bytes come. Of HTTP/2 that is the one
 * line with which its preface begins. Not thread-safe.
 */
final class HeadLines {
  private static final byte LINE_FEED = '\n';
  private static final byte CARRIAGE_RETURN = '\r';

  private static final byte[] HEAD = {'H', 'E', 'A', 'D', ' '};

  private int lines;

  /** The length of the line that has not ended. */
  private int length;

  private byte previous;
  private boolean over;

  /** How much of the first line's begin is that of a HEAD request. */
  private int ofHead;

  /** The lines that have ended so far; the empty one that ends the head is none. */
  int add(ByteBuf bytes) {
    int end = bytes.writerIndex();
    for (int at = bytes.readerIndex(); at < end && !over; at++) {
      add(bytes.getByte(at));
    }
    return lines;
  }

  /** Whether the request is one whose answer has no body. */
  boolean isHead() {
    return ofHead == HEAD.length;
  }

  private void add(byte next) {
    if (lines == 0 && length == 0 && next <= ' ') {
      return; // as every reader of HTTP does before a head
    }
    if (lines == 0 && length == ofHead && ofHead < HEAD.length && next == HEAD[ofHead]) {
      ofHead++;
    }
    if (next == LINE_FEED) {
      over = length == 0 || (length == 1 && previous == CARRIAGE_RETURN);
      lines += over ? 0 : 1;
      length = 0;
    } else {
      length++;
    }
    previous = next;
  }
}
