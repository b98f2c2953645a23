package skein.node.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.eventbus.impl.CodecManager;
import io.vertx.core.eventbus.impl.clustered.ClusteredMessage;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.peers.BusAuthentication;
import skein.peers.PeerGuard;
import skein.peers.Refusal;

class BusGuardTest {
  private static final long BYTES_MAX = 1_000;

  private final AtomicLong incomplete = new AtomicLong();
  private final PeerTraffic traffic = new PeerTraffic();
  private final List<Refusal> refusals = new ArrayList<>();

  @Test
  void messages_pass_however_they_are_cut() {
    var all = Unpooled.buffer();
    for (var message : messages()) {
      all.writeBytes(message);
    }
    long times = 0;
    for (int piece : new int[] {1, 3, 4, 5, 64, all.readableBytes()}) {
      var channel = channel();
      for (int at = 0; at < all.readableBytes(); at += piece) {
        channel.writeInbound(all.copy(at, Math.min(piece, all.readableBytes() - at)));
        assertThat(channel.isOpen()).as("after " + at + " bytes").isTrue();
      }
      assertThat(read(channel)).isEqualTo(all.readableBytes());
      assertThat(incomplete).hasValue(0);
      times++;
      assertThat(traffic.bus().messages()).isEqualTo(times * messages().size());
      assertThat(traffic.bus().bytes()).isEqualTo(times * all.readableBytes());
    }
  }

  /** Of every codec that is let in, with and without headers. */
  private static List<byte[]> messages() {
    return List.of(
        message(CodecManager.NULL_MESSAGE_CODEC, null),
        message(CodecManager.PING_MESSAGE_CODEC, "ping"),
        message(CodecManager.STRING_MESSAGE_CODEC, "text"),
        message(CodecManager.STRING_MESSAGE_CODEC, ""),
        message(CodecManager.BUFFER_MESSAGE_CODEC, Buffer.buffer("bytes")),
        message(CodecManager.BYTE_ARRAY_MESSAGE_CODEC, new byte[] {1, 2, 3}),
        message(CodecManager.JSON_OBJECT_MESSAGE_CODEC, new JsonObject().put("a", "b")),
        message(CodecManager.JSON_ARRAY_MESSAGE_CODEC, new JsonArray().add(1)),
        message(CodecManager.BYTE_MESSAGE_CODEC, (byte) -1),
        message(CodecManager.BOOLEAN_MESSAGE_CODEC, true),
        message(CodecManager.SHORT_MESSAGE_CODEC, (short) -1),
        message(CodecManager.INT_MESSAGE_CODEC, -1),
        message(CodecManager.LONG_MESSAGE_CODEC, -1L),
        message(CodecManager.FLOAT_MESSAGE_CODEC, 1f),
        message(CodecManager.DOUBLE_MESSAGE_CODEC, 1.0),
        message(CodecManager.CHAR_MESSAGE_CODEC, 'a'),
        message(
            CodecManager.REPLY_EXCEPTION_MESSAGE_CODEC,
            new ReplyException(ReplyFailure.RECIPIENT_FAILURE, -1, "why")),
        message(
            CodecManager.REPLY_EXCEPTION_MESSAGE_CODEC,
            new ReplyException(ReplyFailure.TIMEOUT, -1, null)),
        message(new Named(), "named"));
  }

  private static <T> byte[] message(MessageCodec<T, ?> codec, @Nullable T body) {
    var headers = MultiMap.caseInsensitiveMultiMap();
    if (codec.systemCodecID() % 2 == 1) {
      headers.add("one", "two").add("three", "four");
    }
    var message = new ClusteredMessage<>("sender", "address", headers, body, codec, true, null);
    if (codec.systemCodecID() % 3 == 1) {
      message.setReplyAddress("reply");
    }
    return message.encodeToWire().getBytes();
  }

  /** As the codecs of Skein's own messages. */
  private static final class Named implements MessageCodec<String, String> {
    @Override
    public void encodeToWire(Buffer buffer, String text) {
      buffer.appendInt(text.length()).appendString(text);
    }

