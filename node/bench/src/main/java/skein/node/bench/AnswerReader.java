package skein.node.bench;

import io.netty.buffer.ByteBuf;

/**
 * Reads answers of HTTP/1.1 that say how long they are, and of their heads only what it needs.
 *
 * <p>A complete answer stands at the start of the bytes given; its body is {@link #bodyAt} and
 * {@link #bodyBytes} after that start.
 */
final class AnswerReader {
  private static final byte[] LENGTH = Requests.bytes("content-length:");
  private static final byte[] CHUNKED = Requests.bytes("transfer-encoding:");
  private static final int STATUS_AT = 9;
  private static final int NO_CONTENT = 204;

  private int status;
  private int bodyAt;
  private int bodyBytes;

  int status() {
    return status;
  }

  int bodyAt() {
    return bodyAt;
  }

  int bodyBytes() {
    return bodyBytes;
  }

  /**
   * True when the answer is complete.
   *
   * @throws IllegalStateException for an answer that does not say its length
   */
  boolean isComplete(ByteBuf in) {
    int start = in.readerIndex();
    int end = in.writerIndex();
    int at = start;
    int length = -1;
    while (true) {
      int newline = in.indexOf(at, end, (byte) '\n');
      if (newline < 0) {
        return false;
      }
      if (newline - at <= 1) { // the empty line
        at = newline + 1;
        break;
      }
      if (startsWith(in, at, newline, LENGTH)) {
        length = number(in, at + LENGTH.length, newline);
      } else if (startsWith(in, at, newline, CHUNKED)) {
        throw new IllegalStateException("The answer comes in chunks of unknown length");
      }
      at = newline + 1;
    }
    status = number(in, start + STATUS_AT, start + STATUS_AT + 3);
    if (length < 0 && status != NO_CONTENT) {
      throw new IllegalStateException("The answer does not say its length");
    }
    bodyAt = at - start;
    bodyBytes = Math.max(0, length);
    return end - at >= bodyBytes;
  }

  /** {@code name} in lower case. */
  private static boolean startsWith(ByteBuf in, int at, int end, byte[] name) {
    if (end - at < name.length) {
      return false;
    }
    for (int i = 0; i < name.length; i++) {
      int b = in.getByte(at + i);
      if ((b >= 'A' && b <= 'Z' ? b | 0x20 : b) != name[i]) {
        return false;
      }
    }
    return true;
  }

  private static int number(ByteBuf in, int from, int end) {
    int number = 0;
    for (int i = from; i < end; i++) {
      int digit = in.getByte(i) - '0';
      if (digit >= 0 && digit <= 9) {
        number = Math.addExact(Math.multiplyExact(number, 10), digit);
      }
    }
    return number;
  }
}
