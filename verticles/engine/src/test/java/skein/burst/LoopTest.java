package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static skein.burst.Workflows.EXPRESSIONS;
import static skein.burst.Workflows.ID;
import static skein.burst.Workflows.NOW;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.at;
import static skein.burst.Workflows.event;
import static skein.burst.Workflows.expression;
import static skein.burst.Workflows.flowchart;
import static skein.burst.Workflows.graph;
import static skein.burst.Workflows.journal;
import static skein.burst.Workflows.line;
import static skein.burst.Workflows.lines;
import static skein.burst.Workflows.linesOf;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.request;
import static skein.burst.Workflows.resume;
import static skein.burst.Workflows.rooted;
import static skein.burst.Workflows.sequence;
import static skein.burst.Workflows.start;
import static skein.burst.Workflows.variable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.graph.Graph;
import skein.model.WorkflowStatus;

class LoopTest {
  private static final String WHOLE = "System.Int32";

  private static String seq(String id, String activities) {
    return activity("Sequence", id, "'activities':[" + activities + "]");
  }

  private static String number(String name, long value) {
    return "'" + name + "':" + literal("Int32", "" + value);
  }

  private static String counting(long start, long end, long step, boolean inclusive, String body) {
    return activity(
        "For",
        "for",
        number("start", start)
            + ","
            + number("end", end)
            + ","
            + number("step", step)
            + ",'outerBoundInclusive':"
            + literal("Boolean", "" + inclusive)
            + body);
  }

  private static String body(String activity) {
    return ",'body':" + activity;
  }

  private static String items(String list) {
    return "'items':" + expression("Object", "Object", list);
  }

  private static String each(String list, String body) {
    return activity("ForEach", "each", items(list) + body);
  }

  private static String script(String id, String text) {
    return activity("WriteLine", id, "'text':" + expression("String", "JavaScript", text));
  }

  private static final String VALUE = script("v", "'getCurrentValue()'");
  private static final String BREAK = activity("Break", "break", "");

  private static final String LETTERS = lines("AB");
  private static final String ODD =
      activity(
          "FlowDecision",
          "Q",
          "'condition':" + expression("Boolean", "JavaScript", "'getCurrentValue() % 2 == 1'"));

  private static String breakWhen(String condition) {
    return activity(
        "If",
        "if",
        "'condition':" + expression("Boolean", "JavaScript", condition) + ",'then':" + BREAK);
  }

  private static Graph counter(String activities) {
    return graph(
        "'variables':[{'id':'n','name':'N','typeName':'Int32','value':'0'}],'root':"
            + seq("seq", activities));
  }

