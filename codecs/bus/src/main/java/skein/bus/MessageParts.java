package skein.bus;

import skein.codecs.BadBytesException;
import skein.messages.Command;
import skein.messages.Reply;

/**
 * Commands and replies within a message that carries many: the bytes that {@link MessageCodecs}
 * gives them when they travel alone, without a length. From any thread.
 */
public final class MessageParts {
  private MessageParts() {}

  /** Never throws: a command that cannot be written is refused where it arrives. */
  public static byte[] bytes(Command command, int format) {
    return MessageCodecs.COMMANDS.bytes(command, format);
  }

  /** Never throws: in place of a reply that cannot be written goes {@code OUTCOME_UNKNOWN}. */
  public static byte[] bytes(Reply reply, int format) {
    return MessageCodecs.REPLIES.bytes(reply, format);
  }

  /** Throws {@link BadBytesException} for what is not a command, or is one of a newer node. */
  public static Command command(byte[] bytes) {
    return MessageCodecs.COMMANDS.decode().apply(bytes);
  }

  /** In place of a reply that cannot be read: a refusal with {@code OUTCOME_UNKNOWN}. */
  public static Reply reply(byte[] bytes) {
    return MessageCodecs.REPLIES.decode().apply(bytes);
  }
}
