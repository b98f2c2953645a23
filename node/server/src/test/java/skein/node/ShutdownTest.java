package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ShutdownTest {
  private final Shutdown shutdown = new Shutdown();
  private final List<String> undone = new ArrayList<>();

  @Test
  void a_stop_that_only_says_goodbye_leaves_nothing_undone() {
    undone.add("not looked");
    shutdown.add(this::look, Optional::empty);
    shutdown.stopAll();

    assertThat(undone).isEmpty();
  }

  @Test
  void what_is_in_flight_and_what_is_not_stopped_yet_is_undone() {
    shutdown.add(() -> {});
    shutdown.add(this::look, () -> Optional.of("2 requests"));
    shutdown.stopAll();

    assertThat(undone).containsExactly("2 requests", "parts that were not stopped: 1");
  }

  private void look() {
    undone.clear();
    undone.addAll(shutdown.undone());
  }
}
