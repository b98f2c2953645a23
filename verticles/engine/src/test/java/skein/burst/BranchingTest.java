package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.event;
import static skein.burst.Workflows.flowchart;
import static skein.burst.Workflows.graph;
import static skein.burst.Workflows.journal;
import static skein.burst.Workflows.line;
import static skein.burst.Workflows.lines;
import static skein.burst.Workflows.linesOf;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.resume;
import static skein.burst.Workflows.rooted;
import static skein.burst.Workflows.sequence;
import static skein.burst.Workflows.start;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.model.WorkflowStatus;

class BranchingTest {
  private static String condition(String label, String script) {
    return "'label':'%s','condition':{'type':'JavaScript','value':'%s'}".formatted(label, script);
  }

  private static String when(String label, String script) {
    return "{" + condition(label, script) + ",'activity':" + line(label, label) + "}";
  }

  private static String mode(String mode) {
    return "'mode':" + literal("Elsa.Workflows.SwitchMode, Elsa.Workflows.Core", "'" + mode + "'");
  }

  private static final String THREE =
      "'cases':["
          + when("no", "false")
          + ","
          + when("one", "1 == 1")
          + ","
          + when("two", "true")
          + "]";

  private static final String DEFAULT = ",'default':" + line("d", "default");

  @ParameterizedTest
  @CsvSource({"MatchFirst, one", "0, one", "MatchAny, one two", "1, one two"})
  void a_switch_runs_the_first_case_that_holds_or_all(String mode, String expected) {
    var transition = start(sequence(activity("Switch", "s", THREE + "," + mode(mode) + DEFAULT)));

    assertThat(String.join(" ", linesOf(transition))).isEqualTo(expected);
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {"[]", "[{'label':'x'}]", "[{'label':'x','condition':{'type':'Literal'}}]"})
  void a_switch_that_nothing_matches_runs_the_default(String cases) {
    assertThat(linesOf(start(rooted(activity("Switch", "s", "'cases':" + cases + DEFAULT)))))
        .containsExactly("default");
  }

  @Test
  void a_switch_with_nothing_to_run_completes() {
    var empty = "'cases':[{" + condition("x", "true") + ",'activity':null}]";

    assertThat(
            linesOf(
                start(sequence(activity("Switch", "s", empty + DEFAULT) + "," + line("a", "a")))))
        .containsExactly("a");
    assertThat(start(rooted(activity("Switch", "s", ""))).next().status())
        .isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_switch_of_many_waits_for_all_it_runs() {
    var cases =
        "'cases':[{"
            + condition("x", "true")
            + ",'activity':"
            + event("x", "x")
            + "},{"
            + condition("y", "true")
            + ",'activity':"
            + event("y", "y")
            + "}],"
            + mode("MatchAny");
    var graph = sequence(activity("Switch", "s", cases) + "," + line("a", "after"));

    var first = resume(graph, start(graph).next(), "y");
    var second = resume(graph, first.next(), "x");

    assertThat(linesOf(first)).isEmpty();
    assertThat(linesOf(second)).containsExactly("after");
  }

  @Test
  void a_wrong_condition_is_a_finding_and_a_wrong_mode_an_incident() {
    var broken = rooted(activity("Switch", "s", "'cases':[" + when("x", "1 +") + "]"));
    var unknown = rooted(activity("Switch", "s", THREE + "," + mode("MatchLast")));

    assertThat(broken.problems()).singleElement().asString().contains("Elsa.Switch");
    assertThat(broken.mayBlock()).isTrue();
    assertThat(start(unknown).next().incidents().getFirst().message()).contains("MatchLast");
  }

  @ParameterizedTest
  @CsvSource({"MatchFirst, B", "MatchAny, B C"})
  void a_flow_switch_follows_the_labels_that_hold(String mode, String expected) {
    var cases =
        "'cases':[{"
            + condition("x", "false")
            + "},{"
            + condition("y", "true")
            + "},{"
            + condition("z", "true")
            + "}],"
            + mode(mode);

    var transition =
        start(
            rooted(
                flowchart(
                    "f",
                    "S.x>A S.y>B S.z>C S.Default>D",
                    activity("FlowSwitch", "S", cases) + "," + lines("ABCD"))));

    assertThat(String.join(" ", linesOf(transition))).isEqualTo(expected);
  }

  @Test
  void a_flow_switch_that_nothing_matches_follows_the_default() {
    var flow =
        flowchart(
            "f",
            "S.x>A S.Default>B S.Done>C",
            activity("FlowSwitch", "S", "'cases':[{" + condition("x", "false") + "}]")
                + ","
                + lines("ABC"));

    assertThat(linesOf(start(rooted(flow)))).containsExactly("B");
  }

  private static String waits(String type, String property, String members) {
    return activity(
            type,
            "fork",
            members + "'" + property + "':[" + event("x", "x") + "," + event("y", "y") + "]")
        + ","
        + line("a", "after");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "Fork,branches,",
        "Fork,branches,'joinMode':'WaitAll'",
        "Fork,branches,'joinMode':0",
        "Parallel,activities,"
      })
  void branches_are_waited_for_whatever_comes_first(String type, String property, String members) {
    var graph = sequence(waits(type, property, members == null ? "" : members + ","));

    var first = resume(graph, start(graph).next(), "y");
    var second = resume(graph, first.next(), "x");

    assertThat(linesOf(first)).isEmpty();
    assertThat(first.next().status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(linesOf(second)).containsExactly("after");
    assertThat(second.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {"'WaitAny'", "1"})
  void the_first_branch_ends_a_fork_that_waits_for_any(String mode) {
    var graph = sequence(waits("Fork", "branches", "'joinMode':" + mode + ","));
    var suspended = start(graph).next();

    var transition = resume(graph, suspended, "y");

    assertThat(linesOf(transition)).containsExactly("after");
    assertThat(journal(transition)).contains("x Canceled");
    assertThat(transition.burnt()).hasSize(2);
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_branch_that_has_not_begun_never_does_once_another_has_won() {
    var fork =
        activity(
            "Fork",
            "fork",
            "'joinMode':'WaitAny','branches':["
                + activity("Sequence", "s", "'activities':[" + line("a", "a") + "]")
                + ","
                + line("b", "b")
                + ","
                + line("c", "c")
                + "]");

    assertThat(linesOf(start(rooted(fork)))).containsExactly("b");
  }

  @Test
  void an_unknown_join_mode_is_a_finding() {
    assertThat(rooted(activity("Fork", "fork", "'joinMode':'WaitSome'")).problems())
        .singleElement()
        .asString()
        .contains("WaitSome");
  }

  @ParameterizedTest
  @CsvSource({"Fork", "Parallel", "Sequence", "Container", "Composite", "Workflow"})
  void what_holds_nothing_completes(String type) {
    assertThat(linesOf(start(sequence(activity(type, "x", "") + "," + line("a", "after")))))
        .containsExactly("after");
  }

  @Test
  void a_faulted_branch_keeps_a_parallel_open() {
    var graph =
        graph(
            "'options':{'incidentStrategyType':'ContinueWithIncidentsStrategy'},'root':"
                + activity(
                    "Parallel",
                    "p",
                    "'activities':[" + activity("Fault", "f", "") + "," + event("x", "x") + "]"));

    var transition = resume(graph, start(graph).next(), "x");

    assertThat(journal(transition)).contains("x Completed").doesNotContain("p Completed");
  }
}
