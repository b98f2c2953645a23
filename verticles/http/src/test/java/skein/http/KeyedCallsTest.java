package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KeyedCallsTest {
  @Test
  void an_answer_is_read_as_it_was_written() {
    var answer =
        Answer.json(201, Map.of("id", "i-1", "text", "grüße \"hi\""))
            .with("Location", "/somewhere")
            .with("x-elsa-workflow-instance-id", "i-1");

    assertThat(KeyedCalls.read(KeyedCalls.written(answer))).isEqualTo(answer);
  }

  @Test
  void a_large_answer_is_not_kept_and_a_repetition_is_told_that_it_was_done() {
    var small = Answer.json(200, "x".repeat(90));
    var large = Answer.json(201, "x".repeat(200));

    assertThat(KeyedCalls.repeated(small, 100)).isEqualTo(small);
    var repeated = KeyedCalls.repeated(large, 100);
    assertThat(repeated.status()).isEqualTo(413);
    assertThat(repeated.body().toString()).contains("TOO_LARGE", "answered with status 201");
  }

  @Test
  void an_answer_without_a_body_or_of_any_bytes_is_read_as_it_was_written() {
    var empty = Answer.empty(204);
    var bytes = new Answer(200, Map.of(), "image/png", Buffer.buffer(new byte[] {0, -1, 7}));

    assertThat(KeyedCalls.read(KeyedCalls.written(empty))).isEqualTo(empty);
    assertThat(KeyedCalls.read(KeyedCalls.written(bytes))).isEqualTo(bytes);
  }
}
