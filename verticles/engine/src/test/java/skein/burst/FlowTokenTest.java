package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.definition;
import static skein.burst.Workflows.event;
import static skein.burst.Workflows.expression;
import static skein.burst.Workflows.flowchart;
import static skein.burst.Workflows.graph;
import static skein.burst.Workflows.journal;
import static skein.burst.Workflows.line;
import static skein.burst.Workflows.lines;
import static skein.burst.Workflows.linesOf;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.resume;
import static skein.burst.Workflows.start;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.activities.Activities;
import skein.activities.FlowchartMode;
import skein.graph.Graph;
import skein.graph.GraphCompiler;
import skein.model.Transition;
import skein.model.WorkflowStatus;

class FlowTokenTest {
  private static final String DIAMOND = "S>A S>B A>J B>J J>Z";

  private static String flowOf(String mode, String connections, String activities) {
    return "'customProperties':{'Flowchart:ExecutionMode':'%s'},'variables':[{'id':'n','name':'N','typeName':'Int32','value':'0'}],'root':%s"
        .formatted(mode, flowchart("flow", connections, activities));
  }

  private static Graph flow(String connections, String activities) {
    return graph(flowOf("TokenBased", connections, activities));
  }

  /** A line that writes its id and merges like this. */
  private static String merging(String id, String mode) {
    return activity(
        "WriteLine",
        id,
        "'customProperties':{'mergeMode':'%s'},'text':".formatted(mode)
            + literal("String", "'" + id + "'"));
  }

  private static String decision(String id, String script) {
    return activity(
        "FlowDecision",
        id,
        "'condition':" + expression("Boolean", "JavaScript", "'" + script + "'"));
  }

  private static String join(String id, String mode) {
    return activity("FlowJoin", id, "'mode':" + literal("Object", "'" + mode + "'"));
  }

  private static String written(Transition transition) {
    return String.join("", linesOf(transition));
  }

