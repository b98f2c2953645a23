package skein.cluster;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.bus.MessageParts;
import skein.codecs.BadBytesException;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * An order as bytes: a byte of flags, the command's id (16 bytes), of the key, the secret and the
 * variables those that the flags name (a length of four bytes and UTF-8 each), then the command.
 */
final class OrderBytes {
  private static final int REPEATED = 1;
  private static final int IN_PLACE_OF_OWNER = 2;
  private static final int KEY = 4;
  private static final int SECRET = 8;
  private static final int VARIABLES = 16;
  private static final int KNOWN = REPEATED | IN_PLACE_OF_OWNER | KEY | SECRET | VARIABLES;

  private OrderBytes() {}

  /** {@code format}: of the command; one that cannot be written is refused where it arrives. */
  static byte[] write(Order order, int format) {
    var beside = BesideBytes.of(order.command());
    int flags =
        (order.repeated() ? REPEATED : 0)
            | (order.inPlaceOfOwner() ? IN_PLACE_OF_OWNER : 0)
            | (order.key() == null ? 0 : KEY)
            | (beside.secret() == null ? 0 : SECRET)
            | (beside.variables() == null ? 0 : VARIABLES);
    var out =
        Buffer.buffer()
            .appendByte((byte) flags)
            .appendLong(order.id().getMostSignificantBits())
            .appendLong(order.id().getLeastSignificantBits());
    text(out, order.key());
    text(out, beside.secret());
    text(out, beside.variables());
    return out.appendBytes(MessageParts.bytes(order.command(), format)).getBytes();
  }

  private static void text(Buffer out, @Nullable String text) {
    if (text != null) {
      var utf8 = text.getBytes(StandardCharsets.UTF_8);
      out.appendInt(utf8.length).appendBytes(utf8);
    }
  }

  /**
   * An order of another node. Throws {@link SkeinException} with {@code INVALID_REQUEST}, or {@code
   * NEWER_FORMAT} where a newer node would understand it, or {@link BadBytesException}.
   */
  static Order read(byte[] bytes) {
    try {
      return new Reading(Buffer.buffer(bytes)).order();
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw new SkeinException(
          ErrorCode.INVALID_REQUEST, "The bytes of the order are damaged", List.of(), e);
    }
  }

  private static final class Reading {
    private final Buffer in;
    private int at;

    Reading(Buffer in) {
      this.in = in;
    }

    Order order() {
      int flags = in.getByte(at++);
      if ((flags & ~KNOWN) != 0) {
        throw new SkeinException(
            ErrorCode.NEWER_FORMAT, "The order has a part that this node does not know");
      }
      var id = new UUID(number(), number());
      var key = text(flags, KEY);
      var beside = new BesideBytes(text(flags, SECRET), text(flags, VARIABLES));
      var command = beside.with(MessageParts.command(in.getBytes(at, in.length())));
      return new Order(
          command,
          id,
          (flags & REPEATED) == 0 ? Delivery.REMOTE : Delivery.REPEATED,
          key,
          (flags & IN_PLACE_OF_OWNER) != 0);
    }

    private long number() {
      at += Long.BYTES;
      return in.getLong(at - Long.BYTES);
    }

    private @Nullable String text(int flags, int flag) {
      if ((flags & flag) == 0) {
        return null;
      }
      int from = at + Integer.BYTES;
      int length = in.getInt(at);
      if (length < 0 || length > in.length() - from) {
        throw new IndexOutOfBoundsException(length);
      }
      at = from + length;
      return in.getString(from, at);
    }
  }
}
