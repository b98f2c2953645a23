package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ChunkBufferTest {
  private final ChunkBuffer chunks = new ChunkBuffer();

  @Test
  void bytes_that_come_one_by_one_are_few_pieces() {
    for (int i = 0; i < 100_000; i++) {
      chunks.add(Buffer.buffer(new byte[] {(byte) i}));
    }

    assertThat(chunks.count()).isLessThanOrEqualTo(100_000 / 4_096 + 1);
    assertThat(chunks.size()).isEqualTo(100_000);
  }

  @Test
  void what_comes_in_any_pieces_is_joined_in_its_order() {
    var random = new Random(20261122);
    var whole = new ByteArrayOutputStream();
    for (int i = 0; i < 2_000; i++) {
      var bytes = new byte[random.nextInt(10) == 0 ? random.nextInt(9_000) : random.nextInt(20)];
      random.nextBytes(bytes);
      whole.writeBytes(bytes);
      chunks.add(Buffer.buffer(bytes));
    }

    assertThat(chunks.joined()).isEqualTo(whole.toByteArray());
    assertThat(chunks.count()).isLessThanOrEqualTo(whole.size() / 4_096 + 1);
  }

  @Test
  void what_was_given_is_not_changed() {
    var first = Buffer.buffer("a");
    chunks.add(first);
    chunks.add(Buffer.buffer("b"));

    assertThat(first).hasToString("a");
    assertThat(chunks.joined()).asString().isEqualTo("ab");
  }
}
