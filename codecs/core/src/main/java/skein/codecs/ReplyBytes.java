package skein.codecs;

import skein.messages.Reply;

/**
 * Replies as they are kept in rows: the bytes that travel between nodes, in the oldest format that
 * this version writes, since a node of the version before may have to give them.
 */
public final class ReplyBytes {
  private ReplyBytes() {}

  public static byte[] encode(Reply reply) {
    return encode(reply, Integer.MAX_VALUE);
  }

  /**
   * As {@link #encode(Reply)}.
   *
   * @param stateBytesMax of the state in it; a larger one is refused with {@code STATE_TOO_LARGE}
   */
  public static byte[] encode(Reply reply, int stateBytesMax) {
    return MessageBytes.encode(reply, Format.oldestWritten(), stateBytesMax);
  }

  /** Throws {@link BadBytesException} for what is not a reply, or is one of a newer node. */
  public static Reply decode(byte[] bytes) {
    return MessageBytes.reply(bytes);
  }
}
