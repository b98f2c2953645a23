package skein.http;

import io.netty.buffer.ByteBuf;

/**
 * Counts the lines of the first head of a connection as its bytes come. What does not begin as a
 * head of HTTP/1, as HTTP/2 and TLS, has none. Not thread-safe.
 */
final class HeadLines {
  private static final byte LINE_FEED = '\n';
  private static final byte CARRIAGE_RETURN = '\r';
  private static final byte[] HTTP2 = {'P', 'R', 'I', ' '};

  private int lines;

  /** Of the line that has not ended. */
  private int length;

  /** Of these, how many are as in the preface of HTTP/2. */
  private int alike;

  private boolean over;

  /** The lines that have ended so far; the empty one that ends the head is none. */
  int add(ByteBuf bytes) {
    int end = bytes.writerIndex();
    for (int at = bytes.readerIndex(); at < end && !over; at++) {
      add(bytes.getByte(at));
    }
    return lines;
  }

  private void add(byte next) {
    if (next == LINE_FEED) {
      over = length == 0 && lines > 0;
      lines += length == 0 ? 0 : 1;
      length = 0;
    } else if (next != CARRIAGE_RETURN) {
      over = lines == 0 && !isOfMethod(next);
      length++;
    }
  }

  /** Of the first line: a letter first, and not the preface of HTTP/2. */
  private boolean isOfMethod(byte next) {
    if (length == 0 && !Character.isLetter(next)) {
      return false;
    }
    if (alike == length && length < HTTP2.length && HTTP2[length] == next) {
      alike++;
    }
    return alike < HTTP2.length;
  }
}
