package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static skein.burst.Workflows.ID;
import static skein.burst.Workflows.NOW;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.at;
import static skein.burst.Workflows.line;
import static skein.burst.Workflows.request;
import static skein.burst.Workflows.sequence;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import skein.expressions.EvaluationClocks;
import skein.expressions.ExpressionLimits;
import skein.expressions.Expressions;
import skein.graph.Graph;
import skein.model.WorkflowStatus;

/** Few steps may take long, in whatever language: a burst has a time as well. */
class BurstTimeTest {
  private static final Duration QUICK = Duration.ofMillis(10);

  private long now;
  private Duration step = Duration.ZERO;

  private final Burst burst =
      new Burst(
          new Expressions(
              ExpressionLimits.DEFAULT,
              new EvaluationClocks(() -> now += step.toNanos(), () -> now),
              Map.of()),
          BurstLimits.DEFAULT);

  private static Graph lines(int count) {
    return sequence(
        IntStream.range(0, count)
            .mapToObj(i -> line("l" + i, "l"))
            .collect(Collectors.joining(",")));
  }

  @Test
  void few_steps_that_take_long_are_given_up_where_others_wait() {
    step = Duration.ofMillis(1);

    assertThatThrownBy(
            () -> burst.quick(500, QUICK).start(lines(20), ID, request(Map.of()), at(NOW)))
        .isInstanceOf(LongBurstException.class);
    assertThat(burst.start(lines(20), ID, request(Map.of()), at(NOW)).next().status())
        .isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void as_many_quick_steps_are_decided_at_once() {
    step = Duration.ofNanos(100);

    var transition = burst.quick(500, QUICK).start(lines(20), ID, request(Map.of()), at(NOW));

    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void one_step_that_takes_long_is_given_up_in_its_middle() {
    var cases =
        IntStream.range(0, 40)
            .mapToObj(
                i -> "{'label':'c%d','condition':{'type':'Object','value':'false'}}".formatted(i))
            .collect(Collectors.joining(","));
    var graph = sequence(activity("FlowSwitch", "s", "'cases':[" + cases + "]"));
    step = Duration.ofMillis(1);

    assertThatThrownBy(() -> burst.quick(500, QUICK).start(graph, ID, request(Map.of()), at(NOW)))
        .isInstanceOf(LongBurstException.class);
  }

  @Test
  void a_burst_without_scripts_ends_when_its_time_is_used_up() {
    step = Duration.ofMillis(500);

    var faulted = burst.start(lines(100), ID, request(Map.of()), at(NOW)).next();

    assertThat(faulted.status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(faulted.incidents().getLast())
        .satisfies(incident -> {
          assertThat(incident.type()).isEqualTo("TimeLimit");
          assertThat(incident.message())
              .contains("longer than PT20S of processor time", "twice expressions.burst-time-max");
        });
    assertThat(faulted.executions()).hasSizeLessThan(60);
  }
}