  private static String count() {
    return activity(
        "SetVariable",
        "count",
        "'variable':{'id':'n'},'value':" + expression(WHOLE, "JavaScript", "'getN() + 1'"));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 3, 1, true, 1 2 3",
    "1, 3, 1, false, 1 2",
    "0, 5, 2, true, 0 2 4",
    "3, 1, -1, true, 3 2 1",
    "3, 1, -1, false, 3 2",
    "2, 2, 1, true, 2",
    "2, 2, 1, false, ''",
    "2, 1, 1, true, ''",
    "1, 2, -1, true, ''",
    "5, 1, 0, true, ''",
    "-1, -3, -2, true, -1 -3",
    "2147483646, 2147483647, 1, true, 2147483646 2147483647"
  })
  void a_for_counts_up_or_down_to_its_bound(
      long start, long end, long step, boolean inclusive, String expected) {
    var transition = start(rooted(counting(start, end, step, inclusive, body(VALUE))));

    assertThat(String.join(" ", linesOf(transition))).isEqualTo(expected);
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_for_binds_its_current_value_and_includes_its_end_unless_told() {
    var loop =
        activity(
            "For",
            "for",
            number("end", 2) + ",'currentValue':{'memoryReference':{'id':'n'}}" + body(VALUE));

    var transition = start(counter(loop + "," + script("after", "'`n ${getN()}`'")));

    assertThat(linesOf(transition)).containsExactly("0", "1", "2", "n 2");
  }

  @Test
  void a_for_reads_its_bounds_once() {
    var loop =
        activity(
            "For",
            "for",
            number("start", 1)
                + ",'end':"
                + expression("Int32", "JavaScript", "'getN() + 2'")
                + body(seq("in", count() + "," + VALUE)));

    assertThat(linesOf(start(counter(loop)))).containsExactly("1", "2");
  }

  @Test
  void a_while_asks_its_condition_before_each_turn() {
    var loop =
        activity(
            "While",
            "while",
            "'condition':"
                + expression("Boolean", "JavaScript", "'getN() < 3'")
                + body(seq("in", count() + "," + script("l", "'`turn ${getN()}`'"))));

    var transition = start(counter(loop + "," + line("after", "after")));

    assertThat(linesOf(transition)).containsExactly("turn 1", "turn 2", "turn 3", "after");
  }

  @Test
  void a_while_without_a_condition_does_nothing() {
    assertThat(linesOf(start(rooted(activity("While", "while", "'body':" + line("a", "a"))))))
        .isEmpty();
  }

  @Test
  void an_endless_while_is_stopped_with_an_incident() {
    var transition =
        start(
            rooted(
                activity(
                    "While",
                    "while",
                    "'condition':"
                        + literal("Boolean", "true")
                        + body(activity("Start", "s", "")))));

    assertThat(transition.next().incidents())
        .singleElement()
        .satisfies(incident -> assertThat(incident.type()).isEqualTo("StepLimit"));
  }

  @ParameterizedTest
  @CsvSource({"While", "For", "ForEach", "ParallelForEach"})
  void a_loop_without_a_body_completes(String type) {
    var members =
        "'condition':" + literal("Boolean", "true") + "," + number("end", 3) + "," + items("[1,2]");

    var transition = start(rooted(activity(type, "loop", members)));

    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(journal(transition)).containsExactly("loop Started", "loop Completed");
  }

  @Test
  void a_for_each_gives_its_body_the_item_and_its_place() {
    var transition =
        start(
            rooted(
                each(
                    "['oak','elm']",
                    body(script("l", "'`${getCurrentIndex()} ${getCurrentValue()}`'")))));

    assertThat(linesOf(transition)).containsExactly("0 oak", "1 elm");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[]|0",
        "[null,1,null]|3",
        "[[1,2],{'a':1}]|2",
        "{'a':1}|1",
        "'[1,2,3]'|3",
      },
      quoteCharacter = '`')
  void a_for_each_takes_lists_and_what_can_be_one(String list, int turns) {
    var transition = start(rooted(each(list, body(line("l", "turn")))));

    assertThat(linesOf(transition)).hasSize(turns);
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_for_each_of_null_faults_but_one_of_nothing_completes() {
    var unset = activity("ForEach", "each", "'items':null" + body(line("l", "turn")));

    assertThat(start(rooted(each("null", body(line("l", "turn"))))).next().incidents())
        .singleElement()
        .satisfies(incident -> assertThat(incident.type()).isEqualTo("MissingItems"));
    assertThat(start(rooted(unset)).next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_parallel_for_each_of_null_completes() {
    var root = activity("ParallelForEach", "all", items("null") + body(line("l", "turn")));

    assertThat(linesOf(start(rooted(root)))).isEmpty();
    assertThat(start(rooted(root)).next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void items_of_null_are_turns_across_bursts() {
    var graph = rooted(each("[null,null]", body(seq("in", event("wait", "go") + "," + VALUE))));

    var first = resume(graph, start(graph).next(), "wait");
    var second = resume(graph, first.next(), "wait");

    assertThat(linesOf(first)).hasSize(1);
    assertThat(linesOf(second)).hasSize(1);
    assertThat(second.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_for_each_keeps_to_the_items_of_its_beginning() {
    var graph =
        graph(
            "'variables':[{'id':'l','name':'L','typeName':'Object[]','value':'[1,2]'}],'root':"
                + activity(
                    "ForEach",
                    "each",
                    "'items':"
                        + variable("Object", "l")
                        + body(
                            seq(
                                "in",
                                event("wait", "go")
                                    + ","
                                    + activity(
                                        "SetVariable",
                                        "set",
                                        "'variable':{'id':'l'},'value':"
                                            + expression("Object", "Object", "[]"))
                                    + ","
                                    + VALUE))));

    var first = resume(graph, start(graph).next(), "wait");
    var second = resume(graph, first.next(), "wait");

    assertThat(linesOf(first)).containsExactly("1");
    assertThat(linesOf(second)).containsExactly("2");
    assertThat(second.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_generic_name_means_the_same_loop() {
    var root = each("[1,2]", body(VALUE)).replace("Elsa.ForEach", "Elsa.ForEach<String>");

    assertThat(linesOf(start(rooted(root)))).containsExactly("1", "2");
  }

  @Test
  void the_current_value_of_a_for_each_outlives_it_where_it_is_bound() {
    var loop = each("[4,7]", ",'currentValue':{'memoryReference':{'id':'n'}}" + body(VALUE));

    assertThat(linesOf(start(counter(loop + "," + script("after", "'`last ${getN()}`'")))))
        .containsExactly("4", "7", "last 7");
  }

  @Test
  void an_inner_loop_hides_the_item_of_the_outer_one() {
    var inner = activity("ForEach", "inner", items("['a','b']") + body(VALUE));
    var root = each("[1,2]", body(seq("in", inner + "," + script("o", "'getCurrentValue()'"))));

    assertThat(linesOf(start(rooted(root)))).containsExactly("a", "b", "1", "a", "b", "2");
  }

  @Test
  void a_break_leaves_the_nearest_loop_only() {
    var inner =
        activity(
            "ForEach",
            "inner",
            items("['a','b','c']")
                + body(seq("in", breakWhen("'getCurrentValue() == `b`'") + "," + VALUE)));
    var root = each("[1,2]", body(seq("out", inner + "," + script("o", "'getCurrentValue()'"))));

    var transition = start(rooted(root));

    assertThat(linesOf(transition)).containsExactly("a", "1", "a", "2");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @ParameterizedTest
  @CsvSource({"While", "For", "ForEach"})
  void a_break_passes_containers_on_its_way(String type) {
    var deep =
        seq(
            "s1",
            activity(
                    "Fork",
                    "fork",
                    "'branches':["
                        + seq("s2", event("other", "other"))
                        + ","
                        + seq("s3", BREAK + "," + line("x", "x"))
                        + "]")
                + ","
                + line("y", "y"));
    var members =
        "'condition':" + literal("Boolean", "true") + "," + number("end", 3) + "," + items("[1,2]");

    var transition =
        start(sequence(activity(type, "loop", members + body(deep)) + "," + line("z", "z")));

    assertThat(linesOf(transition)).containsExactly("z");
    assertThat(journal(transition)).contains("other Canceled").containsOnlyOnce("fork Completed");
    assertThat(transition.next().bookmarks()).isEmpty();
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_break_in_a_flowchart_ends_it_and_the_loop() {
    var body = flowchart("f", "A>Q Q.True>break Q.False>B", LETTERS + "," + ODD + "," + BREAK);

    var transition = start(rooted(each("[2,3,4]", body(body))));

    assertThat(linesOf(transition)).containsExactly("A", "B", "A");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_break_in_a_parallel_leaves_the_loop_once_the_others_are_done() {
    var parallel =
        activity("Parallel", "p", "'activities':[" + BREAK + "," + event("wait", "go") + "]");
    var graph = rooted(each("[1,2]", body(seq("in", parallel + "," + VALUE))));

    var first = start(graph);
    var second = resume(graph, first.next(), "wait");

    assertThat(first.next().status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(linesOf(second)).isEmpty();
    assertThat(second.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_break_after_a_wait_still_leaves_the_loop() {
    var graph =
        rooted(each("[1,2]", body(seq("in", event("wait", "go") + "," + BREAK + "," + VALUE))));

    var transition = resume(graph, start(graph).next(), "wait");

    assertThat(linesOf(transition)).isEmpty();
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_break_outside_a_loop_ends_the_sequences_it_is_in() {
    var transition =
        start(
            sequence(
                line("a", "a")
                    + ","
                    + seq("inner", BREAK + "," + line("b", "b"))
                    + ","
                    + line("c", "c")));

    assertThat(linesOf(transition)).containsExactly("a");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_parallel_for_each_runs_all_items_before_any_waits_on() {
    var graph =
        rooted(
            activity(
                "ParallelForEach",
                "all",
                items("['a',null,'c']")
                    + body(
                        seq(
                            "in",
                            event("wait", "go")
                                + ","
                                + script("l", "'`${getCurrentIndex()}:${getCurrentValue()}`'")))));
    var suspended = start(graph).next();
    assertThat(suspended.bookmarks()).hasSize(3);

    var lines = new ArrayList<String>();
    for (var left = 3; left > 0; left--) {
      assertThat(suspended.status()).isEqualTo(WorkflowStatus.Suspended);
      var last = suspended.bookmarks().getLast();
      var transition =
          Workflows.BURST.resume(graph, suspended, last.id(), Map.of(), false, at(NOW));
      lines.addAll(linesOf(transition));
      suspended = transition.next();
    }

    assertThat(lines).containsExactly("2:c", "1:null", "0:a");
    assertThat(suspended.status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_faulted_item_keeps_a_parallel_for_each_open() {
    var graph =
        graph(
            "'options':{'incidentStrategyType':'ContinueWithIncidentsStrategy'},'root':"
                + activity(
                    "ParallelForEach",
                    "all",
                    items("[1,0]")
                        + body(
                            seq(
                                "in",
                                activity(
                                        "FlowDecision",
                                        "q",
                                        "'condition':"
                                            + expression(
                                                "Boolean",
                                                "JavaScript",
                                                "'getCurrentValue() ? true : nothing.there'"))
                                    + ","
                                    + event("wait", "go")))));

    var transition = resume(graph, start(graph).next(), "wait");

    assertThat(transition.next().incidents()).hasSize(1);
    assertThat(journal(transition)).doesNotContain("all Completed");
    assertThat(transition.next().status()).isNotEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_break_in_a_parallel_for_each_ends_its_own_item_and_the_loop_around() {
    var all =
        activity(
            "ParallelForEach",
            "all",
            items("[1,2,3]")
                + body(seq("in", breakWhen("'getCurrentValue() == 2'") + "," + VALUE)));

    var transition = start(rooted(each("['x','y']", body(all))));

    assertThat(linesOf(transition)).containsExactly("1", "3");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void ten_thousand_turns_leave_no_more_state_than_one() {
    var burst =
        new Burst(
            EXPRESSIONS,
            new BurstLimits(
                50_000,
                10,
                10,
                10,
                new ChildLimits(1, 1, 1, Duration.ZERO),
                JournalLimits.DEFAULT,
                new WorkLimits(Duration.ofSeconds(1), 1)));
    var once = rooted(counting(1, 1, 1, true, body(event("wait", "go"))));
    var often =
        rooted(
            counting(
                1,
                10_001,
                1,
                true,
                body(
                    activity(
                        "If",
                        "if",
                        "'condition':"
                            + expression("Boolean", "JavaScript", "'getCurrentValue() > 10000'")
                            + ",'then':"
                            + event("wait", "go")))));

    var few = burst.start(once, ID, request(Map.of()), at(NOW)).next();
    var many = burst.start(often, ID, request(Map.of()), at(NOW)).next();

    assertThat(many.status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(many.executions()).hasSize(few.executions().size() + 1);
    assertThat(many.executions().getFirst().memory().keySet())
        .isEqualTo(few.executions().getFirst().memory().keySet());
    assertThat(resume(often, many, "wait").next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void every_turn_may_wait() {
    var graph = rooted(counting(1, 3, 1, true, body(seq("in", event("wait", "go") + "," + VALUE))));
    var transition = start(graph);
    var lines = new ArrayList<String>();

    while (transition.next().status() == WorkflowStatus.Suspended) {
      transition = resume(graph, transition.next(), "wait");
      lines.addAll(linesOf(transition));
    }

    assertThat(lines).isEqualTo(List.of("1", "2", "3"));
  }
}
