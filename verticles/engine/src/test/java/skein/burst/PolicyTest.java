package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
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

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.activities.RetryPolicy;
import skein.graph.Graph;
import skein.model.Bookmark;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.model.WorkflowStatus;

/** What definitions want done when an activity fails or takes too long. */
class PolicyTest {
  private static final String RETRY =
      "'retry':{'attempts':3,'delay':'00:00:10','backoff':'Exponential','jitter':false}";

  /** Writes its id; fails until so many seconds have passed. */
  private static String flaky(String id, int seconds, String properties) {
    return flaky(id, Duration.ofSeconds(seconds), properties);
  }

  private static String flaky(String id, Duration time, String properties) {
    var until = NOW.plus(time).toEpochMilli();
    var script = "\"if (Date.now() < " + until + ") throw new Error('not yet'); '" + id + "'\"";
    return activity(
        "WriteLine",
        id,
        "'text':"
            + expression("String", "JavaScript", script.replace("'", "\\u0027"))
            + custom(properties));
  }

  private static String custom(String properties) {
    return properties.isEmpty() ? "" : ",'customProperties':{" + properties + "}";
  }

  private static String boom(String id, String properties) {
    return activity(
        "Fault", id, "'message':" + literal("String", "'it broke'") + custom(properties));
  }

  private static String with(String activity, String properties) {
    return activity.substring(0, activity.length() - 1) + custom(properties) + "}";
  }

  private static Transition fire(Graph graph, WorkflowInstance instance, Bookmark bookmark) {
    var due = bookmark.dueAt();
    return BURST.resume(
        graph, instance, bookmark.id(), Map.of(), false, at(due == null ? NOW : due));
  }

  private static Instant due(WorkflowInstance instance) {
    var dueAt = instance.bookmarks().getFirst().dueAt();
    return dueAt == null ? Instant.MIN : dueAt;
  }

