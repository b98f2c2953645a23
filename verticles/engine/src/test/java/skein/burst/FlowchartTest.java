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
import static skein.burst.Workflows.resume;
import static skein.burst.Workflows.rooted;
import static skein.burst.Workflows.start;
import static skein.burst.Workflows.trigger;
import static skein.burst.Workflows.waiting;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.graph.Graph;
import skein.model.WorkflowStatus;

class FlowchartTest {
  private static Graph flow(String connections, String activities) {
    return rooted(flowchart("flow", connections, activities));
  }

  private static String decision(String id, boolean answer) {
    return activity("FlowDecision", id, "'condition':" + literal("Boolean", "" + answer));
  }

  private static String join(String id, String mode) {
    return activity("FlowJoin", id, "'mode':" + literal("Object", "'" + mode + "'"));
  }

  @Test
  void an_activity_waits_for_all_that_lead_to_it() {
    var transition = start(flow("A>B A>C B>D C>D", lines("ABCD")));

    assertThat(linesOf(transition)).containsExactly("A", "B", "C", "D");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_braid_runs_each_activity_once_in_the_order_of_the_queue() {
    var transition =
        start(flow("A>B A>C B>D B>E C>E C>F D>G E>G E>H F>H G>I H>I", lines("ABCDEFGHI")));

    assertThat(String.join("", linesOf(transition))).isEqualTo("ABCDEFGHI");
  }

  @Test
  void a_dead_path_does_not_hold_up_what_it_leads_to() {
    var transition =
        start(flow("A>Q A>B Q.True>C C>D B>D", lines("ABCD") + "," + decision("Q", false)));

    assertThat(linesOf(transition)).containsExactly("A", "B", "D");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void an_outcome_nobody_follows_ends_the_flowchart() {
    var transition = start(flow("A>Q Q.True>B", lines("AB") + "," + decision("Q", false)));

    assertThat(linesOf(transition)).containsExactly("A");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @ParameterizedTest
  @CsvSource({
    "WaitAll, true, ABCEF",
    "WaitAll, false, ABCDF",
    "WaitAllActive, true, ABCEF",
    "WaitAllActive, false, ABCDEF",
    "0, false, ABCDF",
    "1, false, ABCDEF",
    "2, true, ABCEF",
    "WaitAny, true, ABCEF",
    "WaitAny, false, ABCDEF"
  })
  void a_join_decides_by_its_mode(String mode, boolean answer, String expected) {
    var flow =
        flow(
            "S>A S>B S>C A>Q Q.True>J Q.False>D B>J C>J D>F J>E E>F",
            lines("ABCDEF")
                + ","
                + activity("Start", "S", "")
                + ","
                + decision("Q", answer)
                + ","
                + join("J", mode));

    var transition = start(flow);

    assertThat(String.join("", linesOf(transition))).isEqualTo(expected);
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void the_numbers_of_join_modes_are_those_of_elsa() {
    var events = event("X", "x") + "," + event("Y", "y");
    var any = flow("A>X A>Y X>J Y>J J>B", lines("AB") + "," + events + "," + join("J", "2"));
    var active = flow("A>X A>Y X>J Y>J J>B", lines("AB") + "," + events + "," + join("J", "1"));

    assertThat(linesOf(resume(any, start(any).next(), "Y"))).containsExactly("B");
    assertThat(linesOf(resume(active, start(active).next(), "Y"))).isEmpty();
  }

  @Test
  void a_join_that_waits_for_any_cancels_the_others_and_runs_once() {
    var flow =
        flow(
            "A>X A>Y X>J Y>J J>B",
            lines("AB")
                + ","
                + event("X", "x")
                + ","
                + event("Y", "y")
                + ","
                + join("J", "WaitAny"));
    var suspended = start(flow).next();

    var transition = resume(flow, suspended, "Y");

    assertThat(linesOf(transition)).containsExactly("B");
    assertThat(journal(transition)).contains("X Canceled").containsOnlyOnce("J Completed");
    assertThat(transition.burnt())
        .containsExactlyInAnyOrder(waiting(suspended, "X").id(), waiting(suspended, "Y").id());
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_join_that_waits_for_all_waits_across_bursts() {
    var flow =
        flow(
            "A>X A>Y X>J Y>J J>B",
            lines("AB")
                + ","
                + event("X", "x")
                + ","
                + event("Y", "y")
                + ","
                + join("J", "WaitAll"));
    var first = resume(flow, start(flow).next(), "X");
    var second = resume(flow, first.next(), "Y");

    assertThat(linesOf(first)).isEmpty();
    assertThat(first.next().status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(linesOf(second)).containsExactly("B");
  }

  @Test
  void a_connection_that_leads_back_runs_its_target_again() {
    var graph =
        graph(
            "'variables':[{'id':'v','name':'Again','typeName':'Boolean','value':'true'}],'root':"
                + flowchart(
                    "flow",
                    "S>A A>Q Q.True>N N>A Q.False>B",
                    lines("AB")
                        + ","
                        + activity("Start", "S", "")
                        + ","
                        + activity(
                            "FlowDecision",
                            "Q",
                            "'condition':" + expression("Boolean", "Variable", "'Again'"))
                        + ","
                        + activity(
                            "SetVariable",
                            "N",
                            "'variable':{'id':'v'},'value':" + literal("Boolean", "false"))));

    var transition = start(graph);

    assertThat(linesOf(transition)).containsExactly("A", "A", "B");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_connection_back_into_another_branch_faults_the_flowchart() {
    var transition = start(flow("A>B A>C B>D C>E E>B D>C", lines("ABCDE")));

    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(transition.next().incidents().getFirst().type()).isEqualTo("InvalidConnection");
  }

  @Test
  void an_endless_loop_is_stopped_with_an_incident() {
    var transition = start(flow("A>B B>A", activity("Start", "A", "") + "," + line("B", "x")));

    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(transition.next().incidents())
        .singleElement()
        .satisfies(incident -> assertThat(incident.type()).isEqualTo("StepLimit"));
  }

  @Test
  void the_start_is_the_trigger_then_the_named_one_then_a_start_then_a_startable_one() {
    var startable =
        "{'type':'Elsa.Event','id':'E','customProperties':{'canStartWorkflow':true},'eventName':"
            + literal("String", "'go'")
            + "}";
    var withStart =
        flow("S>B E>C", lines("ABC") + "," + startable + "," + activity("Start", "S", ""));
    var withoutStart = flow("E>C", lines("AC") + "," + startable);

    assertThat(linesOf(start(withStart))).containsExactly("B");
    assertThat(linesOf(trigger(withStart, "E", null))).containsExactly("C");
    assertThat(start(withoutStart).next().bookmarks()).hasSize(1);
    assertThat(
            linesOf(
                start(rooted("{'start':'B'," + flowchart("f", "A>B", lines("AB")).substring(1)))))
        .containsExactly("B");
  }

  @Test
  void what_the_start_does_not_lead_to_is_left_out() {
    assertThat(linesOf(start(flow("A>C", lines("ABC"))))).containsExactly("A", "C");
  }

  @Test
  void an_end_completes_the_flowchart_and_cancels_what_waits() {
    var transition =
        start(flow("A>X A>Z", lines("A") + "," + event("X", "x") + "," + activity("End", "Z", "")));

    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(transition.next().bookmarks()).isEmpty();
    assertThat(transition.made()).isEmpty();
    assertThat(journal(transition)).contains("X Canceled");
  }

  @Test
  void a_flowchart_inside_another_is_one_activity_of_it() {
    var inner = flowchart("inner", "B>C", lines("BC"));

    var transition = start(flow("A>inner inner>D", lines("AD") + "," + inner));

    assertThat(linesOf(transition)).containsExactly("A", "B", "C", "D");
  }

  @Test
  void a_fork_follows_every_branch_it_names() {
    var fork =
        activity(
            "FlowFork", "F", "'branches':" + expression("String[]", "Object", "['One','Two']"));

    assertThat(linesOf(start(flow("F.One>A F.Two>B F.Three>C", lines("ABC") + "," + fork))))
        .containsExactly("A", "B");
  }

  @Test
  void older_forms_of_connections_are_read() {
    var graph =
        rooted(
            "{'type':'Elsa.Flowchart','id':'f','activities':["
                + lines("AB")
                + "],'connections':{'$values':[{'source':'A','target':'B','sourcePort':'Done'}]}}");

    assertThat(linesOf(start(graph))).containsExactly("A", "B");
  }

  @Test
  void an_empty_flowchart_completes() {
    var transition = start(rooted("{'type':'Elsa.Flowchart','id':'f'}"), Map.of());

    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }
}
