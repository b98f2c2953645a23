package skein.cluster;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages that carry many orders, and many answers. Each begins with its version, a byte. In
 * one of orders follow the format that the asking node reads (a byte), the length of that node's id
 * (a byte) and the id. An order without bytes only asks whether it arrives; so does its answer.
 */
final class BatchFormat {
  private static final int VERSION = 1;

  /** UTF-8 of the id of a node; it is a UUID. */
  private static final int NODE_ID_BYTES_MAX = 100;

  private BatchFormat() {}

  /**
   * Orders of one node.
   *
   * @param asker its id
   * @param reads the newest format of replies that it reads; 0 to 255
   */
  record Orders(String asker, int reads, List<NumberedParts.Part> parts) {}

  static NumberedParts orders(String asker, int reads) {
    var id = asker.getBytes(StandardCharsets.UTF_8);
    return new NumberedParts(
        Buffer.buffer()
            .appendByte((byte) VERSION)
            .appendByte((byte) reads)
            .appendByte((byte) id.length)
            .appendBytes(id));
  }

  static NumberedParts answers() {
    return new NumberedParts(Buffer.buffer().appendByte((byte) VERSION));
  }

  /** Throws {@link RuntimeException} for whatever is not such a message as a whole. */
  static Orders readOrders(@Nullable Object body) {
    var message = versioned(body);
    int length = message.getUnsignedByte(2);
    if (length == 0 || length > NODE_ID_BYTES_MAX) {
      throw new IllegalArgumentException("An id of " + length + " bytes is none of a node");
    }
    int end = 3 + length;
    return new Orders(
        message.getString(3, end), message.getUnsignedByte(1), NumberedParts.read(message, end));
  }

  /** Throws {@link RuntimeException} for whatever is not such a message as a whole. */
  static List<NumberedParts.Part> readAnswers(@Nullable Object body) {
    return NumberedParts.read(versioned(body), 1);
  }

  private static Buffer versioned(@Nullable Object body) {
    if (!(body instanceof Buffer message)) {
      throw new IllegalArgumentException("The message has no bytes");
    }
    int version = message.getUnsignedByte(0);
    if (version != VERSION) {
      throw new IllegalArgumentException("Version " + version + " is not known here");
    }
    return message;
  }
}
