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
import static skein.burst.Workflows.linesOf;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.start;
import static skein.burst.Workflows.waiting;

import java.util.ArrayList;
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
import skein.model.Bookmark;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/** Child workflows that end while their parent is faulted. */
class KeptNewsTest {
  private static final String KID = "'workflowDefinitionId':" + literal("String", "'kid'");
  private static final String EXECUTE =
      activity(
          "ExecuteWorkflow",
          "x",
          KID
              + ",'waitForCompletion':"
              + literal("Boolean", "true")
              + ",'result':{'memoryReference':{'id':'r'}}");
  private static final String BULK =
      activity(
          "BulkDispatchWorkflows",
          "x",
          KID
              + ",'items':"
              + literal("Object", "[1,2]")
              + ",'waitForCompletion':"
              + literal("Boolean", "true"));

  /** Beside what starts children something faults, until the variable V is an object. */
  private static Graph besides(String children) {
    return graph(
        "'variables':[{'id':'r','name':'R','typeName':'Object'},"
            + "{'id':'v','name':'V','typeName':'Object'}],'root':"
            + activity(
                "Sequence",
                "s",
                "'activities':["
                    + activity(
                        "Parallel",
                        "p",
                        "'activities':["
                            + children
                            + ","
                            + activity("WriteLine", "w", "'text':" + js("getV().text"))
                            + ","
                            + event("e", "go")
                            + "]")
                    + ","
                    + activity("WriteLine", "l", "'text':" + js("JSON.stringify(getR())"))
                    + "]"));
  }

  private static String js(String code) {
    return expression("Object", "JavaScript", "'" + code + "'");
  }

  private static Map<String, @Nullable Object> news(String child, @Nullable Object x) {
    return Json.members(
        ChildOrder.KEY,
        Json.members(
            "workflowInstanceId",
            child,
            "status",
            "Finished",
            "subStatus",
            "Finished",
            "output",
            Json.members("x", x)));
  }

  private static ActivityExecution parent(WorkflowInstance instance) {
    return instance.executions().stream()
        .filter(execution -> execution.nodeId().endsWith(":x"))
        .findFirst()
        .orElseThrow();
  }

  private static Transition tell(
      Burst burst, Graph graph, WorkflowInstance instance, Map<String, @Nullable Object> news) {
    var execution = parent(instance).number();
    return Objects.requireNonNull(
        burst.childDone(graph, instance, execution, news, false, at(NOW.plusSeconds(5))));
  }

  private static Transition tell(
      Graph graph, WorkflowInstance instance, Map<String, @Nullable Object> news) {
    return tell(BURST, graph, instance, news);
  }

  private static Transition alter(
      Graph graph, WorkflowInstance instance, Alteration... alterations) {
    return BURST.alter(graph, Map.of(), instance, List.of(alterations), at(NOW.plusSeconds(9)));
  }

  private static final Alteration MENDED =
      new Alteration.ModifyVariable("v", Map.of("text", "mended"));
  private static final Alteration RETRY = new Alteration.Retry(List.of());

  private static Alteration skip(String activityId) {
    return new Alteration.Skip(Target.activity(activityId), Map.of(), List.of(), null);
  }

  private static WorkflowInstance faulted(Graph graph) {
    var faulted = start(graph).next();
    assertThat(faulted.status()).isEqualTo(WorkflowStatus.Faulted);
    return faulted;
  }

