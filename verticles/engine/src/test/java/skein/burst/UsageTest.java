package skein.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static skein.burst.Workflows.EXPRESSIONS;
import static skein.burst.Workflows.ID;
import static skein.burst.Workflows.NOW;
import static skein.burst.Workflows.activity;
import static skein.burst.Workflows.at;
import static skein.burst.Workflows.event;
import static skein.burst.Workflows.expression;
import static skein.burst.Workflows.graph;
import static skein.burst.Workflows.linesOf;
import static skein.burst.Workflows.literal;
import static skein.burst.Workflows.request;
import static skein.burst.Workflows.variable;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import skein.model.Transition;
import skein.model.WorkflowStatus;

/** What one burst may use up, and that it ends where it has passed a limit. */
class UsageTest {
  private static final int HELD_MAX = 40_000;
  private static final int STEPS_MAX = 200;
  private static final String TEXT = "x".repeat(1_000);

  private static Transition started(String root) {
    var usual = BurstLimits.DEFAULT;
    var limits =
        new BurstLimits(
            new BurstLimits.Size(STEPS_MAX, HELD_MAX),
            usual.executionsMax(),
            usual.bookmarksMax(),
            usual.incidentsMax(),
            usual.children(),
            usual.journal(),
            usual.work());
    var graph =
        graph(
            "'variables':[{'id':'t','name':'T','typeName':'String','value':'"
                + TEXT
                + "'},{'id':'u','name':'U','typeName':'Object'}],'root':"
                + root);
    return new Burst(EXPRESSIONS, limits).start(graph, ID, request(Map.of()), at(NOW));
  }

  private static String repeated(int times, String body) {
    return activity("For", "for", "'start':1,'end':" + times + ",'step':1,'body':" + body);
  }

  private static void assertEnded(Transition transition, String limit) {
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(transition.next().incidents())
        .singleElement()
        .satisfies(incident -> assertThat(incident.type()).isEqualTo(limit));
  }

  @Test
  void lines_are_kept_until_they_are_too_much() {
    var line = activity("WriteLine", "l", "'text':" + variable("String", "t"));

    assertThat(linesOf(started(repeated(30, line)))).hasSize(30);
    var endless = started(repeated(90, line));
    assertEnded(endless, "BurstLimit");
    assertThat(endless.next().incidents().getFirst().message())
        .contains(HELD_MAX + " characters", "execution.state-bytes-max");
    assertThat(linesOf(endless)).hasSizeBetween(30, 50);
  }

  @Test
  void a_variable_that_is_set_again_and_again_counts_once() {
    var set =
        activity(
            "SetVariable",
            "s",
            "'variable':{'id':'u','name':'U'},'value':" + variable("Object", "t"));

    var transition = started(repeated(90, set));

    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(transition.next().executions().getFirst().variables()).containsEntry("u", TEXT);
  }

  private static String forAll(String items, String body) {
    return activity(
        "ParallelForEach",
        "all",
        "'items':" + literal("Object", "'" + items + "'") + ",'body':" + body);
  }

  private static String ones(int count) {
    return "[" + String.join(",", Collections.nCopies(count, "1")) + "]";
  }

  @Test
  void variables_of_bodies_under_way_count_for_each() {
    var body =
        "{'type':'Elsa.Sequence','id':'b','variables':[{'id':'v','name':'V','typeName':'String','value':'"
            + TEXT
            + "'}],'activities':["
            + event("wait", "Go")
            + "]}";

    assertThat(started(forAll(ones(20), body)).next().status()).isEqualTo(WorkflowStatus.Suspended);
    var many = started(forAll(ones(90), body));
    assertEnded(many, "BurstLimit");
    assertThat(many.next().executions()).hasSizeLessThan(100);
  }

  @Test
  void a_script_keeps_nothing_beyond_the_limit() {
    var script =
        activity(
            "RunJavaScript",
            "s",
            "'script':"
                + expression(
                    "String",
                    "JavaScript",
                    "'setU(`x`.repeat(60000)); try { setU(`y`.repeat(60000)) } catch (e) { }'"));

    var transition = started(script);

    assertEnded(transition, "BurstLimit");
    assertThat(transition.next().executions().getFirst().variables().get("u")).isNull();
  }

  @Test
  void no_more_is_queued_than_a_burst_takes_steps() {
    var line = activity("WriteLine", "l", "'text':" + literal("String", "'one'"));

    assertThat(linesOf(started(forAll(ones(STEPS_MAX - 10), line)))).hasSize(STEPS_MAX - 10);
    var many = started(forAll(ones(1_000), line));
    assertEnded(many, "StepLimit");
    assertThat(many.next().incidents().getFirst().message()).contains("queued");
    assertThat(linesOf(many)).isEmpty();
  }

  @Test
  void a_message_is_cut_where_values_of_the_journal_are() {
    int max = BurstLimits.DEFAULT.journal().valueMax();
    var fault =
        activity(
            "Fault",
            "f",
            "'message':"
                + expression("String", "JavaScript", "'`m`.repeat(100000)'")
                + ",'code':"
                + expression("String", "JavaScript", "'`c`.repeat(100000)'"));

    var incident = Workflows.start(graph("'root':" + fault)).next().incidents().getFirst();

    assertThat(incident.message()).startsWith("mmm").endsWith("(100000 characters)");
    assertThat(incident.message()).hasSizeBetween(max, max + 40);
    assertThat(Objects.requireNonNull(incident.code())).hasSizeLessThan(300);
  }
}
