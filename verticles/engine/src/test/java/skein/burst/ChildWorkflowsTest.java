package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static skein.burst.Workflows.NOW;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.at;
import static skein.burst.Workflows.expression;
import static skein.burst.Workflows.graph;
import static skein.burst.Workflows.linesOf;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.start;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.activities.ChildOrder;
import skein.activities.Json;
import skein.graph.Graph;
import skein.model.Effect;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/** Activities that start other workflows as instances of their own. */
class ChildWorkflowsTest {
  private static final String CHILD = "'workflowDefinitionId':" + literal("String", "'kid'");
  private static final String WAITS = ",'waitForCompletion':" + literal("Boolean", "true");
  private static final String GOES_ON = ",'waitForCompletion':" + literal("Boolean", "false");

  private static String js(String code) {
    return expression("Object", "JavaScript", "'" + code + "'");
  }

  private static Graph then(String activity, String code) {
    return graph(
        "'variables':[{'id':'r','name':'R','typeName':'Object'}],"
            + "'root':{'type':'Elsa.Sequence','id':'s','activities':["
            + activity
            + ","
            + activity("WriteLine", "l", "'text':" + js(code))
            + "]}");
  }

  private static List<Timer> children(Transition transition) {
    return transition.timersMade().stream()
        .filter(timer -> timer.kind() == Timer.Kind.Child)
        .toList();
  }

  private static Map<String, @Nullable Object> payload(Timer timer) {
    return Objects.requireNonNull(Json.object(timer.payload()));
  }

  private static Map<String, @Nullable Object> news(
      String subStatus, Map<String, @Nullable Object> output) {
    return Json.members(
        ChildOrder.KEY,
        Json.members(
            "workflowInstanceId",
            "k1",
            "status",
            "Finished",
            "subStatus",
            subStatus,
            "output",
            output));
  }

  private static Transition tell(
      Graph graph, WorkflowInstance parent, int execution, Map<String, @Nullable Object> news) {
    return Objects.requireNonNull(
        Workflows.BURST.childDone(graph, parent, execution, news, false, at(NOW)));
  }

