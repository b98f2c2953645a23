package skein.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;

/**
 * Counts the frames of a connection of HTTP/2 that have an answer and belong to no request, as its
 * bytes come: SETTINGS, PING, and those of unknown types. Not thread-safe.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113#section-4.1">RFC 9113, 3.4 and 4.1</a>
 */
final class Http2Frames {
  private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);
  private static final int HEADER_BYTES = 9;
  private static final int LENGTH_BYTES = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int CONTINUATION = 9;

  /** Bytes of the preface so far. */
  private int begun;

  private boolean otherwise;

  /** Bytes of the frame's header so far. */
  private int at;

  private int length;
  private int type;

  /** The missing bytes of the frame's payload. */
  private int rest;

  boolean isHttp2() {
    return begun == PREFACE.length && !otherwise;
  }

  /** How many such frames begin in these bytes. */
  int add(ByteBuf bytes) {
    int count = 0;
    int end = bytes.writerIndex();
    for (int i = begin(bytes); i < end; i++) {
      int skipped = Math.min(rest, end - i);
      rest -= skipped;
      i += skipped;
      if (i < end && header(bytes.getUnsignedByte(i))) {
        count += type == SETTINGS || type == PING || type > CONTINUATION ? 1 : 0;
      }
    }
    return count;
  }

  /** Where frames begin; the end when none do. */
  private int begin(ByteBuf bytes) {
    int i = bytes.readerIndex();
    int end = bytes.writerIndex();
    while (i < end && !isHttp2() && !otherwise) {
      otherwise = bytes.getByte(i++) != PREFACE[begun++];
    }
    return otherwise ? end : i;
  }

  /** Whether a frame's header is whole with this byte. */
  private boolean header(int next) {
    if (at < LENGTH_BYTES) {
      length = length << Byte.SIZE | next;
    } else if (at == LENGTH_BYTES) {
      type = next;
    }
    at++;
    if (at < HEADER_BYTES) {
      return false;
    }
    rest = length;
    at = 0;
    length = 0;
    return true;
  }
}