  @ParameterizedTest
  @CsvSource({
    "TokenBased, None, SABJZ",
    "TokenBased, Stream, SABJZ",
    "TokenBased, Merge, SABJZ",
    "TokenBased, Converge, SABJZ",
    "TokenBased, converge, SABJZ",
    "TokenBased, Cascade, SABJJZZ",
    "TokenBased, Race, SABJZ",
    "TokenBased, Nonsense, SABJZ",
    "CounterBased, Cascade, SABJZ",
    "Default, Cascade, SABJZ"
  })
  void two_branches_meet_by_the_mode_of_where_they_meet(
      String flowMode, String mergeMode, String expected) {
    var activities = lines("SABZ") + "," + merging("J", mergeMode);

    var transition = start(graph(flowOf(flowMode, DIAMOND, activities)));

    assertThat(written(transition)).isEqualTo(expected);
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @ParameterizedTest
  @CsvSource({"None, S>A S>Q, SAJ", "Stream, S>Q S>A, SAJ"})
  void a_stream_does_not_wait_for_a_dead_way(String mode, String forks, String expected) {
    var flow =
        flow(
            forks + " A>J Q.True>J",
            lines("SA") + "," + decision("Q", "false") + "," + merging("J", mode));

    var transition = start(flow);

    assertThat(written(transition)).isEqualTo(expected);
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @ParameterizedTest
  @CsvSource({"Merge", "Converge"})
  void a_merge_that_a_dead_way_leads_to_is_seen_to_hang(String mode) {
    var flow =
        flow(
            "S>A S>Q A>J Q.True>J",
            lines("SA") + "," + decision("Q", "false") + "," + merging("J", mode));

    var transition = start(flow);

    assertThat(written(transition)).isEqualTo("SA");
    assertThat(transition.next().incidents())
        .singleElement()
        .satisfies(incident -> assertThat(incident.type()).isEqualTo("NothingToWaitFor"));
  }

  @ParameterizedTest
  @CsvSource({"Stream", "Merge", "Converge"})
  void a_branch_that_waits_is_waited_for(String mode) {
    var flow = flow(DIAMOND, lines("SBZ") + "," + event("A", "a") + "," + merging("J", mode));
    var first = start(flow);

    var second = resume(flow, first.next(), "A");

    assertThat(written(first)).isEqualTo("SB");
    assertThat(first.next().status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(written(second)).isEqualTo("JZ");
    assertThat(second.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_cascade_runs_for_each_token_as_it_comes() {
    var flow =
        flow(
            DIAMOND,
            lines("SZ")
                + ","
                + event("A", "a")
                + ","
                + event("B", "b")
                + ","
                + merging("J", "Cascade"));

    var first = resume(flow, start(flow).next(), "B");
    var second = resume(flow, first.next(), "A");

    assertThat(written(first)).isEqualTo("JZ");
    assertThat(first.next().status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(written(second)).isEqualTo("JZ");
    assertThat(second.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @ParameterizedTest
  @CsvSource({"TokenBased", "CounterBased"})
  void the_first_to_reach_a_join_for_any_cancels_who_waits(String mode) {
    var flow =
        graph(
            flowOf(
                mode,
                DIAMOND,
                lines("SZ")
                    + ","
                    + event("A", "a")
                    + ","
                    + event("B", "b")
                    + ","
                    + join("J", "WaitAny")));

    var transition = resume(flow, start(flow).next(), "B");

    assertThat(written(transition)).isEqualTo("Z");
    assertThat(journal(transition)).contains("A Canceled").containsOnlyOnce("J Completed");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @ParameterizedTest
  @CsvSource({"TokenBased", "CounterBased"})
  void who_begins_to_wait_after_a_join_was_won_is_cancelled_too(String mode) {
    var flow =
        graph(
            flowOf(
                mode, DIAMOND, lines("SAZ") + "," + event("B", "b") + "," + join("J", "WaitAny")));

    var transition = start(flow);

    assertThat(written(transition)).isEqualTo("SAZ");
    assertThat(journal(transition)).contains("B Canceled").containsOnlyOnce("J Completed");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_race_is_won_once_whoever_comes_later() {
    var flow =
        flow(
            "S>A S>B S>C A>J B>J C>J J>Z",
            lines("SABZ") + "," + event("C", "c") + "," + merging("J", "Race"));

    var transition = start(flow);

    assertThat(written(transition)).isEqualTo("SABJZ");
    assertThat(journal(transition)).contains("C Canceled");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @ParameterizedTest
  @CsvSource({"Race", "Merge", "Converge"})
  void two_ways_from_one_activity_are_one_arrival(String mode) {
    var fork =
        activity("FlowFork", "F", "'branches':" + expression("String[]", "Object", "['x','y']"));

    var transition =
        start(flow("F.x>J F.y>J J>Z", lines("Z") + "," + fork + "," + merging("J", mode)));

    assertThat(written(transition)).isEqualTo("JZ");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void each_turn_of_a_loop_is_a_race_of_its_own() {
    var count =
        activity(
            "SetVariable",
            "I",
            "'variable':{'id':'n'},'value':" + expression("Int32", "JavaScript", "'getN() + 1'"));
    var flow =
        flow(
            "S>I I>Q Q.True>A Q.False>B A>J B>J J>R R.True>I R.False>Z",
            lines("SABZ")
                + ","
                + count
                + ","
                + decision("Q", "getN() == 1")
                + ","
                + merging("J", "Race")
                + ","
                + decision("R", "getN() < 3"));

    var transition = start(flow);

    assertThat(written(transition)).isEqualTo("SAJBJBJZ");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @ParameterizedTest
  @CsvSource({"None, SAAZ", "Merge, SAAZ", "Cascade, SAAZ", "Race, SAAZ", "Converge, S"})
  void a_connection_back_runs_its_target_again_unless_that_waits_for_it(
      String mode, String expected) {
    var count =
        activity(
            "SetVariable",
            "I",
            "'variable':{'id':'n'},'value':" + expression("Int32", "JavaScript", "'getN() + 1'"));
    var flow =
        flow(
            "S>A A>I I>Q Q.True>A Q.False>Z",
            lines("SZ")
                + ","
                + merging("A", mode)
                + ","
                + count
                + ","
                + decision("Q", "getN() < 2"));

    assertThat(written(start(flow))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"WaitAll", "WaitAllActive"})
  void a_join_for_all_merges(String mode) {
    var flow = flow(DIAMOND, lines("SAZ") + "," + event("B", "b") + "," + join("J", mode));

    var first = start(flow);
    var second = resume(flow, first.next(), "B");

    assertThat(written(first)).isEqualTo("SA");
    assertThat(written(second)).isEqualTo("Z");
    assertThat(journal(second)).containsOnlyOnce("J Completed");
  }

  @Test
  void an_end_completes_a_flowchart_of_tokens() {
    var flow =
        flow("S>A S>E A>Z", lines("SZ") + "," + event("A", "a") + "," + activity("End", "E", ""));

    var transition = start(flow);

    assertThat(journal(transition)).contains("A Canceled");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_flowchart_inside_has_tokens_of_its_own() {
    var inner = flowchart("inner", "B>C B>D C>E D>E", lines("BCD") + "," + merging("E", "Cascade"));

    var transition = start(flow("A>inner inner>F", lines("AF") + "," + inner));

    assertThat(written(transition)).isEqualTo("ABCDEEF");
  }

  @Test
  void a_fault_keeps_a_flowchart_of_tokens_open() {
    var members =
        flowOf("TokenBased", "S>F S>A F>Z", lines("SAZ") + "," + activity("Fault", "F", ""));
    var flow =
        graph("'options':{'incidentStrategyType':'ContinueWithIncidentsStrategy'}," + members);

    var transition = start(flow);

    assertThat(written(transition)).isEqualTo("SA");
    assertThat(journal(transition)).doesNotContain("flow Completed");
  }

  @Test
  void the_engine_decides_where_the_workflow_does_not() {
    var cascade = flowchart("flow", DIAMOND, lines("SABZ") + "," + merging("J", "Cascade"));
    var token = Activities.builtIn(FlowchartMode.TOKEN);

    assertThat(written(start(GraphCompiler.compile(definition("'root':" + cascade), token))))
        .isEqualTo("SABJJZZ");
    assertThat(written(start(graph("'root':" + cascade)))).isEqualTo("SABJZ");
    assertThat(
            written(
                start(
                    GraphCompiler.compile(
                        definition(
                            "'customProperties':{'Flowchart:ExecutionMode':2},'root':" + cascade),
                        token))))
        .isEqualTo("SABJZ");
  }

  @Test
  void an_instance_keeps_the_mode_it_began_with() {
    var activities = lines("SBZ") + "," + event("A", "a") + "," + merging("J", "Cascade");
    var root = "'root':" + flowchart("flow", DIAMOND, activities);
    var token = GraphCompiler.compile(definition(root), Activities.builtIn(FlowchartMode.TOKEN));

    var first = start(token);
    var second = resume(graph(root), first.next(), "A");

    assertThat(written(first)).isEqualTo("SBJZ");
    assertThat(written(second)).isEqualTo("JZ");
    assertThat(second.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void an_unused_line_is_not_waited_for() {
    assertThat(written(start(flow("A>B", lines("AB") + "," + line("X", "x"))))).isEqualTo("AB");
  }
}
