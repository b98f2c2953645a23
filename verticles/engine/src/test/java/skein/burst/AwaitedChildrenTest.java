package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static skein.burst.Workflows.BURST;
import static skein.burst.Workflows.NOW;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.at;
import static skein.burst.Workflows.event;
import static skein.burst.Workflows.expression;
import static skein.burst.Workflows.graph;
import static skein.burst.Workflows.journal;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.sequence;
import static skein.burst.Workflows.start;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.activities.ChildOrder;
import skein.activities.Json;
import skein.graph.Graph;
import skein.model.ActivityExecution;
import skein.model.Alteration;
import skein.model.Alteration.Target;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/** Which news of child workflows an execution counts. */
class AwaitedChildrenTest {
  private static final String KID = "'workflowDefinitionId':" + literal("String", "'kid'");
  private static final String WAITS = ",'waitForCompletion':" + literal("Boolean", "true");
  private static final String TWO = ",'items':" + literal("Object", "[1,2]");
  private static final String TWICE =
      ",'customProperties':{'retry':{'attempts':2,'delay':'00:00:01','jitter':false}}";
  private static final Graph BULK = bulk("");

  private static Graph bulk(String members) {
    return sequence(activity("BulkDispatchWorkflows", "x", KID + TWO + WAITS + members));
  }

  private static Map<String, @Nullable Object> news(long number, String subStatus) {
    return Json.members(
        ChildOrder.KEY,
        Json.members(
            "workflowInstanceId",
            "k" + number,
            "status",
            "Finished",
            "subStatus",
            subStatus,
            "output",
            Map.of(),
            "number",
            number));
  }

  private static Map<String, @Nullable Object> notStarted(long number) {
    var news = news(number, "Faulted");
    Objects.requireNonNull(Json.object(news.get(ChildOrder.KEY))).put("error", "no such thing");
    return news;
  }

  private static ActivityExecution parent(WorkflowInstance instance) {
    return instance.executions().stream()
        .filter(execution -> execution.nodeId().endsWith(":x"))
        .findFirst()
        .orElseThrow();
  }

  private static @Nullable Transition told(
      Graph graph, WorkflowInstance instance, Map<String, @Nullable Object> news) {
    return BURST.childDone(
        graph, instance, parent(instance).number(), news, false, at(NOW.plusSeconds(5)));
  }

  private static Transition tell(
      Graph graph, WorkflowInstance instance, Map<String, @Nullable Object> news) {
    return Objects.requireNonNull(told(graph, instance, news));
  }

  private static List<@Nullable Object> numbers(Transition transition) {
    return transition.timersMade().stream()
        .filter(timer -> timer.kind() == Timer.Kind.Child)
        .<@Nullable Object>map(
            timer -> Objects.requireNonNull(Json.object(timer.payload())).get("number"))
        .toList();
  }

  @Test
  void each_child_is_given_its_number_among_all_of_its_parent() {
    var two = activity("BulkDispatchWorkflows", "x", KID + TWO + WAITS);
    var one = activity("DispatchWorkflow", "y", KID);

    assertThat(numbers(start(sequence(one + "," + two)))).containsExactly(1L, 2L, 3L);
  }

  @Test
  void a_child_that_faults_goes_on_and_ends_counts_once() {
    var one = tell(BULK, start(BULK).next(), news(1, "Faulted")).next();

    assertThat(told(BULK, one, news(1, "Finished"))).isNull();
    assertThat(told(BULK, one, news(1, "Faulted"))).isNull();
    assertThat(parent(one).memory())
        .containsEntry(ChildOrder.AWAITED, 1L)
        .containsEntry(AwaitedChildren.FAULTED, "AQ==");
    assertThat(journal(tell(BULK, one, news(2, "Finished")))).contains("x Completed");
  }

  @Test
  void only_children_that_may_end_again_are_remembered() {
    var three =
        sequence(
            activity(
                "BulkDispatchWorkflows",
                "x",
                KID + ",'items':" + literal("Object", "[1,2,3]") + WAITS));
    var one = tell(three, start(three).next(), news(1, "Finished")).next();
    var two = tell(three, one, news(2, "Cancelled")).next();

    assertThat(parent(two).memory())
        .containsEntry(ChildOrder.AWAITED, 1L)
        .doesNotContainKey(AwaitedChildren.FAULTED);
  }

  @Test
  void news_without_a_number_counts_as_long_as_children_are_awaited() {
    var first = news(1, "Finished");
    Objects.requireNonNull(Json.object(first.get(ChildOrder.KEY))).remove("number");

    var one = tell(BULK, start(BULK).next(), first).next();

    assertThat(parent(one).memory()).containsEntry(ChildOrder.AWAITED, 1L);
    assertThat(journal(tell(BULK, one, first))).contains("x Completed");
  }

  @Test
  void children_of_an_attempt_that_has_failed_do_not_count_for_the_next() {
    var graph = bulk(TWICE);
    var rests = tell(graph, start(graph).next(), notStarted(1));
    assertThat(journal(rests)).contains("x Retrying");

    assertThat(told(graph, rests.next(), news(2, "Finished"))).isNull();
    var again = Workflows.resume(graph, rests.next(), "x");
    assertThat(numbers(again)).containsExactly(3L, 4L);
    assertThat(told(graph, again.next(), news(2, "Finished"))).isNull();
    var one = tell(graph, again.next(), news(4, "Finished"));
    assertThat(journal(one)).doesNotContain("x Completed");
    assertThat(told(graph, one.next(), news(1, "Finished"))).isNull();
    assertThat(journal(tell(graph, one.next(), news(3, "Finished")))).contains("x Completed");
  }

