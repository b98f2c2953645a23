package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static skein.burst.Workflows.BURST;
import static skein.burst.Workflows.ID;
import static skein.burst.Workflows.NOW;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.at;
import static skein.burst.Workflows.event;
import static skein.burst.Workflows.expression;
import static skein.burst.Workflows.flowchart;
import static skein.burst.Workflows.line;
import static skein.burst.Workflows.lines;
import static skein.burst.Workflows.linesOf;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.resume;
import static skein.burst.Workflows.rooted;
import static skein.burst.Workflows.sequence;
import static skein.burst.Workflows.start;
import static skein.burst.Workflows.trigger;
import static skein.burst.Workflows.waiting;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import skein.activities.Stimuli;
import skein.expressions.Expressions;
import skein.graph.Graph;
import skein.model.Effect;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.model.Trigger;
import skein.model.WorkflowStatus;
import skein.schedules.ScheduleRules;

class StimulusTest {
  private static final Map<String, @Nullable Object> REQUEST =
      Map.of(
          "method",
          "GET",
          "path",
          "orders/7",
          "query",
          Map.of("q", "x"),
          "headers",
          Map.of("user-agent", "curl"),
          "route",
          Map.of("id", "7"),
          "body",
          "hello");

  private static String startable(String activity) {
    return activity.substring(0, activity.length() - 1)
        + ",'customProperties':{'canStartWorkflow':true}}";
  }

  private static String endpoint(String id, String path, String methods) {
    return activity(
        "HttpEndpoint",
        id,
        "'path':"
            + literal("String", "'" + path + "'")
            + ",'supportedMethods':"
            + expression("String[]", "Object", methods));
  }

  private static String timed(String type, String id, String input, String value) {
    return activity(type, id, "'" + input + "':" + literal("String", "'" + value + "'"));
  }

  private static Trigger only(Graph graph) {
    return BURST.triggers(graph, at(NOW)).getFirst();
  }

  @Test
  void a_delay_makes_a_timer_that_has_the_id_of_its_bookmark() {
    var graph = sequence(timed("Delay", "d", "timeSpan", "00:00:05") + "," + line("a", "rang"));

    var first = start(graph);
    var second = resume(graph, first.next(), "d");

    var bookmark = waiting(first.next(), "d");
    assertThat(bookmark.dueAt()).isEqualTo(NOW.plusSeconds(5));
    assertThat(first.timersMade())
        .containsExactly(new Timer("i1-1", NOW.plusSeconds(5), ID, Timer.Kind.Bookmark, null));
    assertThat(second.timersDone()).containsExactly(bookmark.id().toString());
    assertThat(linesOf(second)).containsExactly("rang");
  }

  @ParameterizedTest
  @ValueSource(strings = {"00:00:00", "-01:00:00", "00:00:00.1"})
  void a_loop_of_short_waits_has_pauses(String span) {
    var graph =
        sequence(
            activity(
                "While",
                "w",
                "'condition':"
                    + literal("Boolean", "true")
                    + ",'body':"
                    + timed("Delay", "d", "timeSpan", span)));
    var first = start(graph).next();
    var due = waiting(first, "d").dueAt();

    assertThat(due).isEqualTo(NOW.plus(Expressions.duration(span)));
    var instance = first;
    for (int i = 1; i < 4; i++) {
      instance = resume(graph, instance, "d").next();
      var bookmark = waiting(instance, "d");
      var paused = bookmark.createdAt().plusMillis(100);
      assertThat(bookmark.dueAt()).isEqualTo(paused);
      assertThat(bookmark.payload()).isEqualTo(Map.of("resumeAt", paused.toString()));
    }
  }

  @Test
  void a_wait_that_another_resumption_leads_to_is_as_short_as_it_says() {
    var graph = sequence(event("e", "go") + "," + timed("Delay", "d", "timeSpan", "00:00:00"));

    var bookmark = waiting(resume(graph, start(graph).next(), "e").next(), "d");

    assertThat(bookmark.dueAt()).isEqualTo(bookmark.createdAt());
  }

