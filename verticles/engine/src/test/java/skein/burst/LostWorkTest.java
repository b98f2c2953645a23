package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static skein.burst.Workflows.BURST;
import static skein.burst.Workflows.NOW;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.at;
import static skein.burst.Workflows.journal;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.resume;
import static skein.burst.Workflows.sequence;
import static skein.burst.Workflows.start;
import static skein.burst.Workflows.waiting;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.activities.WorkResult;
import skein.graph.Graph;
import skein.model.Bookmark;
import skein.model.Effect;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/** Work outside whose node does not come back, and jobs whose lease expires. */
class LostWorkTest {
  private static final Graph CALL =
      sequence(activity("SendHttpRequest", "s", "'url':" + literal("System.Uri", "'http://a/b'")));

  private static Graph job(String payload) {
    return sequence(
        "{'type':'Skein.Job','id':'s','jobType':"
            + literal("String", "'pack'")
            + ",'payload':"
            + literal("Object", payload)
            + "}");
  }

  private static List<Effect.Work> orders(Transition transition) {
    return transition.effects().stream()
        .filter(Effect.Work.class::isInstance)
        .map(Effect.Work.class::cast)
        .toList();
  }

  /** What the timer of the bookmark does when it was not renewed. */
  private static Transition lose(Graph graph, WorkflowInstance instance) {
    return resume(graph, instance, "s");
  }

  private static WorkflowInstance lost(Graph graph, int times) {
    var instance = start(graph).next();
    for (int i = 0; i < times; i++) {
      instance = lose(graph, instance).next();
    }
    return instance;
  }

  private static String fault(WorkflowInstance instance) {
    assertThat(instance.status()).isEqualTo(WorkflowStatus.Faulted);
    var incident = instance.incidents().getFirst();
    return incident.type() + ": " + incident.message();
  }

  @Test
  void work_of_a_lost_node_is_ordered_again_under_the_same_key() {
    var started = start(CALL);
    var first = orders(started).getFirst();

    var again = lose(CALL, started.next());

    assertThat(orders(again)).hasSize(1);
    var second = orders(again).getFirst();
    assertThat(second.attempt()).isEqualTo(first.attempt() + 1);
    assertThat(second.key()).isEqualTo(first.key());
    assertThat(second.request()).isEqualTo(first.request());
    assertThat(second.timeout()).isEqualTo(first.timeout());
    assertThat(second.bookmarkId()).isNotEqualTo(first.bookmarkId());
    assertThat(again.burnt()).containsExactly(first.bookmarkId());
    assertThat(journal(again)).contains("s Retrying");
    assertThat(waiting(again.next(), "s").payload()).isEqualTo(Map.of("attempt", 2L));
  }

  @Test
  void work_fails_with_the_last_node_that_may_be_lost_over_it() {
    int max = WorkLimits.DEFAULT.lostMax();

    assertThat(lost(CALL, max - 1).status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(fault(lost(CALL, max)))
        .isEqualTo("WorkLost: " + max + " nodes have not come back from the work of this activity");
  }

  @Test
  void nodes_that_are_lost_are_counted_over_all_attempts() {
    int max = WorkLimits.DEFAULT.lostMax();
    var graph =
        sequence(
            activity(
                "SendHttpRequest",
                "s",
                "'url':"
                    + literal("System.Uri", "'http://a/b'")
                    + ",'customProperties':{'timeout':'PT1H','retry':{'attempts':5,'delay':'PT1S'}}"));

    var instance = start(graph).next();
    for (int i = 1; i < max; i++) {
      instance = resumeAt(graph, instance, tagged(instance, OutsideWork.WORK)).next();
    }

    var last = resumeAt(graph, instance, tagged(instance, OutsideWork.WORK)).next();
    assertThat(fault(last)).startsWith("WorkLost: " + max + " nodes");

    var timeout = tagged(instance, Bookmark.TIMEOUT);
    var rests = resumeAt(graph, instance, timeout).next();
    var again = resumeAt(graph, rests, tagged(rests, Bookmark.RETRY)).next();
    var ended = resumeAt(graph, again, tagged(again, OutsideWork.WORK)).next();
    assertThat(fault(ended)).startsWith("WorkLost: " + max + " nodes");
  }

  @Test
  void further_attempts_at_work_that_fails_at_once_have_pauses() {
    var graph =
        sequence(
            activity(
                "SendHttpRequest",
                "s",
                "'url':"
                    + literal("System.Uri", "'http://a/b'")
                    + ",'customProperties':{'retry':{'attempts':4,'delay':'00:00:00.001',"
                    + "'backoff':'Constant','jitter':false}}"));
    var refused = new WorkResult.Failed("FailedToConnect", "refused", true).toInput();
    var rests = new ArrayList<Duration>();

    var instance = start(graph).next();
    for (int attempt = 1; attempt < 4; attempt++) {
      var sent = tagged(instance, OutsideWork.WORK);
      var failed = BURST.resume(graph, instance, sent.id(), refused, false, at(NOW)).next();
      var rest = tagged(failed, Bookmark.RETRY);
      rests.add(Duration.between(rest.createdAt(), rest.dueAt()));
      instance = BURST.resume(graph, failed, rest.id(), Map.of(), false, at(NOW)).next();
    }

    var pause = Duration.ofMillis(100);
    assertThat(rests).containsExactly(Duration.ofMillis(1), pause, pause);
  }

  private static Bookmark tagged(WorkflowInstance instance, String tag) {
    return instance.bookmarks().stream()
        .filter(bookmark -> tag.equals(bookmark.tag()))
        .findFirst()
        .orElseThrow();
  }

  private static Transition resumeAt(Graph graph, WorkflowInstance instance, Bookmark bookmark) {
    return BURST.resume(graph, instance, bookmark.id(), Map.of(), false, at(NOW.plusSeconds(60)));
  }

  @Test
  void what_comes_from_a_later_node_is_the_result() {
    var done = new WorkResult.Done(Map.of("statusCode", 200L, "headers", Map.of()), false);

    var ended = resume(CALL, lost(CALL, 1), "s", done.toInput());

    assertThat(ended.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(journal(ended)).contains("s Resumed");
    assertThat(orders(ended)).isEmpty();
  }

  @Test
  void a_job_whose_lease_expires_is_offered_again() {
    var graph = job("{'n':1}");
    var started = start(graph);
    var first = waiting(started.next(), "s");

    var again = lose(graph, started.next());

    var second = waiting(again.next(), "s");
    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(second.isJob()).isTrue();
    assertThat(second.payload())
        .isEqualTo(Map.of("type", "pack", "payload", Map.of("n", 1L), "attempt", 2L));
    assertThat(again.effects()).contains(new Effect.JobWaiting(second.id(), "pack"));
    assertThat(journal(again)).contains("s Retrying");
  }

  @Test
  void a_job_fails_with_the_last_lease_that_may_expire() {
    var graph = job("{'n':1}");
    int max = WorkLimits.DEFAULT.jobLeasesLostMax();

    assertThat(lost(graph, max - 1).status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(fault(lost(graph, max)))
        .isEqualTo("WorkLost: " + max + " workers have let their lease of this job expire");
  }

  @Test
  void a_payload_that_is_too_large_for_a_job_faults() {
    int max = WorkLimits.DEFAULT.jobPayloadCharsMax();

    assertThat(fault(start(job("'" + "x".repeat(max) + "'")).next()))
        .startsWith("JobTooLarge: The payload of the job has more than " + max);
    assertThat(start(job("'" + "x".repeat(max / 2) + "'")).next().status())
        .isEqualTo(WorkflowStatus.Suspended);
  }
}