    @Override
    public String decodeFromWire(int position, Buffer buffer) {
      return buffer.getString(position + 4, position + 4 + buffer.getInt(position));
    }

    @Override
    public String transform(String text) {
      return text;
    }

    @Override
    public String name() {
      return "named";
    }

    @Override
    public byte systemCodecID() {
      return -1;
    }
  }

  /** Vert.x would make an array of as many bytes before it looks whether they are there. */
  @Test
  void a_length_beyond_the_end_of_its_message_ends_the_connection() {
    for (var valid : messages()) {
      int lengths = 0;
      for (int at = 6; at <= valid.length - 4; at++) {
        var bytes = Unpooled.copiedBuffer(valid);
        int length = bytes.getInt(at);
        boolean isLength = length > 0 && length <= valid.length - at && length < 100;
        if (isLength) {
          lengths++;
          for (int wrong : new int[] {1 << 30, Integer.MIN_VALUE, valid.length}) {
            var channel = channel();
            channel.writeInbound(bytes.copy().setInt(at, wrong));
            assertThat(channel.isOpen())
                .as("%d at %d of %s", wrong, at, new String(valid, StandardCharsets.ISO_8859_1))
                .isFalse();
            assertThat(read(channel)).isZero();
          }
        }
      }
      assertThat(lengths).isGreaterThanOrEqualTo(3);
    }
  }

  @Test
  void objects_of_classes_that_a_message_names_are_not_let_in() {
    for (int codec : new int[] {16, 17, 100, -2}) {
      var channel = channel();

      channel.writeInbound(Unpooled.buffer().writeInt(100).writeByte(2).writeByte(codec));

      assertThat(channel.isOpen()).as("codec " + codec).isFalse();
    }
  }

  @Test
  void a_length_that_no_message_has_ends_the_connection() {
    for (int length : new int[] {0, -1, Integer.MIN_VALUE, 1_001, 1 << 30}) {
      var channel = channel();

      channel.writeInbound(Unpooled.buffer().writeInt(length).writeZero(100));

      assertThat(channel.isOpen()).as("after the length " + length).isFalse();
      assertThat(read(channel)).isZero();
    }
  }

  @Test
  void what_is_not_complete_is_bounded_on_all_connections_together() {
    var first = channel();
    var second = channel();
    first.writeInbound(begun(900, 600));
    second.writeInbound(begun(900, 300));
    assertThat(incomplete).hasValue(900);

    second.writeInbound(Unpooled.buffer().writeZero(200));

    assertThat(second.isOpen()).isFalse();
    assertThat(first.isOpen()).isTrue();
    assertThat(incomplete).hasValue(600);
    first.writeInbound(Unpooled.buffer().writeZero(300));
    assertThat(incomplete).hasValue(0);
  }

  @Test
  void whoever_asks_for_a_secret_is_told_apart_from_strangers() {
    channel().writeInbound(Unpooled.copiedBuffer("SKEINHI1", StandardCharsets.US_ASCII));

    assertThat(refusals)
        .extracting(Refusal::code)
        .containsExactly(Refusal.Code.CLUSTER_SECRET_DIFFERS);
  }

  /** A message of so many bytes, of which so many have come. */
  private static ByteBuf begun(int length, int come) {
    var bytes = Unpooled.buffer().writeInt(length);
    bytes.writeByte(2).writeByte(9).writeByte(0).writeInt(1).writeByte('a').writeInt(0);
    bytes.writeInt(0).writeInt(4).writeInt(length - 24);
    return bytes.writeZero(come - bytes.readableBytes() + 4);
  }

  private EmbeddedChannel channel() {
    var guard = PeerGuard.withoutSecret(PeerGuard.Limits.DEFAULT, refusals::add);
    var authentication = new BusAuthentication(guard);
    return new EmbeddedChannel(new BusGuard(authentication, incomplete, BYTES_MAX, traffic.bus()));
  }

  private static int read(EmbeddedChannel channel) {
    int bytes = 0;
    for (ByteBuf part = channel.readInbound(); part != null; part = channel.readInbound()) {
      bytes += part.readableBytes();
      part.release();
    }
    return bytes;
  }
}
