package skein.node.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import skein.peers.BusDoor;
import skein.peers.PeerGuard;
import skein.peers.Refusal;

class BusGuardTest {
  private static final long BYTES_MAX = 1_000;

  private final AtomicLong incomplete = new AtomicLong();
  private final List<Refusal> refusals = new ArrayList<>();

  @Test
  void messages_pass_however_they_are_cut() {
    var all = Unpooled.buffer();
    for (int length = 1; length <= 300; length += 7) {
      all.writeInt(length).writeZero(length);
    }
    for (int piece : new int[] {1, 3, 4, 5, 64, all.readableBytes()}) {
      var channel = channel();
      for (int at = 0; at < all.readableBytes(); at += piece) {
        channel.writeInbound(all.copy(at, Math.min(piece, all.readableBytes() - at)));
      }
      assertThat(channel.isOpen()).isTrue();
      assertThat(read(channel)).isEqualTo(all.readableBytes());
      assertThat(incomplete).hasValue(0);
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
    first.writeInbound(Unpooled.buffer().writeInt(900).writeZero(600));
    second.writeInbound(Unpooled.buffer().writeInt(900).writeZero(300));
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

  private EmbeddedChannel channel() {
    var guard = PeerGuard.withoutSecret(PeerGuard.Limits.DEFAULT, refusals::add);
    var door = new BusDoor(guard);
    return new EmbeddedChannel(new BusGuard(door, incomplete, BYTES_MAX));
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