  @Test
  void timers_of_bookmarks_that_are_burnt_are_done() {
    var graph =
        rooted(
            flowchart(
                "f",
                "A>d A>e d>J e>J J>B",
                lines("AB")
                    + ","
                    + timed("Delay", "d", "timeSpan", "01:00:00")
                    + ","
                    + event("e", "go")
                    + ","
                    + activity("FlowJoin", "J", "")));
    var suspended = start(graph).next();

    assertThat(resume(graph, suspended, "e").timersDone())
        .containsExactly(waiting(suspended, "d").id().toString());
    assertThat(BURST.cancel(null, suspended, at(NOW)).timersDone()).hasSize(1);
  }

  @Test
  void an_instant_that_has_passed_is_not_waited_for() {
    var past = timed("StartAt", "s", "dateTime", "2020-01-01T00:00:00Z");
    var future = timed("StartAt", "s", "dateTime", "2026-03-01T12:00:00+01:00");

    assertThat(start(sequence(past)).next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(waiting(start(sequence(future)).next(), "s").dueAt())
        .isEqualTo(NOW.plus(Duration.ofHours(1)));
  }

  @Test
  void a_cron_waits_for_its_next_occurrence() {
    var graph = sequence(timed("Cron", "c", "cronExpression", "30 15 * * * *"));

    assertThat(waiting(start(graph).next(), "c").dueAt())
        .isEqualTo(NOW.plus(Duration.ofMinutes(15)).plusSeconds(30));
  }

  @Test
  void a_task_is_found_by_its_bookmark_and_gives_its_result() {
    var task = activity("RunTask", "t", "'taskName':" + literal("String", "'Paint'"));
    var graph = sequence(task);

    var first = start(graph);
    var second = resume(graph, first.next(), "t", Map.of("result", "blue"));

    var bookmark = waiting(first.next(), "t");
    assertThat(bookmark.payload()).isEqualTo(Map.of("taskId", "i1-1", "taskName", "Paint"));
    assertThat(bookmark.hash()).isEqualTo(Stimuli.task("i1-1", "Paint"));
    assertThat(first.effects()).containsExactly(new Effect.TaskRequested("i1-1", "Paint", null));
    assertThat(second.next().results())
        .containsEntry("t", Map.of("TaskId", "i1-1", "Result", "blue"));
  }

  @Test
  void an_endpoint_waits_once_for_each_method_and_gives_the_request() {
    var graph = sequence(endpoint("h", "/Orders/{id}", "['GET','post']") + "," + line("a", "x"));

    var first = start(graph);
    var second = resume(graph, first.next(), "h", Map.of("http", REQUEST));

    assertThat(first.next().bookmarks())
        .extracting(bookmark -> bookmark.hash())
        .containsExactly(
            Stimuli.httpEndpoint("orders/{ID}", "get"),
            Stimuli.httpEndpoint("orders/{id}", "POST"));
    assertThat(second.burnt()).hasSize(2);
    assertThat(second.next().results().get("h"))
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
        .containsEntry("ParsedContent", "hello")
        .containsEntry("RouteData", Map.of("id", "7"))
        .containsEntry("Headers", Map.of("User-Agent", "curl"));
  }

  @Test
  void a_request_is_answered_and_the_last_answer_is_the_one_meant() {
    var graph =
        sequence(
            endpoint("h", "orders/{id}", "['GET']")
                + ","
                + activity("WriteHttpResponse", "r", "'content':" + literal("Object", "'one'"))
                + ","
                + activity(
                    "WriteHttpResponse",
                    "s",
                    "'statusCode':"
                        + literal("System.Net.HttpStatusCode, System.Net.Primitives", "'Created'")
                        + ",'content':"
                        + literal("Object", "'two'")
                        + ",'responseHeaders':"
                        + expression("HttpHeaders", "Object", "{'X-A':['1','2']}")));

    assertThat(trigger(graph, "h", REQUEST).effects())
        .containsExactly(new Effect.HttpAnswer(201, Map.of("X-A", "1, 2"), null, "two"));
  }

  @Test
  void an_answer_without_a_request_is_an_incident() {
    var transition = start(sequence(activity("WriteHttpResponse", "r", "")));

    assertThat(transition.next().incidents().getFirst().code()).isEqualTo("NoHttpContext");
    assertThat(transition.effects()).isEmpty();
  }

  @Test
  void an_event_for_others_is_an_effect_with_an_id_of_its_own() {
    var graph =
        sequence(
            activity(
                "PublishEvent",
                "p",
                "'eventName':"
                    + literal("String", "'Go'")
                    + ",'payload':"
                    + literal("Object", "1")));

    assertThat(start(graph).effects())
        .containsExactly(new Effect.EventPublished("i1:2", "Go", null, 1L, 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "   "})
  void an_event_with_a_blank_correlation_is_for_all(String correlationId) {
    var graph =
        sequence(
            activity(
                "PublishEvent",
                "p",
                "'eventName':"
                    + literal("String", "'Go'")
                    + ",'correlationId':"
                    + literal("String", "'" + correlationId + "'")));

    assertThat(start(graph).effects())
        .containsExactly(new Effect.EventPublished("i1:2", "Go", null, null, 1));
  }

  @Test
  void a_local_event_reaches_those_who_wait_and_those_who_will_soon() {
    var publish =
        activity(
            "PublishEvent",
            "p",
            "'eventName':"
                + literal("String", "'go'")
                + ",'isLocalEvent':"
                + literal("Boolean", "true")
                + ",'payload':"
                + literal("Object", "'word'"));
    var before =
        rooted(flowchart("f", "A>e A>p e>B", lines("AB") + "," + event("e", "go") + "," + publish));
    var after = sequence(publish + "," + event("e", "go") + "," + line("b", "B"));
    var later = sequence(publish + "," + event("x", "x") + "," + event("e", "go"));

    assertThat(linesOf(start(before))).containsExactly("A", "B");
    assertThat(start(before).made()).isEmpty();
    assertThat(linesOf(start(after))).containsExactly("B");
    assertThat(start(after).next().results()).containsEntry("e", Map.of("Result", "word"));
    // An hour has passed by then.
    assertThat(resume(later, start(later).next(), "x").next().status())
        .isEqualTo(WorkflowStatus.Suspended);
  }

  @Test
  void triggers_are_those_of_startable_activities() {
    var graph =
        sequence(
            startable(endpoint("h", "a/{b}", "['GET','PUT']"))
                + ","
                + startable(event("e", "Go"))
                + ","
                + event("f", "Other"));

    assertThat(BURST.triggers(graph, at(NOW)))
        .extracting(Trigger::activityId, Trigger::hash, Trigger::timetable)
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple("h", Stimuli.httpEndpoint("a/{b}", "get"), null),
            org.assertj.core.groups.Tuple.tuple("h", Stimuli.httpEndpoint("a/{b}", "put"), null),
            org.assertj.core.groups.Tuple.tuple("e", Stimuli.event("Go"), null));
  }

  @Test
  void triggers_by_the_clock_say_when_they_fire_first() {
    var timer = sequence(startable(timed("Timer", "t", "interval", "00:05:00")));
    var cron = sequence(startable(timed("Cron", "c", "cronExpression", "0 30 * * * *")));
    var once = sequence(startable(timed("StartAt", "s", "dateTime", "2026-04-01T00:00:00Z")));

    assertThat(next(timer)).isEqualTo(NOW.plus(Duration.ofMinutes(5)));
    assertThat(next(cron)).isEqualTo(NOW.plus(Duration.ofMinutes(30)));
    assertThat(next(once)).isEqualTo("2026-04-01T00:00:00Z");
    assertThat(only(timer).id()).isEqualTo(only(timer).id()).isNotEqualTo(only(cron).id());
  }

  private static @Nullable Instant next(Graph graph) {
    var timetable = only(graph).timetable();
    return timetable == null ? null : ScheduleRules.of(timetable).after(NOW);
  }

  @Test
  void a_trigger_that_cannot_be_said_is_refused_with_its_activity() {
    var graph = sequence(startable(activity("Event", "e", "")));

    assertThatThrownBy(() -> BURST.triggers(graph, at(NOW)))
        .isInstanceOfSatisfying(
            SkeinException.class,
            e ->
                assertThat(e.errors())
                    .containsExactly("Elsa.Event (Workflow1:seq:e): The input EventName is empty"));
  }
}
