package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static skein.burst.Workflows.BURST;
import static skein.burst.Workflows.NOW;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.at;
import static skein.burst.Workflows.event;
import static skein.burst.Workflows.expression;
import static skein.burst.Workflows.flowchart;
import static skein.burst.Workflows.graph;
import static skein.burst.Workflows.journal;
import static skein.burst.Workflows.line;
import static skein.burst.Workflows.linesOf;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.resume;
import static skein.burst.Workflows.rooted;
import static skein.burst.Workflows.sequence;
import static skein.burst.Workflows.start;
import static skein.burst.Workflows.waiting;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.graph.Graph;
import skein.model.Alteration;
import skein.model.Alteration.Target;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

class SkipTest {
  private static final String AFTER = line("after", "after");

  private static Transition alter(
      Graph graph, WorkflowInstance instance, List<Alteration> alterations) {
    return BURST.alter(graph, Map.of(), instance, alterations, "kim", at(NOW.plusSeconds(60)));
  }

  private static Transition skip(
      Graph graph,
      WorkflowInstance instance,
      String activityId,
      Map<String, @Nullable Object> output,
      String... outcomes) {
    var skip =
        new Alteration.Skip(Target.activity(activityId), output, List.of(outcomes), "agreed");
    return alter(graph, instance, List.of(skip));
  }

  private static Transition skip(Graph graph, WorkflowInstance instance, String activityId) {
    return skip(graph, instance, activityId, Map.of());
  }

