package skein.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.codecs.BadBytesException;
import skein.codecs.Format;
import skein.codecs.Samples;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.ErrorCode;

class MessagePartsTest {
  private static final int FORMAT = Format.newest();

  @Test
  void every_command_and_every_reply_is_read_as_it_was() {
    for (var command : Samples.commands()) {
      assertThat(MessageParts.command(MessageParts.bytes(command, FORMAT))).isEqualTo(command);
    }
    for (var reply : Samples.replies()) {
      assertThat(MessageParts.reply(MessageParts.bytes(reply, FORMAT))).isEqualTo(reply);
    }
  }

  @Test
  void a_command_that_cannot_be_written_is_refused_by_its_reader() {
    var unwritable =
        new Command.Resume(
            Samples.ID, null, Map.of("a", new Object()), new Command.Via.Api(), false);

    var bytes = MessageParts.bytes(unwritable, FORMAT);

    assertThatThrownBy(() -> MessageParts.command(bytes))
        .isInstanceOf(BadBytesException.class)
        .hasMessageContaining("its sender could not write it");
  }

  @Test
  void a_reply_that_cannot_be_read_is_a_refusal() {
    var whole = MessageParts.bytes(new Reply.TokenMinted("t", Instant.EPOCH), FORMAT);

    for (int length = 0; length < whole.length; length++) {
      assertThat(MessageParts.reply(Arrays.copyOf(whole, length)))
          .isInstanceOfSatisfying(
              Reply.Refused.class,
              refused -> assertThat(refused.code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN));
    }
  }
}
