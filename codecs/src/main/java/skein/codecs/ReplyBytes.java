package skein.codecs;

import skein.messages.Reply;

/** Replies as they are kept in rows: the bytes that travel between nodes, of every version. */
public final class ReplyBytes {
  private ReplyBytes() {}

  public static byte[] encode(Reply reply) {
    return MessageBytes.encode(reply);
  }

  /** Throws {@link BadBytesException} for what is no reply, or one of a newer node. */
  public static Reply decode(byte[] bytes) {
    return MessageBytes.reply(bytes);
  }
}
