package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class NodeLoadTest {
  @Test
  void a_process_says_how_busy_it_is() {
    var load = NodeLoad.now(Duration.ofMillis(12));

    assertThat(load.processors()).isPositive();
    assertThat(load.heapUsedBytes()).isPositive().isLessThanOrEqualTo(load.heapMaxBytes());
    assertThat(load.eventLoopLag()).isEqualTo(Duration.ofMillis(12));
    var cpu = load.cpu();
    if (cpu != null) {
      assertThat(cpu.doubleValue()).isBetween(0.0, 1.0);
    }
  }

  @Test
  void what_is_told_has_units_in_its_names() {
    var json = new NodeLoad(null, 2, 10, 20, Duration.ofMillis(1_500)).json();

    assertThat(json)
        .isEqualTo(
            new JsonObject()
                .put("cpu", null)
                .put("processors", 2)
                .put("heapUsedBytes", 10L)
                .put("heapMaxBytes", 20L)
                .put("eventLoopLagMs", 1_500L));
  }
}
