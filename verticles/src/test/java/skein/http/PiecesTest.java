package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PiecesTest {
  private final Pieces pieces = new Pieces();

  @Test
  void bytes_that_come_one_by_one_are_few_pieces() {
    for (int i = 0; i < 100_000; i++) {
      pieces.add(Buffer.buffer(new byte[] {(byte) i}));
    }

    assertThat(pieces.count()).isLessThanOrEqualTo(100_000 / 4_096 + 1);
    assertThat(pieces.size()).isEqualTo(100_000);
  }

  @Test
  void what_comes_in_any_pieces_is_joined_in_its_order() {
    var random = new Random(20261122);
    var whole = new ByteArrayOutputStream();
    for (int i = 0; i < 2_000; i++) {
      var bytes = new byte[random.nextInt(10) == 0 ? random.nextInt(9_000) : random.nextInt(20)];
      random.nextBytes(bytes);
      whole.writeBytes(bytes);
      pieces.add(Buffer.buffer(bytes));
    }

    assertThat(pieces.joined()).isEqualTo(whole.toByteArray());
    assertThat(pieces.count()).isLessThanOrEqualTo(whole.size() / 4_096 + 1);
  }

  @Test
  void what_was_given_is_not_changed() {
    var first = Buffer.buffer("a");
    pieces.add(first);
    pieces.add(Buffer.buffer("b"));

    assertThat(first).hasToString("a");
    assertThat(pieces.joined()).asString().isEqualTo("ab");
  }
}
