package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import skein.loop.Simulator;

class UnansweredTest {
  @Test
  void of_each_definition_there_are_so_many_until_one_has_its_answer() {
    var simulator = new Simulator(1);
    var loop = simulator.newLoop("loop");
    var unanswered = new Unanswered(loop, 2);
    List<Boolean> begun = new ArrayList<>();
    loop.execute(() -> {
      for (var id : List.of("a", "a", "a", "b")) {
        begun.add(unanswered.begin(id));
      }
      unanswered.end("a");
      begun.add(unanswered.begin("a"));
      begun.add(unanswered.begin("a"));
    });
    while (simulator.step(1_000_000_000)) {
      // until nothing is left to do
    }

    assertThat(begun).containsExactly(true, true, false, true, true, false);
  }
}