  @Test
  void a_faulted_parent_keeps_the_news_and_stays_as_it_is() {
    var graph = besides(EXECUTE);
    var before = faulted(graph);

    var kept = tell(graph, before, news("k1", 3L));

    var next = kept.next();
    assertThat(next.status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(next.revision()).isEqualTo(before.revision() + 1);
    assertThat(next.timing().finishedAt()).isEqualTo(before.timing().finishedAt());
    assertThat(next.bookmarks()).isEmpty();
    assertThat(next.shelved()).hasSize(2).isEqualTo(before.shelved());
    assertThat(next.incidents()).isEqualTo(before.incidents());
    assertThat(kept.made()).isEmpty();
    assertThat(kept.burnt()).isEmpty();
    assertThat(kept.timersMade()).isEmpty();
    assertThat(kept.timersDone()).isEmpty();
    assertThat(journal(kept)).containsExactly("x ChildEnded");
    assertThat(parent(next).memory())
        .containsEntry(KeptNews.KEY, List.of(news("k1", 3L)))
        .containsEntry(ChildOrder.AWAITED, 1L);
  }

  @Test
  void the_parent_hears_the_news_when_what_is_faulted_is_retried() {
    var graph = besides(EXECUTE);
    var kept = tell(graph, faulted(graph), news("k1", 3L)).next();
    var mended = alter(graph, kept, MENDED).next();
    assertThat(mended.status()).isEqualTo(WorkflowStatus.Faulted);

    var retried = alter(graph, mended, RETRY);

    assertThat(linesOf(retried)).containsExactly("mended");
    assertThat(journal(retried)).contains("x Completed");
    assertThat(retried.next().bookmarks()).extracting(Bookmark::activityId).isEqualTo(List.of("e"));
    var done = Workflows.resume(graph, retried.next(), "e");
    assertThat(done.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(linesOf(done)).singleElement().asString().contains("\"k1\"", "{\"x\":3}");
  }

  @Test
  void the_parent_hears_the_news_when_what_is_faulted_is_skipped() {
    var graph = besides(EXECUTE);
    var kept = tell(graph, faulted(graph), news("k1", 3L)).next();

    var skipped = alter(graph, kept, skip("w"), skip("e"));

    assertThat(skipped.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(linesOf(skipped)).singleElement().asString().contains("{\"x\":3}");
  }

  @Test
  void one_that_is_skipped_itself_hears_nothing() {
    var graph = besides(EXECUTE);
    var kept = tell(graph, faulted(graph), news("k1", 3L)).next();

    var skipped = alter(graph, kept, skip("x"), skip("w"), skip("e"));

    assertThat(skipped.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(linesOf(skipped)).containsExactly("null");
  }

  @Test
  void news_of_one_child_counts_once_and_that_of_each_child_counts() {
    var graph = besides(BULK);
    var first = tell(graph, faulted(graph), news("k1", 1L)).next();
    var again = tell(graph, first, news("k1", 2L)).next();
    assertThat(parent(again).memory()).containsEntry(KeptNews.KEY, List.of(news("k1", 2L)));

    var waits = alter(graph, again, skip("w")).next();

    assertThat(waits.status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(parent(waits).memory())
        .containsEntry(ChildOrder.AWAITED, 1L)
        .doesNotContainKey(KeptNews.KEY);
    assertThat(waiting(waits, "x")).isNotNull();
    assertThat(journal(tell(graph, waits, news("k2", 1L)))).contains("x Completed");

    var both = tell(graph, again, news("k2", 1L)).next();
    assertThat(journal(alter(graph, both, skip("w")))).contains("x Completed");
  }

  @Test
  void an_output_that_the_instance_has_no_room_for_is_not_kept() {
    var limits = BurstLimits.DEFAULT;
    var small =
        new Burst(
            Workflows.EXPRESSIONS,
            new BurstLimits(
                new BurstLimits.Size(limits.stepsMax(), 40_000),
                limits.executionsMax(),
                limits.bookmarksMax(),
                limits.incidentsMax(),
                limits.children(),
                limits.journal(),
                limits.work()));
    var graph = besides(EXECUTE);
    var before = faulted(graph);

    var fits = tell(small, graph, before, news("k1", "y".repeat(1_000)));
    var exceeds = tell(small, graph, before, news("k1", "y".repeat(20_000)));

    assertThat(parent(fits.next()).memory().toString()).contains("yyy");
    assertThat(parent(exceeds.next()).memory().toString()).contains("k1").doesNotContain("yyy");
    assertThat(exceeds.journal().getFirst().message()).contains("no room");
    var skipped = alter(graph, exceeds.next(), skip("w"), skip("e"));
    assertThat(linesOf(skipped)).singleElement().asString().contains("\"k1\"", "\"output\":{}");
  }

  @Test
  void a_fork_starts_a_child_of_its_own_in_place_of_the_one_whose_news_was_kept() {
    var graph = besides(EXECUTE);
    var started = start(graph);
    var kept = tell(graph, started.next(), news("k1", 3L));
    var entries = new ArrayList<>(started.journal());
    entries.addAll(kept.journal());
    var past = new Past(Workflows.ID, entries.getLast().sequence(), entries, true);

    var fork =
        BURST.fork(
            graph,
            new InstanceId("f1"),
            Workflows.request(Map.of()),
            past,
            Map.of("V", Map.of("text", "forked")),
            at(NOW));

    assertThat(fork.next().status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(linesOf(fork)).containsExactly("forked");
    assertThat(parent(fork.next()).memory())
        .doesNotContainKey(KeptNews.KEY)
        .containsEntry(ChildOrder.AWAITED, 1L);
    assertThat(fork.timersMade())
        .filteredOn(timer -> timer.kind() == Timer.Kind.Child)
        .singleElement()
        .satisfies(timer -> assertThat(timer.instanceId().value()).isNotEqualTo("k1"));
  }

  @Test
  void a_parent_that_has_ended_hears_nothing() {
    var graph = besides(EXECUTE);
    var before = faulted(graph);
    var execution = parent(before).number();
    var cancelled = alter(graph, before, new Alteration.Cancel()).next();

    assertThat(cancelled.status()).isEqualTo(WorkflowStatus.Cancelled);
    assertThat(BURST.childDone(graph, cancelled, execution, news("k1", 1L), false, at(NOW)))
        .isNull();
  }
}
