package skein.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import skein.model.WorkflowStatus;

class BoundedFiguresTest {
  @Test
  void definitions_beyond_the_bound_are_counted_together() {
    var figures = new DefinitionFigures(2);
    for (int i = 0; i < 5; i++) {
      figures.started("d" + i);
      figures.finished("d" + i, WorkflowStatus.Faulted);
    }
    figures.started("d1");

    assertThat(figures.started())
        .isEqualTo(Map.of("d0", 1L, "d1", 2L, DefinitionFigures.OTHERS, 3L));
    assertThat(figures.finished().get(DefinitionFigures.OTHERS))
        .containsEntry(WorkflowStatus.Faulted, 3L)
        .containsEntry(WorkflowStatus.Completed, 0L);
  }

  @Test
  void nodes_that_have_left_are_forgotten() {
    var figures = new LinkFigures();
    figures.knows(Set.of("n2", "n3"));
    figures.answered("n2", System.nanoTime());
    figures.lost("n3");
    figures.knows(Set.of("n3"));

    assertThat(figures.roundTrips()).containsOnlyKeys("n3");
    assertThat(figures.lost()).isEqualTo(Map.of("n3", 1L));
  }
}