  @Test
  void children_do_not_count_when_their_activity_was_retried_by_hand() {
    var faulted = tell(BULK, start(BULK).next(), notStarted(1)).next();
    assertThat(faulted.status()).isEqualTo(WorkflowStatus.Faulted);

    var retried =
        BURST.alter(
            BULK,
            Map.of(),
            faulted,
            List.of(new Alteration.Retry(List.of())),
            at(NOW.plusSeconds(9)));

    assertThat(numbers(retried)).containsExactly(3L, 4L);
    assertThat(parent(retried.next()).memory())
        .containsEntry(ChildOrder.AWAITED, 2L)
        .containsEntry(AwaitedChildren.FIRST, 3L)
        .doesNotContainKey(AwaitedChildren.FAULTED);
    assertThat(told(BULK, retried.next(), news(2, "Finished"))).isNull();
  }

  @Test
  void a_faulted_parent_keeps_no_news_of_a_child_that_it_has_counted() {
    var throwing =
        activity("WriteLine", "w", "'text':" + expression("Object", "JavaScript", "'getV().text'"));
    var graph =
        graph(
            "'variables':[{'id':'v','name':'V','typeName':'Object'}],'root':"
                + activity(
                    "Parallel",
                    "p",
                    "'activities':["
                        + activity("BulkDispatchWorkflows", "x", KID + TWO + WAITS)
                        + ",{'type':'Elsa.Sequence','id':'s','activities':["
                        + event("e", "go")
                        + ","
                        + throwing
                        + "]}]"));
    var one = tell(graph, start(graph).next(), news(1, "Faulted")).next();
    var faulted = Workflows.resume(graph, one, "e").next();
    assertThat(faulted.status()).isEqualTo(WorkflowStatus.Faulted);

    assertThat(told(graph, faulted, news(1, "Finished"))).isNull();
    var kept = tell(graph, faulted, news(2, "Finished")).next();
    var skip = new Alteration.Skip(Target.activity("w"), Map.of(), List.of(), null);
    var skipped = BURST.alter(graph, Map.of(), kept, List.of(skip), at(NOW.plusSeconds(9)));
    assertThat(journal(skipped)).contains("x Completed");
    assertThat(skipped.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void the_root_of_a_child_keeps_its_number_when_it_is_tried_again() {
    var root = graph("'root':" + activity("BulkDispatchWorkflows", "x", KID + TWO + WAITS + TWICE));
    var started =
        BURST.startCaused(
            root, Workflows.ID, Workflows.request(Map.of()), new Ancestry(2, 3, 7), at(NOW));

    var rests = tell(root, started.next(), notStarted(1)).next();

    assertThat(parent(rests).memory())
        .containsEntry(Burst.CHILD_NUMBER, 7L)
        .containsEntry(Children.ABOVE, 2L)
        .containsEntry(Children.CAUSES, 3L)
        .containsEntry(Burst.CHILDREN_STARTED, 2L);
  }

  @Test
  void what_thousands_of_faulted_children_leave_is_small() {
    var execution = Execution.of(parent(start(BULK).next()), BULK.root());
    AwaitedChildren.forget(execution);
    AwaitedChildren.add(execution, 20_000, 5);
    for (long number = 5; number < 20_005; number++) {
      assertThat(AwaitedChildren.includes(execution, news(number, "Faulted"))).isTrue();
      AwaitedChildren.heard(execution, news(number, "Faulted"));
      assertThat(AwaitedChildren.includes(execution, news(number, "Finished"))).isFalse();
    }

    assertThat(AwaitedChildren.areAny(execution)).isFalse();
    assertThat(String.valueOf(execution.memory.get(AwaitedChildren.FAULTED)))
        .hasSizeLessThan(3_400);
  }

  @Test
  void numbers_that_no_parent_gave_take_no_room() {
    var execution = Execution.of(parent(start(BULK).next()), BULK.root());
    AwaitedChildren.forget(execution);
    AwaitedChildren.add(execution, 2, 1);
    AwaitedChildren.heard(execution, news(Long.MAX_VALUE, "Faulted"));
    AwaitedChildren.heard(execution, news(Integer.MAX_VALUE, "Faulted"));
    assertThat(execution.memory).doesNotContainKey(AwaitedChildren.FAULTED);

    execution.memory.put(AwaitedChildren.FAULTED, "not base64!");
    assertThat(AwaitedChildren.includes(execution, news(1, "Finished"))).isTrue();
  }

  @Test
  void an_instance_that_has_the_id_of_one_that_was_deleted_starts_others_than_that_one() {
    var request = Workflows.request(Map.of());
    var first = BURST.start(BULK, Workflows.ID, request, at(NOW));
    var again = BURST.start(BULK, Workflows.ID, request, at(NOW));
    var later = BURST.start(BULK, Workflows.ID, request, at(NOW.plusMillis(1)));

    assertThat(children(again)).hasSize(2).isEqualTo(children(first));
    assertThat(children(later)).hasSize(2).doesNotContainAnyElementsOf(children(first));
  }

  private static List<InstanceId> children(Transition transition) {
    return transition.timersMade().stream()
        .filter(timer -> timer.kind() == Timer.Kind.Child)
        .map(Timer::instanceId)
        .toList();
  }
}