  @Test
  void a_failed_attempt_is_repeated_after_a_growing_rest() {
    var graph = sequence(flaky("a", 25, RETRY) + "," + line("b", "b"));

    var first = start(graph);
    assertThat(first.next().status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(first.next().incidents()).isEmpty();
    assertThat(due(first.next())).isEqualTo(NOW.plusSeconds(10));
    assertThat(first.timersMade()).hasSize(1);
    assertThat(journal(first)).contains("a Retrying");

    var second = fire(graph, first.next(), first.next().bookmarks().getFirst());
    assertThat(due(second.next())).isEqualTo(NOW.plusSeconds(30));
    assertThat(second.timersDone()).hasSize(1);

    var third = fire(graph, second.next(), second.next().bookmarks().getFirst());
    assertThat(linesOf(third)).containsExactly("a", "b");
    assertThat(third.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void the_last_attempt_makes_the_incident() {
    var graph = sequence(flaky("a", 1_000_000, RETRY));
    var transition = start(graph);
    for (var attempt = 2; attempt <= 3; attempt++) {
      assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Suspended);
      transition = fire(graph, transition.next(), transition.next().bookmarks().getFirst());
    }

    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(transition.next().incidents()).hasSize(1);
  }

  @Test
  void of_many_short_rests_the_first_alone_is_as_short_as_it_says() {
    var policy =
        "'retry':{'attempts':5,'delay':'00:00:00.001','backoff':'Constant','jitter':false}";
    var graph = sequence(flaky("a", 1_000_000, policy));
    var transition = start(graph);

    assertThat(due(transition.next())).isEqualTo(NOW.plusMillis(1));
    for (var attempt = 2; attempt < 5; attempt++) {
      var bookmark = transition.next().bookmarks().getFirst();
      transition = fire(graph, transition.next(), bookmark);
      var again = transition.next().bookmarks().getFirst();
      assertThat(again.dueAt()).isEqualTo(again.createdAt().plusMillis(100));
      assertThat(again.payload()).isEqualTo(Map.of("attempt", attempt + 1L));
    }
  }

  @Test
  void short_rests_that_are_lengthened_are_spread_where_the_policy_spreads_them() {
    var policy =
        new RetryPolicy(
            9, Duration.ofMillis(1), RetryPolicy.Backoff.Constant, Duration.ofHours(1), true);

    assertThat(ShortWaits.betweenAttempts(policy, 1, 0.5)).isEqualTo(Duration.ofMillis(1));
    assertThat(ShortWaits.betweenAttempts(policy, 2, 0)).isEqualTo(Duration.ofMillis(100));
    assertThat(ShortWaits.betweenAttempts(policy, 2, 0.75)).isEqualTo(Duration.ofMillis(175));
  }

  @Test
  void a_retry_that_another_short_retry_leads_to_has_a_pause() {
    var policy =
        "'retry':{'attempts':2,'delay':'00:00:00.001','backoff':'Constant','jitter':false}";
    var graph =
        sequence(flaky("a", Duration.ofMillis(1), policy) + "," + flaky("b", 1_000_000, policy));
    var first = start(graph);
    assertThat(due(first.next())).isEqualTo(NOW.plusMillis(1));

    var second = fire(graph, first.next(), first.next().bookmarks().getFirst());

    assertThat(linesOf(second)).containsExactly("a");
    assertThat(due(second.next())).isEqualTo(NOW.plusMillis(101));
  }

  @Test
  void jitter_spreads_the_rests_of_different_seeds_and_not_those_of_one() {
    var graph = sequence(flaky("a", 100, "'retry':{'attempts':3,'delay':'00:00:10'}"));
    var id = Workflows.ID;
    var request = Workflows.request(Map.of());
    var seven = due(BURST.start(graph, id, request, at(NOW)).next());
    var again = due(BURST.start(graph, id, request, at(NOW)).next());
    var eight =
        due(
            BURST
                .start(graph, id, request, new BurstInputs(NOW, 8, new java.util.UUID(1, 2)))
                .next());

    assertThat(seven).isEqualTo(again).isNotEqualTo(eight);
    assertThat(Duration.between(NOW, seven))
        .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(15));
  }

  @Test
  void an_activity_that_waits_too_long_fails() {
    var graph = sequence(with(event("e", "go"), "'timeout':'00:01:00'"));
    var waiting = start(graph).next();
    var timeout = waiting.bookmarks().stream().filter(Bookmark::ofEngine).findFirst().orElseThrow();
    assertThat(timeout.dueAt()).isEqualTo(NOW.plusSeconds(60));

    var late = fire(graph, waiting, timeout);
    assertThat(late.next().status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(late.next().incidents().getFirst().type()).isEqualTo("Timeout");

    var inTime = resume(graph, waiting, "e");
    assertThat(inTime.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_workflow_that_takes_too_long_fails() {
    var graph =
        graph(
            "'options':{'timeout':'01:00:00'},'root':{'type':'Elsa.Sequence','id':'seq','activities':["
                + event("e", "go")
                + "]}");
    var waiting = start(graph).next();
    var timeout = waiting.bookmarks().stream().filter(Bookmark::ofEngine).findFirst().orElseThrow();

    var late = fire(graph, waiting, timeout);

    assertThat(late.next().status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(late.next().incidents().getFirst().activityId()).isEqualTo("seq");
    assertThat(late.next().bookmarks()).isEmpty();
  }

  @Test
  void a_handler_runs_in_the_stead_of_what_has_failed() {
    var says = "\"getVariable(\\u0027Fault\\u0027).message\"";
    var handler = activity("WriteLine", "h", "'text':" + expression("String", "JavaScript", says));
    var graph = sequence(boom("a", "'onFault':'h'") + "," + handler + "," + line("b", "b"));

    var transition = start(graph);

    assertThat(linesOf(transition)).containsExactly("it broke", "b");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(transition.next().incidents()).isEmpty();
    assertThat(journal(transition)).contains("a Faulted");
  }

  @Test
  void a_handler_that_is_tried_again_still_stands_for_what_has_failed() {
    var graph =
        rooted(
            flowchart(
                "flow",
                "a>b",
                boom("a", "'onFault':'h'") + "," + flaky("h", 5, RETRY) + "," + line("b", "b")));
    var resting = start(graph).next();

    var transition = fire(graph, resting, resting.bookmarks().getFirst());

    assertThat(linesOf(transition)).containsExactly("h", "b");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_handler_is_not_executed_in_the_ordinary_course() {
    var graph =
        sequence(
            with(line("a", "a"), "'onFault':'h'") + "," + line("h", "h") + "," + line("b", "b"));

    assertThat(linesOf(start(graph))).containsExactly("a", "b");
  }

  @Test
  void a_flowchart_goes_on_after_a_fault_that_a_connection_leads_on_from() {
    var graph =
        rooted(
            flowchart(
                "flow",
                "a>b a.Faulted>c",
                boom("a", "") + "," + line("b", "b") + "," + line("c", "c")));

    var transition = start(graph);

    assertThat(linesOf(transition)).containsExactly("c");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_fault_rises_to_the_scope_that_handles_it_and_ends_what_runs_there() {
    var inner =
        with(
            activity(
                "Parallel", "p", "'activities':[" + event("e", "go") + "," + boom("x", "") + "]"),
            "'onFault':'h'");
    var graph = sequence(inner + "," + line("h", "handled") + "," + line("b", "b"));

    var transition = start(graph);

    assertThat(linesOf(transition)).containsExactly("handled", "b");
    assertThat(transition.next().bookmarks()).isEmpty();
    assertThat(journal(transition)).contains("e Canceled", "x Faulted");
  }

  private static final String BOOKED =
      with(line("flight", "book flight"), "'compensatedBy':'noFlight'")
          + ","
          + line("noFlight", "cancel flight")
          + ","
          + with(line("hotel", "book hotel"), "'compensatedBy':'noHotel'")
          + ","
          + line("noHotel", "cancel hotel");

  @Test
  void a_workflow_that_fails_undoes_what_it_has_completed_backwards() {
    var transition = start(sequence(BOOKED + "," + boom("x", "")));

    assertThat(linesOf(transition))
        .containsExactly("book flight", "book hotel", "cancel hotel", "cancel flight");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(transition.next().incidents())
        .singleElement()
        .satisfies(i -> assertThat(i.activityId()).isEqualTo("x"));
  }

  @Test
  void a_workflow_that_completes_undoes_nothing() {
    var transition = start(sequence(BOOKED));

    assertThat(linesOf(transition)).containsExactly("book flight", "book hotel");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void a_scope_that_is_handled_is_undone_before_its_handler_runs() {
    var scope =
        with(
            activity("Sequence", "trip", "'activities':[" + BOOKED + "," + boom("x", "") + "]"),
            "'onFault':'sorry'");
    var graph = sequence(scope + "," + line("sorry", "sorry") + "," + line("b", "b"));

    var transition = start(graph);

    assertThat(linesOf(transition))
        .containsExactly(
            "book flight", "book hotel", "cancel hotel", "cancel flight", "sorry", "b");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void what_an_inner_scope_has_completed_is_undone_by_the_outer_one() {
    var scope = activity("Sequence", "trip", "'activities':[" + BOOKED + "]");
    var graph = sequence(scope + "," + boom("x", ""));

    assertThat(linesOf(start(graph))).endsWith("cancel hotel", "cancel flight");
  }

  @Test
  void a_scope_with_a_compensation_of_its_own_is_undone_as_a_whole() {
    var scope =
        with(
            activity("Sequence", "trip", "'activities':[" + BOOKED + "]"), "'compensatedBy':'all'");
    var graph = sequence(scope + "," + line("all", "refund") + "," + boom("x", ""));

    assertThat(linesOf(start(graph))).containsExactly("book flight", "book hotel", "refund");
  }

  @Test
  void a_compensation_that_waits_is_durable() {
    var graph =
        sequence(
            with(line("a", "a"), "'compensatedBy':'undo'")
                + ",{'type':'Elsa.Sequence','id':'undo','activities':["
                + event("ok", "ok")
                + ","
                + line("u", "undone")
                + "]},"
                + boom("x", ""));

    var undoing = start(graph);
    assertThat(undoing.next().status()).isEqualTo(WorkflowStatus.Suspended);

    var done = resume(graph, undoing.next(), "ok");
    assertThat(linesOf(done)).containsExactly("undone");
    assertThat(done.next().status()).isEqualTo(WorkflowStatus.Faulted);
  }

  @Test
  void a_compensation_that_fails_keeps_no_other_from_it() {
    var graph =
        sequence(
            with(line("a", "a"), "'compensatedBy':'undo'")
                + ","
                + line("undo", "undone")
                + ","
                + with(line("b", "b"), "'compensatedBy':'broken'")
                + ","
                + boom("broken", "")
                + ","
                + boom("x", ""));

    var transition = start(graph);

    assertThat(linesOf(transition)).containsExactly("a", "b", "undone");
    assertThat(transition.next().incidents()).hasSize(2);
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Faulted);
  }

  @Test
  void an_instance_that_is_cancelled_is_undone_first() {
    var graph = sequence(BOOKED + "," + event("e", "go"));
    var waiting = start(graph).next();

    var cancelled = BURST.cancel(graph, waiting, at(NOW));

    assertThat(linesOf(cancelled)).containsExactly("cancel hotel", "cancel flight");
    assertThat(cancelled.next().status()).isEqualTo(WorkflowStatus.Cancelled);
    assertThat(cancelled.next().bookmarks()).isEmpty();
  }

  @Test
  void an_operator_may_retry_skip_or_end_what_has_failed() {
    var graph =
        graph(
            "'options':{'incidentStrategyType':'Skein.SuspendStrategy'},'root':"
                + activity(
                    "Sequence",
                    "seq",
                    "'activities':[" + flaky("a", 60, "") + "," + line("b", "b") + "]"));
    var asking = start(graph);
    assertThat(asking.next().status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(asking.next().incidents()).hasSize(1);
    assertThat(waiting(asking.next(), "a").name()).isEqualTo(Faults.INCIDENT);

    assertThat(linesOf(resume(graph, asking.next(), "a", Map.of("action", "retry"))))
        .containsExactly("a", "b");
    assertThat(linesOf(resume(graph, asking.next(), "a", Map.of("action", "skip"))))
        .containsExactly("b");
    var ended = resume(graph, asking.next(), "a", Map.of("action", "fault"));
    assertThat(ended.next().status()).isEqualTo(WorkflowStatus.Faulted);
  }

  @Test
  void policies_that_make_no_sense_are_found_when_publishing() {
    var graph =
        sequence(
            with(line("a", "a"), "'retry':{'attempts':0}")
                + ","
                + with(line("b", "b"), "'timeout':'soon','onFault':'nobody'"));

    assertThat(graph.problems())
        .anySatisfy(problem -> assertThat(problem).contains("attempts must be 1 to 1000"))
        .anySatisfy(problem -> assertThat(problem).contains("\"timeout\" is not a valid duration"))
        .anySatisfy(problem -> assertThat(problem).contains("no activity \"nobody\" beside it"));
  }
}