  private static void refused(ErrorCode code, String message, Runnable skip) {
    assertThatThrownBy(skip::run)
        .isInstanceOfSatisfying(SkeinException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  @Test
  void a_skipped_event_is_not_awaited_and_the_sequence_goes_on() {
    var graph = sequence(event("e", "go") + "," + AFTER);
    var before = start(graph).next();

    var skipped = skip(graph, before, "e");

    assertThat(linesOf(skipped)).containsExactly("after");
    assertThat(skipped.burnt()).containsExactly(waiting(before, "e").id());
    assertThat(skipped.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(journal(skipped)).startsWith("e Skipped", "e Completed", "after Started");
    assertThat(skipped.journal().getFirst().message()).isEqualTo("by kim: agreed");
    assertThat(skipped.journal().get(1).data()).containsEntry("outcomes", List.of("Done"));
  }

  @Test
  void a_skipped_delay_leaves_no_timer() {
    var graph =
        sequence(
            activity("Delay", "d", "'timeSpan':" + literal("TimeSpan", "'01:00:00'"))
                + ","
                + AFTER);
    var before = start(graph).next();

    var skipped = skip(graph, before, "d");

    assertThat(skipped.timersDone()).containsExactly(waiting(before, "d").id().toString());
    assertThat(linesOf(skipped)).containsExactly("after");
  }

  @ParameterizedTest
  @CsvSource({"'', b", "Other, c"})
  void a_flowchart_follows_the_default_or_the_given_outcome(String outcome, String line) {
    var graph =
        rooted(
            flowchart(
                "flow",
                "e>b e.Other>c",
                event("e", "go") + "," + line("b", "b") + "," + line("c", "c")));
    var outcomes = outcome.isEmpty() ? new String[0] : new String[] {outcome};

    var skipped = skip(graph, start(graph).next(), "e", Map.of(), outcomes);

    assertThat(linesOf(skipped)).containsExactly(line);
  }

  @ParameterizedTest
  @CsvSource({"Parallel, activities", "Fork, branches"})
  void the_other_branches_are_waited_for(String type, String port) {
    var graph =
        sequence(
            activity(type, "p", "'" + port + "':[" + event("x", "x") + "," + event("y", "y") + "]")
                + ","
                + AFTER);

    var skipped = skip(graph, start(graph).next(), "x");

    assertThat(linesOf(skipped)).isEmpty();
    assertThat(skipped.next().bookmarks())
        .singleElement()
        .satisfies(bookmark -> assertThat(bookmark.activityId()).isEqualTo("y"));
    assertThat(linesOf(resume(graph, skipped.next(), "y"))).containsExactly("after");
  }

  @Test
  void a_loop_goes_on_with_its_next_round() {
    var graph =
        sequence(
            activity(
                    "ForEach",
                    "each",
                    "'items':"
                        + expression("Object", "Object", "[1,2]")
                        + ",'body':"
                        + event("e", "go"))
                + ","
                + AFTER);
    var first = start(graph).next();

    var second = skip(graph, first, "e");

    assertThat(linesOf(second)).isEmpty();
    assertThat(waiting(second.next(), "e").execution())
        .isGreaterThan(waiting(first, "e").execution());
    assertThat(linesOf(skip(graph, second.next(), "e"))).containsExactly("after");
  }

  @Test
  void all_that_a_skipped_container_holds_is_cancelled() {
    var graph =
        sequence(
            activity(
                    "Sequence",
                    "inner",
                    "'activities':["
                        + activity(
                            "Parallel",
                            "p",
                            "'activities':[" + event("x", "x") + "," + event("y", "y") + "]")
                        + "]")
                + ","
                + AFTER);

    var skipped = skip(graph, start(graph).next(), "inner");

    assertThat(journal(skipped))
        .contains("x Canceled", "y Canceled", "p Canceled", "inner Completed");
    assertThat(skipped.burnt()).hasSize(2);
    assertThat(linesOf(skipped)).containsExactly("after");
    assertThat(skipped.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @ParameterizedTest
  @CsvSource({"Skein.SuspendStrategy, Suspended", "Skein.FaultStrategy, Faulted"})
  void skipping_what_is_faulted_resolves_its_incident(String strategy, WorkflowStatus status) {
    var wrong =
        activity("WriteLine", "a", "'text':" + expression("String", "JavaScript", "'nope('"));
    var graph =
        graph(
            "'options':{'incidentStrategyType':'"
                + strategy
                + "'},'root':"
                + activity("Sequence", "seq", "'activities':[" + wrong + "," + AFTER + "]"));
    var faulted = start(graph).next();
    assertThat(faulted.status()).isEqualTo(status);
    assertThat(faulted.incidents()).hasSize(1);

    var skipped = skip(graph, faulted, "a");

    assertThat(skipped.next().incidents()).isEmpty();
    assertThat(skipped.next().bookmarks()).isEmpty();
    assertThat(linesOf(skipped)).containsExactly("after");
    assertThat(skipped.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void incidents_within_a_skipped_container_are_resolved() {
    var wrong =
        activity("WriteLine", "a", "'text':" + expression("String", "JavaScript", "'nope('"));
    var graph =
        sequence(activity("Sequence", "inner", "'activities':[" + wrong + "]") + "," + AFTER);

    var skipped = skip(graph, start(graph).next(), "inner");

    assertThat(skipped.next().incidents()).isEmpty();
    assertThat(skipped.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_skipped_user_task_ends_with_the_output_that_is_given() {
    var task =
        activity(
                "UserTask",
                "t",
                "'result':{'memoryReference':{'id':'r'}},'title':" + literal("String", "'Look'"))
            .replace("Elsa.UserTask", "Skein.UserTask");
    var graph =
        graph(
            "'variables':[{'id':'r','name':'R','typeName':'Object'}],'root':"
                + activity(
                    "Sequence",
                    "seq",
                    "'activities':["
                        + task
                        + ","
                        + activity(
                            "WriteLine",
                            "l",
                            "'text':" + expression("String", "JavaScript", "'getR().amount'"))
                        + "]"));
    var before = start(graph).next();

    var skipped = skip(graph, before, "t", Map.of("Result", Map.of("amount", 12L)));

    assertThat(skipped.burnt()).containsExactly(waiting(before, "t").id());
    assertThat(skipped.next().bookmarks()).isEmpty();
    assertThat(linesOf(skipped)).containsExactly("12");
    assertThat(skipped.journal().getFirst().data()).containsKey("outputs");
    refused(
        ErrorCode.ALTERATION_REFUSED,
        "has no output \"Reslut\"",
        () -> skip(graph, before, "t", Map.of("Reslut", 1L)));
  }

  @Test
  void a_child_workflow_is_left_to_run_and_its_end_is_not_awaited() {
    var graph =
        sequence(
            activity(
                    "ExecuteWorkflow",
                    "x",
                    "'workflowDefinitionId':"
                        + literal("String", "'kid'")
                        + ",'waitForCompletion':"
                        + literal("Boolean", "true"))
                + ","
                + event("e", "go"));
    var started = start(graph);
    var parent = waiting(started.next(), "x").execution();
    assertThat(started.timersMade()).anyMatch(timer -> timer.kind() == Timer.Kind.Child);

    var skipped = skip(graph, started.next(), "x");

    assertThat(skipped.next().bookmarks())
        .singleElement()
        .satisfies(bookmark -> assertThat(bookmark.activityId()).isEqualTo("e"));
    assertThat(skipped.timersMade()).isEmpty();
    assertThat(BURST.childDone(graph, skipped.next(), parent, Map.of(), false, at(NOW))).isNull();
  }

  @Test
  void the_result_of_work_outside_comes_too_late_for_a_skipped_activity() {
    var graph =
        sequence(
            activity("SendHttpRequest", "s", "'url':" + literal("System.Uri", "'http://a/b'"))
                + ","
                + event("e", "go"));
    var before = start(graph).next();
    var work = work(before);

    var skipped = skip(graph, before, "s");

    assertThat(skipped.burnt()).contains(work);
    assertThat(skipped.timersDone()).contains(work.toString());
    refused(
        ErrorCode.ALREADY_RESUMED,
        "",
        () -> BURST.resume(graph, skipped.next(), work, Map.of(), false, at(NOW)));
  }

  private static BookmarkId work(WorkflowInstance instance) {
    return instance.bookmarks().stream()
        .filter(bookmark -> OutsideWork.WORK.equals(bookmark.tag()))
        .findFirst()
        .orElseThrow()
        .id();
  }

  @Test
  void of_a_skip_and_a_resume_of_the_same_bookmark_one_wins() {
    var graph = sequence(event("e", "go") + "," + event("f", "on"));
    var before = start(graph).next();
    var bookmark = waiting(before, "e").id();

    var skipped = skip(graph, before, "e").next();
    refused(
        ErrorCode.ALREADY_RESUMED,
        "",
        () -> BURST.resume(graph, skipped, bookmark, Map.of(), false, at(NOW)));

    var resumed = resume(graph, before, "e").next();
    refused(
        ErrorCode.ALTERATION_REFUSED,
        "Nothing that waits or is faulted",
        () -> skip(graph, resumed, "e"));
  }

  @Test
  void one_execution_of_several_may_be_named() {
    var graph =
        rooted(
            activity(
                "ParallelForEach",
                "each",
                "'items':"
                    + expression("Object", "Object", "[1,2]")
                    + ",'body':"
                    + event("e", "go")));
    var before = start(graph).next();
    var target = Target.execution(before.bookmarks().getLast().execution());

    var skipped =
        alter(
            graph, before, List.of(new Alteration.Skip(target, Map.of(), List.of(), null))); // One.

    assertThat(skipped.next().bookmarks()).containsExactly(before.bookmarks().getFirst());
    assertThat(skipped.journal().getFirst().message()).isEqualTo("by kim");
    assertThat(skip(graph, before, "e").next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void neither_the_whole_workflow_nor_an_instance_that_has_ended_can_be_skipped() {
    var graph = sequence(event("e", "go"));
    var before = start(graph).next();

    refused(
        ErrorCode.ALTERATION_REFUSED,
        "Nothing that waits or is faulted",
        () -> skip(graph, before, "seq"));
    var done = resume(graph, before, "e").next();
    refused(ErrorCode.INSTANCE_FINISHED, "", () -> skip(graph, done, "e"));
  }

  private static String undoable(String id, String by) {
    return line(id, id)
        .replace(
            "'id':'" + id + "'",
            "'id':'" + id + "','customProperties':{'compensatedBy':'" + by + "'}");
  }

  private static String seq(String id, String properties, String activities) {
    return "{'type':'Elsa.Sequence','id':'"
        + id
        + "'"
        + properties
        + ",'activities':["
        + activities
        + "]}";
  }

  /** The inner scope has faulted, and waits while what it has completed is undone. */
  private static Graph undoing() {
    var wrong =
        activity("WriteLine", "w", "'text':" + expression("String", "JavaScript", "'nope('"));
    var inner =
        seq(
            "inner",
            ",'customProperties':{'onFault':'handler'}",
            undoable("a", "u") + "," + event("u", "undo") + "," + wrong);
    return sequence(seq("outer", "", inner + "," + line("handler", "handled")) + "," + AFTER);
  }

  @Test
  void what_is_being_undone_cannot_be_skipped_but_one_of_its_steps_can() {
    var graph = undoing();
    var ending = start(graph).next();
    assertThat(waiting(ending, "u").execution()).isPositive();

    refused(ErrorCode.ALTERATION_REFUSED, "is being undone", () -> skip(graph, ending, "inner"));
    refused(ErrorCode.ALTERATION_REFUSED, "is being undone", () -> skip(graph, ending, "outer"));

    var skipped = skip(graph, ending, "u");

    assertThat(linesOf(skipped)).containsExactly("handled", "after");
    assertThat(skipped.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void what_was_completed_deep_within_a_skipped_container_can_still_be_undone() {
    var inner =
        seq("inner", "", undoable("a", "u") + "," + line("u", "undone") + "," + event("e", "x"));
    var graph = sequence(seq("outer", "", inner) + "," + event("later", "later"));
    var before = start(graph).next();

    var skipped = skip(graph, before, "outer").next();
    var cancelled = BURST.cancel(graph, skipped, at(NOW));

    assertThat(linesOf(cancelled)).containsExactly("undone");
    assertThat(cancelled.next().status()).isEqualTo(WorkflowStatus.Cancelled);
  }

  @Test
  void an_outcome_that_leads_nowhere_is_refused_in_a_flowchart() {
    var graph =
        rooted(
            flowchart(
                "flow",
                "e>b e.Other>c",
                event("e", "go") + "," + line("b", "b") + "," + line("c", "c")));
    var before = start(graph).next();

    refused(
        ErrorCode.ALTERATION_REFUSED,
        "no outcome \"Othr\"",
        () -> skip(graph, before, "e", Map.of(), "Other", "Othr"));
    assertThat(linesOf(skip(graph, before, "e", Map.of(), "Done"))).containsExactly("b");
    var sequence = sequence(event("e", "go") + "," + AFTER);
    assertThat(linesOf(skip(sequence, start(sequence).next(), "e", Map.of(), "Othr")))
        .containsExactly("after");
  }

  private static final String WRONG = expression("Boolean", "JavaScript", "'nope('");

  private static String decision() {
    return activity("FlowDecision", "d", "'condition':" + WRONG);
  }

  private static String select() {
    var wrong = "{'label':'Big','condition':{'type':'JavaScript','value':'nope('}}";
    return activity("FlowSwitch", "d", "'cases':[" + wrong + "]");
  }

  private static String fork() {
    return activity("FlowFork", "d", "'branches':" + WRONG);
  }

  private static Graph branching(String branching, String port) {
    return rooted(flowchart("flow", "d." + port + ">b", branching + "," + line("b", "b")));
  }

  @Test
  void a_faulted_decision_of_a_flowchart_is_not_skipped_without_an_outcome() {
    var graph = branching(decision(), "True");
    var faulted = start(graph).next();

    refused(
        ErrorCode.ALTERATION_REFUSED,
        "no outcome \"Done\", and no connection leaves it by that name; its outcomes are"
            + " [True, False]",
        () -> skip(graph, faulted, "d"));
    refused(
        ErrorCode.ALTERATION_REFUSED,
        "[True, False]",
        () -> skip(graph, faulted, "d", Map.of(), "Done"));
    assertThat(linesOf(skip(graph, faulted, "d", Map.of(), "True"))).containsExactly("b");
    assertThat(skip(graph, faulted, "d", Map.of(), "False").next().status())
        .isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_faulted_switch_or_fork_of_a_flowchart_is_not_skipped_without_an_outcome() {
    var selecting = branching(select(), "Big");
    refused(
        ErrorCode.ALTERATION_REFUSED,
        "[Default, Big]",
        () -> skip(selecting, start(selecting).next(), "d"));
    var forking = branching(fork(), "North");
    var faulted = start(forking).next();

    refused(ErrorCode.ALTERATION_REFUSED, "[North]", () -> skip(forking, faulted, "d"));
    assertThat(linesOf(skip(forking, faulted, "d", Map.of(), "North"))).containsExactly("b");
    assertThat(linesOf(skip(forking, faulted, "d", Map.of(), "Done"))).isEmpty();
  }

  @Test
  void what_nothing_follows_is_skipped_without_an_outcome() {
    var graph = rooted(flowchart("flow", "", decision()));

    assertThat(skip(graph, start(graph).next(), "d").next().status())
        .isEqualTo(WorkflowStatus.Completed);
  }

  private static Graph twoFaults(String strategy, String others) {
    var wrong = "'text':" + expression("String", "JavaScript", "'nope('");
    return graph(
        "'options':{'incidentStrategyType':'Elsa.Workflows.IncidentStrategies."
            + strategy
            + "'},'root':"
            + activity(
                "Parallel",
                "p",
                "'activities':["
                    + activity("WriteLine", "x", wrong)
                    + ","
                    + activity("WriteLine", "y", wrong)
                    + others
                    + "]"));
  }

  @Test
  void an_instance_with_another_fault_is_faulted_again_once_nothing_waits() {
    var graph = twoFaults("FaultStrategy", "");
    var faulted = start(graph).next();
    assertThat(faulted.incidents()).hasSize(2);

    var skipped = skip(graph, faulted, "x").next();

    assertThat(skipped.status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(skipped.incidents())
        .singleElement()
        .satisfies(incident -> assertThat(incident.activityId()).isEqualTo("y"));
    assertThat(skip(graph, skipped, "y").next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void an_instance_with_another_fault_goes_on_as_long_as_something_waits() {
    var graph = twoFaults("FaultStrategy", "," + event("e", "go"));

    var skipped = skip(graph, start(graph).next(), "x").next();
    assertThat(skipped.status()).isEqualTo(WorkflowStatus.Suspended);

    assertThat(resume(graph, skipped, "e").next().status()).isEqualTo(WorkflowStatus.Faulted);
  }

  @Test
  void an_instance_that_continues_with_incidents_is_not_faulted_for_another_fault() {
    var graph = twoFaults("ContinueWithIncidentsStrategy", "");

    assertThat(skip(graph, start(graph).next(), "x").next().status())
        .isEqualTo(WorkflowStatus.Suspended);
  }
}
