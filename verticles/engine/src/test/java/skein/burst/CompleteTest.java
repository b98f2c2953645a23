package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.event;
import static skein.burst.Workflows.expression;
import static skein.burst.Workflows.flowchart;
import static skein.burst.Workflows.graph;
import static skein.burst.Workflows.journal;
import static skein.burst.Workflows.line;
import static skein.burst.Workflows.lines;
import static skein.burst.Workflows.linesOf;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.rooted;
import static skein.burst.Workflows.sequence;
import static skein.burst.Workflows.start;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.model.Transition;
import skein.model.WorkflowStatus;

class CompleteTest {
  private static String complete(String outcomes) {
    return activity("Complete", "done", "'outcomes':" + outcomes);
  }

  private static Object outcomes(Transition transition, String activityId) {
    return transition.journal().stream()
        .filter(entry -> entry.activityId().equals(activityId))
        .filter(entry -> entry.event().equals("Completed"))
        .map(entry -> String.valueOf(entry.data().get("outcomes")))
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "Literal|'Good'|[Good]",
        "Object|['Good','Late']|[Good, Late]",
        "Literal|null|[Done]",
        "Literal|''|[Done]",
        "Object|[]|[Done]",
        "JavaScript|'[1, null, `x`]'|[1, x]"
      })
  void complete_ends_the_instance_with_outcomes_of_the_root(
      String language, String value, String expected) {
    var graph =
        sequence(
            line("a", "a")
                + ","
                + complete(expression("Object", language, value))
                + ","
                + line("b", "b"));

    var transition = start(graph);

    assertThat(linesOf(transition)).containsExactly("a");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(outcomes(transition, "seq")).isEqualTo(List.of(expected));
  }

  @Test
  void complete_in_a_loop_ends_everything_that_waits() {
    var loop =
        activity(
            "ParallelForEach",
            "all",
            "'items':"
                + expression("Object", "Object", "[1,2]")
                + ",'body':"
                + activity(
                    "Parallel",
                    "p",
                    "'activities':["
                        + event("e", "e")
                        + ","
                        + complete(literal("Object", "'Good'"))
                        + "]"));

    var transition = start(sequence(loop + "," + line("x", "x")));

    assertThat(linesOf(transition)).isEmpty();
    assertThat(transition.next().bookmarks()).isEmpty();
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(journal(transition)).contains("done Completed", "e Canceled", "all Completed");
    assertThat(outcomes(transition, "seq")).isEqualTo(List.of("[Good]"));
  }

  @Test
  void complete_as_the_root_completes_it() {
    var transition = start(rooted(complete(literal("Object", "'Good'"))));

    assertThat(outcomes(transition, "done")).isEqualTo(List.of("[Good]"));
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void complete_ends_the_nearest_composite_alone() {
    var inner =
        activity(
            "Workflow",
            "W",
            "'root':"
                + activity(
                    "Sequence",
                    "s",
                    "'activities':["
                        + complete(literal("Object", "'Good'"))
                        + ","
                        + line("x", "x")
                        + "]"));

    var transition = start(rooted(flowchart("f", "W.Good>A W.Done>B", inner + "," + lines("AB"))));

    assertThat(linesOf(transition)).containsExactly("A");
    assertThat(journal(transition)).contains("s Canceled");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_composite_has_variables_of_its_own() {
    var inner =
        activity(
            "Workflow",
            "W",
            "'variables':[{'id':'w','name':'V','typeName':'String','value':'inner'}],'root':"
                + activity("WriteLine", "l", "'text':" + expression("String", "Variable", "'V'")));
    var after = activity("WriteLine", "m", "'text':" + expression("String", "Variable", "'V'"));

    var transition =
        start(
            graph(
                "'variables':[{'id':'o','name':'V','typeName':'String','value':'outer'}],'root':"
                    + activity("Sequence", "seq", "'activities':[" + inner + "," + after + "]")));

    assertThat(linesOf(transition)).containsExactly("inner", "outer");
  }
}
