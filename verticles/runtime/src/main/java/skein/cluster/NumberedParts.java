package skein.cluster;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A message of many parts, for the event bus: a head, then the parts until its end. Of each part
 * its number (eight bytes), its length (four), and its bytes.
 */
final class NumberedParts {
  /** Parts of one message. */
  static final int COUNT_MAX = 256;

  /** Of one message, head included; a part that is longer than that has a message of its own. */
  static final int BYTES_MAX = 256 * 1024;

  private static final int BEFORE_PART = Long.BYTES + Integer.BYTES;

  private final Buffer message;
  private int count;

  /** One part; its bytes are not copied. */
  static final class Part {
    private final long number;
    private final byte[] bytes;

    /** {@code number}: says what it belongs to. */
    Part(long number, byte[] bytes) {
      this.number = number;
      this.bytes = bytes;
    }

    long number() {
      return number;
    }

    byte[] bytes() {
      return bytes;
    }

    /** Whether it only asks if it arrives; so is its answer. */
    boolean isQuestion() {
      return bytes.length == 0;
    }
  }

  /** {@code head}: is copied. */
  NumberedParts(Buffer head) {
    this.message = head.copy();
  }

  /** Whether it may have one part more, of so many bytes. */
  boolean takes(int bytes) {
    return count == 0
        || (count < COUNT_MAX && (long) message.length() + BEFORE_PART + bytes <= BYTES_MAX);
  }

  void add(long number, byte[] bytes) {
    message.appendLong(number).appendInt(bytes.length).appendBytes(bytes);
    count++;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** What was added until now. */
  Buffer message() {
    return message;
  }

  /**
   * All parts, or none.
   *
   * @param from where the head ends; 0 or more
   * @throws IllegalArgumentException when a part is cut off, or there are too many
   */
  static List<Part> read(Buffer message, int from) {
    var parts = new ArrayList<Part>();
    int at = from;
    while (at < message.length()) {
      int left = message.length() - at - BEFORE_PART;
      int length = left < 0 ? -1 : message.getInt(at + Long.BYTES);
      if (length < 0 || length > left) {
        throw new IllegalArgumentException("Part " + parts.size() + " does not end in the message");
      }
      if (parts.size() == COUNT_MAX) {
        throw new IllegalArgumentException("There are more than " + COUNT_MAX + " parts");
      }
      int begin = at + BEFORE_PART;
      parts.add(new Part(message.getLong(at), message.getBytes(begin, begin + length)));
      at = begin + length;
    }
    return parts;
  }
}
