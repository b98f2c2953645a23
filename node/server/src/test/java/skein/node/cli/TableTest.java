package skein.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
  @Test
  void words_of_a_heading_are_told_apart() {
    var objects = new JsonArray().add(new JsonObject().put("heartbeatAgeMs", 12));

    var table = Table.of(List.of("heartbeatAgeMs", "id"), objects);

    assertThat(table.toString().lines())
        .containsExactly("HEARTBEAT-AGE-MS  ID", "12                -");
  }
}
