package skein.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Http2FramesTest {
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 9, 23, 1_000})
  void settings_pings_and_unknown_frames_count_in_whatever_pieces_they_come(int piece) {
    var bytes =
        Unpooled.buffer()
            .writeBytes(PREFACE.getBytes(ISO_8859_1))
            .writeBytes(frame(4, 0))
            .writeBytes(frame(1, 300))
            .writeBytes(frame(6, 8))
            .writeBytes(frame(0, 0))
            .writeBytes(frame(8, 4))
            .writeBytes(frame(9, 5))
            .writeBytes(frame(3, 4))
            .writeBytes(frame(200, 1))
            .writeBytes(frame(4, 6));

    assertThat(count(bytes, piece)).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1_000})
  void what_begins_otherwise_has_no_frames(int piece) {
    var http1 = Unpooled.copiedBuffer("PRINT / HTTP/1.1\r\n\r\n", ISO_8859_1);
    var later = Unpooled.copiedBuffer("\r\n" + PREFACE, ISO_8859_1);

    assertThat(count(http1.writeBytes(frame(4, 0)), piece)).isZero();
    assertThat(count(later.writeBytes(frame(4, 0)), piece)).isZero();
  }

  @Test
  void a_preface_with_another_last_byte_is_none() {
    var frames = new Http2Frames();
    frames.add(Unpooled.copiedBuffer(PREFACE.substring(0, PREFACE.length() - 1) + "x", ISO_8859_1));

    assertThat(frames.isHttp2()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1_000})
  void a_payload_is_not_read_as_frames(int piece) {
    var bytes = Unpooled.copiedBuffer(PREFACE, ISO_8859_1);
    bytes.writeMedium(45).writeByte(0).writeByte(0).writeInt(1);
    for (int i = 0; i < 5; i++) {
      bytes.writeBytes(frame(6, 0));
    }
    bytes.writeBytes(frame(6, 0));

    assertThat(count(bytes, piece)).isEqualTo(1);
  }

  /** Of zeros. */
  private static ByteBuf frame(int type, int length) {
    return Unpooled.buffer()
        .writeMedium(length)
        .writeByte(type)
        .writeByte(0)
        .writeInt(0)
        .writeZero(length);
  }

  private static int count(ByteBuf bytes, int piece) {
    var frames = new Http2Frames();
    int count = 0;
    while (bytes.isReadable()) {
      count += frames.add(bytes.readSlice(Math.min(piece, bytes.readableBytes())));
    }
    return count;
  }
}
