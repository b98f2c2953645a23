package skein.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import skein.model.WorkflowStatus;

class BoundedMetricsTest {
  @Test
  void definitions_beyond_the_bound_are_counted_together() {
    var metrics = new OutcomesByName(2);
    for (int i = 0; i < 5; i++) {
      metrics.started("d" + i);
      metrics.finished("d" + i, WorkflowStatus.Faulted);
    }
    metrics.started("d1");

    assertThat(metrics.started()).isEqualTo(Map.of("d0", 1L, "d1", 2L, OutcomesByName.OTHERS, 3L));
    assertThat(metrics.finished().get(OutcomesByName.OTHERS))
        .containsEntry(WorkflowStatus.Faulted, 3L)
        .containsEntry(WorkflowStatus.Completed, 0L);
  }

  @Test
  void nodes_that_have_left_are_forgotten() {
    var metrics = new LinkMetrics();
    metrics.knows(Set.of("n2", "n3"));
    metrics.answered("n2", System.nanoTime());
    metrics.lost("n3");
    metrics.knows(Set.of("n3"));

    assertThat(metrics.roundTrips()).containsOnlyKeys("n3");
    assertThat(metrics.lost()).isEqualTo(Map.of("n3", 1L));
  }
}
