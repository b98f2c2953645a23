package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static skein.burst.Workflows.ID;
import static skein.burst.Workflows.NOW;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.at;
import static skein.burst.Workflows.event;
import static skein.burst.Workflows.expression;
import static skein.burst.Workflows.graph;
import static skein.burst.Workflows.line;
import static skein.burst.Workflows.request;
import static skein.burst.Workflows.sequence;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.activities.Activities;
import skein.activities.Activity;
import skein.activities.ActivityContext;
import skein.activities.ActivityDescriptor;
import skein.expressions.EvaluationClocks;
import skein.expressions.Expression;
import skein.expressions.ExpressionLimits;
import skein.expressions.Expressions;
import skein.graph.Graph;
import skein.graph.GraphCompiler;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/** A burst whose scripts get no processor time is given up, and decided alike another time. */
class StarvationTest {
  private static final String SCRIPT = "{% for i in (1..50) %}x{% endfor %}";

  private final Burst burst =
      new Burst(
          new Expressions(
              ExpressionLimits.DEFAULT, new EvaluationClocks(this::wall, () -> 0), Map.of()),
          BurstLimits.DEFAULT);
  private long now;
  private Duration standstill = Duration.ZERO;

  private long wall() {
    return now += standstill.toNanos();
  }

  private static String templated(String id, String customProperties) {
    return activity(
        "WriteLine",
        id,
        "'text':" + expression("String", "Liquid", "'" + SCRIPT + "'") + customProperties);
  }

  private static void assertOverloaded(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            SkeinException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.OVERLOADED);
              assertThat(e.code().isTransient()).isTrue();
              assertThat(e.detail()).contains("a): Liquid: ", "(expressions.wall-time-max)");
            });
  }

  @Test
  void a_start_is_refused_for_now_and_then_decided_as_if_nothing_had_been() {
    var graph = sequence(line("l", "l") + "," + templated("a", ""));
    var undisturbed = burst.start(graph, ID, request(Map.of()), at(NOW));
    assertThat(undisturbed.next().status()).isEqualTo(WorkflowStatus.Completed);

    standstill = Duration.ofSeconds(20);
    assertOverloaded(() -> burst.start(graph, ID, request(Map.of()), at(NOW)));

    standstill = Duration.ZERO;
    assertThat(burst.start(graph, ID, request(Map.of()), at(NOW))).isEqualTo(undisturbed);
  }

  @Test
  void a_node_that_stands_still_for_some_seconds_faults_nothing() {
    var graph = sequence(templated("a", ""));
    standstill = Duration.ofSeconds(2);

    assertThat(burst.start(graph, ID, request(Map.of()), at(NOW)).next().status())
        .isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void the_expressions_of_a_burst_have_a_limit_together() {
    var times =
        new ExpressionLimits.Times(
            Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(6));
    var clocks = new EvaluationClocks(this::wall, () -> now);
    var limited = new Burst(new Expressions(limits(times), clocks, Map.of()), BurstLimits.DEFAULT);
    var one = sequence(templated("a", ""));
    var many =
        sequence(
            IntStream.range(0, 9)
                .mapToObj(i -> templated("a" + i, ""))
                .collect(Collectors.joining(",")));
    standstill = Duration.ofMillis(400);

    assertThat(limited.start(one, ID, request(Map.of()), at(NOW)).next().status())
        .isEqualTo(WorkflowStatus.Completed);
    var faulted = limited.start(many, ID, request(Map.of()), at(NOW)).next();
    assertThat(faulted.status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(faulted.incidents().getFirst().message())
        .contains("together longer than PT6S of processor time (expressions.burst-time-max)");
    assertThat(limited.start(one, ID, request(Map.of()), at(NOW)).next().status())
        .isEqualTo(WorkflowStatus.Completed);
  }

  private static ExpressionLimits limits(ExpressionLimits.Times times) {
    var given = ExpressionLimits.DEFAULT;
    return new ExpressionLimits(
        times,
        given.instructionsMax(),
        given.allocationMax(),
        given.stringCharsMax(),
        given.stackDepthMax(),
        given.resultCharsMax(),
        given.sourceCharsMax());
  }

  @Test
  void a_resumed_instance_waits_as_before() {
    var graph = sequence(event("e", "go") + "," + templated("a", ""));
    var waiting = burst.start(graph, ID, request(Map.of()), at(NOW)).next();

    standstill = Duration.ofSeconds(20);
    assertOverloaded(() -> resume(graph, waiting));

    standstill = Duration.ZERO;
    assertThat(resume(graph, waiting).status()).isEqualTo(WorkflowStatus.Completed);
  }

  private WorkflowInstance resume(Graph graph, WorkflowInstance waiting) {
    var bookmark = waiting.bookmarks().getFirst().id();
    return burst.resume(graph, waiting, bookmark, Map.of(), false, at(NOW)).next();
  }

  @Test
  void it_is_neither_an_attempt_nor_a_fault_that_a_handler_hears_of() {
    var graph =
        sequence(
            templated(
                    "a",
                    ",'customProperties':{'onFault':'l',"
                        + "'retry':{'attempts':3,'delay':'00:00:10'}}")
                + ","
                + line("l", "l"));

    standstill = Duration.ofSeconds(20);

    assertOverloaded(() -> burst.start(graph, ID, request(Map.of()), at(NOW)));
  }

  @Test
  void an_activity_that_catches_everything_does_not_hide_it() {
    var definition = Workflows.definition("'root':" + activity("Careless", "a", ""));
    var graph =
        GraphCompiler.compile(definition, Activities.builtIn().with(List.of(new Careless())));

    standstill = Duration.ofSeconds(20);

    assertOverloaded(() -> burst.start(graph, ID, request(Map.of()), at(NOW)));
  }

  private static final class Careless implements Activity {
    @Override
    public ActivityDescriptor descriptor() {
      return ActivityDescriptor.of("Elsa.Careless", "Own", "Catches what its expression throws.");
    }

    @Override
    public void execute(ActivityContext context) {
      @Nullable Object value;
      try {
        value = context.evaluate(new Expression("Liquid", SCRIPT), "String");
      } catch (RuntimeException e) {
        value = e;
      }
      context.complete(String.valueOf(value));
    }
  }

  @Test
  void triggers_that_cannot_be_said_now_are_no_finding_about_the_definition() {
    var graph =
        graph(
            "'root':"
                + activity(
                    "Event",
                    "a",
                    "'customProperties':{'canStartWorkflow':true},'canStartWorkflow':true,"
                        + "'eventName':"
                        + expression("String", "Liquid", "'" + SCRIPT + "'")));

    assertThat(burst.triggers(graph, at(NOW))).hasSize(1);

    standstill = Duration.ofSeconds(20);
    assertOverloaded(() -> burst.triggers(graph, at(NOW)));
  }
}