  @Test
  void instances_that_wait_for_one_another_are_bounded_in_depth() {
    var waiting = then(activity("ExecuteWorkflow", "x", CHILD + WAITS), "``");
    var transition = start(waiting);
    for (long depth = 1; depth <= ChildLimits.DEFAULT.waitingMax(); depth++) {
      var order = children(transition).getFirst();
      assertThat(payload(order)).containsEntry("waitingParents", depth);
      transition =
          Workflows.BURST.startCaused(
              waiting,
              order.instanceId(),
              Workflows.request(Map.of()),
              new Ancestry((int) depth, (int) depth),
              at(NOW));
    }

    assertThat(children(transition)).isEmpty();
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(transition.next().incidents())
        .singleElement()
        .satisfies(incident -> {
          assertThat(incident.type()).isEqualTo("ChildDepth");
          assertThat(incident.message()).contains("execution.waiting-parents-max");
        });
    var dispatching = then(activity("DispatchWorkflow", "x", CHILD + GOES_ON), "``");
    var last =
        Workflows.BURST.startCaused(
            dispatching,
            transition.next().id(),
            Workflows.request(Map.of()),
            new Ancestry(ChildLimits.DEFAULT.waitingMax(), 0),
            at(NOW));
    assertThat(last.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(payload(children(last).getFirst())).containsEntry("waitingParents", 0L);
  }

  private static Transition caused(Graph graph, int causes) {
    return Workflows.BURST.startCaused(
        graph, new InstanceId("k1"), Workflows.request(Map.of()), new Ancestry(0, causes), at(NOW));
  }

  @Test
  void instances_that_start_one_another_without_waiting_are_bounded() {
    var dispatching = then(activity("DispatchWorkflow", "x", CHILD + GOES_ON), "``");
    int max = ChildLimits.DEFAULT.causesMax();

    assertThat(payload(children(start(dispatching)).getFirst())).containsEntry("causes", 1L);
    assertThat(payload(children(caused(dispatching, max - 1)).getFirst()))
        .containsEntry("causes", (long) max);
    assertTooLong(caused(dispatching, max));
  }

  @Test
  void events_count_as_causes() {
    var publishing =
        then(activity("PublishEvent", "x", "'eventName':" + literal("String", "'Go'")), "``");
    int max = ChildLimits.DEFAULT.causesMax();

    assertThat(caused(publishing, max - 1).effects())
        .contains(new Effect.EventPublished("k1:2", "Go", null, null, max));
    assertTooLong(caused(publishing, max));
  }

  private static void assertTooLong(Transition transition) {
    assertThat(children(transition)).isEmpty();
    assertThat(transition.effects()).isEmpty();
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(transition.next().incidents())
        .singleElement()
        .satisfies(incident -> {
          assertThat(incident.type()).isEqualTo("CauseDepth");
          assertThat(incident.message()).contains("execution.causes-max");
        });
  }

  @Test
  void execute_waits_for_the_end_and_gives_what_became_of_the_child() {
    var graph =
        then(
            activity(
                "ExecuteWorkflow",
                "x",
                CHILD
                    + WAITS
                    + ",'input':"
                    + js("({a: 1})")
                    + ",'correlationId':"
                    + js("`c-${1}`")
                    + ",'result':{'memoryReference':{'id':'r'}}"),
            "`${getR().subStatus} ${getR().output.x} ${getR().workflowInstanceId}`");

    var started = start(graph);
    var done = tell(graph, started.next(), 2, news("Finished", Map.of("x", 3L)));

    assertThat(children(started))
        .singleElement()
        .satisfies(timer ->
            assertThat(payload(timer))
                .containsEntry("definitionId", "kid")
                .containsEntry("input", Map.of("a", 1L))
                .containsEntry("correlationId", "c-1")
                .containsEntry("notice", "AtEnd"));
    assertThat(started.next().status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(started.next().bookmarks())
        .singleElement()
        .satisfies(bookmark -> {
          assertThat(bookmark.name()).isEqualTo("Elsa.ExecuteWorkflow");
          assertThat(bookmark.payload())
              .isEqualTo(
                  Map.of("childInstanceId", children(started).getFirst().instanceId().value()));
        });
    assertThat(linesOf(done)).containsExactly("Finished 3 k1");
    assertThat(done.next().bookmarks()).isEmpty();
    assertThat(done.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void execute_without_waiting_hears_when_the_child_is_at_rest() {
    var graph = then(activity("ExecuteWorkflow", "x", CHILD + GOES_ON), "`on`");

    var started = start(graph);

    assertThat(payload(children(started).getFirst())).containsEntry("notice", "AtRest");
    assertThat(linesOf(tell(graph, started.next(), 2, news("Suspended", Map.of()))))
        .containsExactly("on");
  }

  @Test
  void execute_says_that_the_child_has_faulted_and_goes_on() {
    var graph =
        then(
            activity(
                "ExecuteWorkflow", "x", CHILD + WAITS + ",'result':{'memoryReference':{'id':'r'}}"),
            "getR().subStatus");

    var done = tell(graph, start(graph).next(), 2, news("Faulted", Map.of()));

    assertThat(linesOf(done)).containsExactly("Faulted");
  }

  @Test
  void dispatch_goes_on_at_once_or_waits_for_the_output() {
    var goesOn = then(activity("DispatchWorkflow", "x", CHILD), "`on`");
    var waits =
        then(
            activity(
                "DispatchWorkflow",
                "x",
                CHILD + WAITS + ",'result':{'memoryReference':{'id':'r'}}"),
            "getR().x");

    var went = start(goesOn);
    assertThat(linesOf(went)).containsExactly("on");
    assertThat(payload(children(went).getFirst())).containsEntry("notice", "Never");

    var done = tell(waits, start(waits).next(), 2, news("Finished", Map.of("x", "out")));
    assertThat(linesOf(done)).containsExactly("out");
  }

  @Test
  void an_output_that_is_an_object_stays_one_in_a_variable_for_text() {
    var graph =
        graph(
            "'variables':[{'id':'t','name':'T','typeName':'String'}],"
                + "'root':{'type':'Elsa.Sequence','id':'s','activities':["
                + activity(
                    "DispatchWorkflow",
                    "x",
                    CHILD + WAITS + ",'result':{'memoryReference':{'id':'t'}}")
                + ","
                + activity("WriteLine", "l", "'text':" + js("getT().x"))
                + "]}");

    var done = tell(graph, start(graph).next(), 2, news("Finished", Map.of("x", "kept")));

    assertThat(linesOf(done)).containsExactly("kept");
  }

  @Test
  void a_child_that_cannot_be_started_faults_its_parent() {
    for (var type : List.of("ExecuteWorkflow", "DispatchWorkflow", "BulkDispatchWorkflows")) {
      var items = ",'items':" + literal("Object", "[1]");
      var graph = then(activity(type, "x", CHILD + WAITS + items), "`on`");
      var news = news("Faulted", Map.of());
      Objects.requireNonNull(Json.object(news.get(ChildOrder.KEY))).put("error", "no such thing");

      var done = tell(graph, start(graph).next(), 2, news).next();

      assertThat(done.status()).isEqualTo(WorkflowStatus.Faulted);
      assertThat(done.incidents())
          .singleElement()
          .satisfies(incident -> {
            assertThat(incident.type()).isEqualTo("ChildNotStarted");
            assertThat(incident.message()).contains("no such thing");
          });
    }
  }

  @Test
  void bulk_gives_each_child_an_input_of_its_own() {
    var graph =
        then(
            activity(
                "BulkDispatchWorkflows",
                "x",
                CHILD
                    + ",'items':"
                    + literal("Object", "['plum',{'Colour':'red'},3]")
                    + ",'defaultItemInputKey':"
                    + literal("String", "'Fruit'")
                    + ",'input':"
                    + js("({all: true})")
                    + ",'correlationIdFunction':"
                    + js("JSON.stringify(getItem())")),
            "`on`");

    var started = start(graph);

    assertThat(children(started))
        .extracting(timer -> payload(timer).get("input"))
        .containsExactly(
            Map.of("all", true, "Fruit", "plum"),
            Map.of("all", true, "Colour", "red"),
            Map.of("all", true, "Fruit", 3L));
    assertThat(children(started))
        .extracting(timer -> payload(timer).get("correlationId"))
        .containsExactly("\"plum\"", "{\"Colour\":\"red\"}", "3");
    assertThat(started.next().executions().get(1).variables()).doesNotContainKey("Item");
    assertThat(linesOf(started)).isEmpty();
  }

  @Test
  void bulk_takes_a_range_and_counts_its_children_without_listing_them() {
    var graph =
        then(
            activity(
                "BulkDispatchWorkflows", "x", CHILD + ",'items':" + literal("Object", "'1..5000'")),
            "`on`");

    var started = start(graph);

    assertThat(children(started)).hasSize(5_000);
    assertThat(children(started).stream().map(Timer::instanceId).distinct()).hasSize(5_000);
    assertThat(started.next().executions().get(1).memory().toString()).hasSizeLessThan(200);
    assertThat(started.next().bookmarks()).hasSize(1);
  }

  @Test
  void more_children_than_a_burst_may_start_start_none() {
    var graph =
        then(
            activity(
                "BulkDispatchWorkflows",
                "x",
                CHILD + ",'items':" + literal("Object", "'1..20001'")),
            "`on`");

    var started = start(graph);

    assertThat(children(started)).isEmpty();
    assertThat(started.next().incidents())
        .singleElement()
        .satisfies(incident -> assertThat(incident.type()).isEqualTo("ChildLimit"));
  }

  @Test
  void one_burst_sends_others_so_much_at_most() {
    int each = (int) (Children.SENT_CHARS_MAX / 500);
    for (var body :
        List.of(
            activity(
                "BulkDispatchWorkflows",
                "x",
                CHILD
                    + ",'items':"
                    + literal("Object", "'1..501'")
                    + ",'input':"
                    + js("({a: `x`.repeat(" + each + ")})")),
            activity(
                "For",
                "x",
                "'start':1,'end':501,'step':1,'body':"
                    + activity(
                        "PublishEvent",
                        "p",
                        "'eventName':"
                            + literal("String", "'e'")
                            + ",'payload':"
                            + js("`x`.repeat(" + each + ")"))))) {
      var transition = start(graph("'root':" + body));

      assertThat(transition.next().incidents())
          .as(body)
          .singleElement()
          .satisfies(incident -> assertThat(incident.type()).isEqualTo("SentLimit"));
    }
  }

  @Test
  void bulk_makes_no_order_that_there_is_no_room_for() {
    int each = (int) (Children.SENT_CHARS_MAX / 50);
    assertThat(lastOrdered("1..20001", 1)).isEqualTo(0L);
    assertThat(lastOrdered("1..1000", each)).isEqualTo(50L);
  }

  /** The item of the last order that was made before the activity faulted. */
  private static @Nullable Object lastOrdered(String items, int sentEach) {
    var bulk =
        activity(
            "BulkDispatchWorkflows",
            "x",
            CHILD
                + ",'items':"
                + literal("Object", "'" + items + "'")
                + ",'input':"
                + js("({a: `x`.repeat(" + sentEach + ")})")
                + ",'correlationIdFunction':"
                + js("(setN(getItem()), `c`)"));
    var graph =
        graph(
            "'variables':[{'id':'n','name':'N','typeName':'Int64','value':0}],'root':{'type':'Elsa.Sequence','id':'s','activities':["
                + bulk
                + "]}");

    var transition = start(graph);

    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(children(transition)).isEmpty();
    var root = transition.next().executions().getFirst();
    assertThat(root.memory()).doesNotContainKey(Children.STARTED);
    return root.variables().get("n");
  }

  @Test
  void bulk_runs_an_activity_for_each_child_and_then_completes() {
    var graph =
        graph(
            "'root':"
                + Workflows.flowchart(
                    "f",
                    "x.Completed>l",
                    activity(
                            "BulkDispatchWorkflows",
                            "x",
                            CHILD
                                + ",'items':"
                                + literal("Object", "[1,2]")
                                + ",'childCompleted':"
                                + activity("WriteLine", "ok", "'text':" + js("`ok ${getX()}`"))
                                + ",'childFaulted':"
                                + Workflows.line("bad", "bad"))
                        + ","
                        + Workflows.line("l", "all")));
    var started = start(graph);

    var first = tell(graph, started.next(), 2, news("Finished", Map.of("X", 1L)));
    var second = tell(graph, first.next(), 2, news("Faulted", Map.of()));

    assertThat(linesOf(first)).containsExactly("ok 1");
    assertThat(first.next().status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(linesOf(second)).containsExactly("bad", "all");
    assertThat(second.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(second.next().bookmarks()).isEmpty();
  }

  @Test
  void bulk_without_items_or_without_waiting_completes_at_once() {
    var none =
        then(
            activity("BulkDispatchWorkflows", "x", CHILD + ",'items':" + literal("Object", "[]")),
            "`on`");
    var goesOn =
        then(
            activity(
                "BulkDispatchWorkflows",
                "x",
                CHILD + GOES_ON + ",'items':" + literal("Object", "[1,2]")),
            "`on`");

    assertThat(linesOf(start(none))).containsExactly("on");
    assertThat(linesOf(start(goesOn))).containsExactly("on");
    assertThat(children(start(goesOn))).hasSize(2);
  }
}
