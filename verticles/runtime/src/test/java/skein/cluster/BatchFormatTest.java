package skein.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.vertx.core.buffer.Buffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BatchFormatTest {
  @Test
  void the_parts_are_read_with_their_numbers_in_their_order() {
    var message = orders(3);

    var read = BatchFormat.readOrders(message);

    assertThat(read.asker()).isEqualTo("n1");
    assertThat(read.reads()).isEqualTo(200);
    assertThat(read.parts()).extracting(NumberedParts.Part::number).containsExactly(-1L, -2L, -3L);
    assertThat(read.parts()).extracting(part -> part.bytes().length).containsExactly(1, 2, 3);
  }

  @Test
  void a_message_takes_a_bounded_number_of_parts_and_of_bytes() {
    var parts = BatchFormat.answers();
    assertThat(parts.takes(Integer.MAX_VALUE)).isTrue();
    parts.add(1, new byte[100]);
    assertThat(parts.takes(Integer.MAX_VALUE)).isFalse();
    assertThat(parts.takes(NumberedParts.BYTES_MAX - 125)).isTrue();
    assertThat(parts.takes(NumberedParts.BYTES_MAX - 124)).isFalse();
    for (int i = 1; i < NumberedParts.COUNT_MAX; i++) {
      assertThat(parts.takes(0)).isTrue();
      parts.add(i, new byte[0]);
    }

    assertThat(parts.takes(0)).isFalse();
    assertThat(BatchFormat.readAnswers(parts.message())).hasSize(NumberedParts.COUNT_MAX);
  }

  @Test
  void more_parts_than_are_ever_sent_are_refused() {
    assertThatThrownBy(() -> BatchFormat.readOrders(orders(NumberedParts.COUNT_MAX + 1)))
        .hasMessageContaining("more than 256 parts");
  }

  @Test
  void what_is_cut_off_within_a_part_is_refused_as_a_whole() {
    var whole = orders(1);
    for (int length = 0; length < whole.length(); length++) {
      var cut = whole.getBuffer(0, length);
      if (length != 5) { // without any part
        assertThat(catchThrowable(() -> BatchFormat.readOrders(cut)))
            .isInstanceOf(RuntimeException.class);
      }
    }
  }

  @Test
  void other_versions_and_other_bodies_are_refused() {
    assertThatThrownBy(() -> BatchFormat.readAnswers(Buffer.buffer().appendByte((byte) 2)))
        .hasMessage("Version 2 is not known here");
    assertThatThrownBy(() -> BatchFormat.readAnswers("text")).hasMessageContaining("no bytes");
    assertThatThrownBy(() -> BatchFormat.readAnswers(null)).hasMessageContaining("no bytes");
  }

  @Test
  void damaged_messages_are_refused_or_read_but_nothing_else() {
    var random = new Random(5);
    for (int i = 0; i < 20_000; i++) {
      var bytes = orders(3).getBytes();
      for (int j = random.nextInt(4); j >= 0; j--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      var thrown = catchThrowable(() -> BatchFormat.readOrders(Buffer.buffer(bytes)));
      if (thrown != null) {
        assertThat(thrown).isInstanceOf(RuntimeException.class);
      }
    }
  }

  /** Of one byte, two, three … */
  private static Buffer orders(int count) {
    var parts = BatchFormat.orders("n1", 200);
    for (int i = 1; i <= count; i++) {
      parts.add(-i, new byte[i]);
    }
    return parts.message();
  }
}
