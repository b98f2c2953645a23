package skein.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import skein.codecs.BadBytesException;
import skein.codecs.Format;
import skein.codecs.RandomValues;
import skein.codecs.Samples;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.ErrorCode;

class MessageCodecsTest {
  private static final int POSITION = 9;

  @Test
  void every_message_survives_the_wire() {
    Samples.requests().forEach(m -> assertThat(sent(MessageCodecs.REQUESTS, m)).isEqualTo(m));
    Samples.requests2().forEach(m -> assertThat(sent(MessageCodecs.REQUESTS, m)).isEqualTo(m));
    Samples.commands().forEach(m -> assertThat(sent(MessageCodecs.COMMANDS, m)).isEqualTo(m));
    Samples.commands2().forEach(m -> assertThat(sent(MessageCodecs.COMMANDS, m)).isEqualTo(m));
    Samples.replies().forEach(m -> assertThat(sent(MessageCodecs.REPLIES, m)).isEqualTo(m));
    Samples.replies2().forEach(m -> assertThat(sent(MessageCodecs.REPLIES, m)).isEqualTo(m));
    Samples.clusterEvents()
        .forEach(m -> assertThat(sent(MessageCodecs.CLUSTER_EVENTS, m)).isEqualTo(m));
  }

  @Test
  void the_reply_keeps_the_state_with_its_revision() {
    var state = new RandomValues(new Random(5)).instance();
    var reply =
        new Reply.Done(
            state.id(), state.definition(), state.status(), state.revision(), null, state);

    assertThat(sent(MessageCodecs.REPLIES, reply)).isEqualTo(reply);
  }

  @Test
  void inside_a_node_the_record_itself_is_passed_on() {
    var vertx = Vertx.vertx();
    try {
      MessageCodecs.register(vertx);
      MessageCodecs.register(vertx);
      var received = new CompletableFuture<Object>();
      var reply = Samples.replies().getFirst();
      vertx
          .eventBus()
          .consumer(
              "a",
              message -> {
                received.complete(message.body());
                message.reply(reply);
              });
      var request = Samples.requests().getFirst();

      var answer = vertx.eventBus().<Reply>request("a", request).await().body();

      assertThat(received.join()).isSameAs(request);
      assertThat(answer).isSameAs(reply);
    } finally {
      vertx.close().await();
    }
  }

  @Test
  void a_newer_version_or_an_unknown_kind_is_refused_by_name() {
    assertThatThrownBy(() -> received(MessageCodecs.REQUESTS, 3, 1))
        .isInstanceOfSatisfying(BadBytesException.class, e -> assertThat(e.isNewer()).isTrue())
        .hasMessageContaining("format version 3 is newer than 2");
    assertThatThrownBy(() -> received(MessageCodecs.COMMANDS, 1, 99))
        .isInstanceOfSatisfying(BadBytesException.class, e -> assertThat(e.isNewer()).isTrue())
        .hasMessageContaining("a kind of message this node does not know");
  }

  /** An exception would leave the asker without answer and without timeout. */
  @Test
  void a_reply_that_cannot_be_read_is_delivered_as_a_refusal() {
    assertThat(received(MessageCodecs.REPLIES, 3, 1))
        .isInstanceOfSatisfying(
            Reply.Refused.class,
            refused -> {
              assertThat(refused.code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
              assertThat(refused.detail()).contains("format version 3 is newer");
            });
  }

  @Test
  void a_message_that_cannot_be_written_is_refused_where_it_arrives() {
    var unwritable = new Request.CompleteTask("t", new Object());

    assertThatThrownBy(() -> sent(MessageCodecs.REQUESTS, unwritable))
        .isInstanceOf(BadBytesException.class)
        .hasMessageContaining(
            "its sender could not write it: java.lang.Object is not a JSON value");
  }

  @Test
  void bytes_cut_off_anywhere_are_refused() {
    for (var request : Samples.requests()) {
      var whole = wire(MessageCodecs.REQUESTS, request);
      for (int length = POSITION; length < whole.length(); length++) {
        var cut = whole.getBuffer(0, length);
        assertThat(catchThrowable(() -> MessageCodecs.REQUESTS.read(POSITION, cut)))
            .isInstanceOf(BadBytesException.class);
      }
    }
  }

  @Test
  void damaged_bytes_are_refused_or_read_but_nothing_else() {
    var random = new Random(11);
    for (var command : Samples.commands()) {
      var good = wire(MessageCodecs.COMMANDS, command).getBytes();
      for (int i = 0; i < 1_000; i++) {
        var bytes = good.clone();
        bytes[random.nextInt(POSITION, bytes.length)] = (byte) random.nextInt(256);
        var thrown =
            catchThrowable(() -> MessageCodecs.COMMANDS.read(POSITION, Buffer.buffer(bytes)));
        if (thrown != null) {
          assertThat(thrown).isInstanceOf(BadBytesException.class);
        }
      }
    }
  }

  private static <T> T sent(MessageCodecs.Family<T> family, T message) {
    return family.read(POSITION, wire(family, message));
  }

  private static <T> T received(MessageCodecs.Family<T> family, int version, int kind) {
    var body = new byte[] {(byte) version, (byte) kind};
    return family.read(0, Buffer.buffer().appendInt(body.length).appendBytes(body));
  }

  /** With other bytes before it, as in a frame of the event bus. */
  private static <T> Buffer wire(MessageCodecs.Family<T> family, T message) {
    var buffer = Buffer.buffer(new byte[POSITION]);
    family.write(buffer, message, Format.newest());
    return buffer;
  }
}
