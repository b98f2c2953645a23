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
  void an_answer_without_a_body_or_of_any_bytes_is_read_as_it_was_written() {
    var empty = Answer.empty(204);
    var bytes = new Answer(200, Map.of(), "image/png", Buffer.buffer(new byte[] {0, -1, 7}));

    assertThat(KeyedCalls.read(KeyedCalls.written(empty))).isEqualTo(empty);
    assertThat(KeyedCalls.read(KeyedCalls.written(bytes))).isEqualTo(bytes);
  }
}
