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
import static skein.burst.Workflows.nested;
import static skein.burst.Workflows.request;
import static skein.burst.Workflows.resume;
import static skein.burst.Workflows.rooted;
import static skein.burst.Workflows.sequence;
import static skein.burst.Workflows.start;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import skein.model.ActivityStatus;
import skein.model.WorkflowStatus;

class FaultTest {
  private static final String BOOM =
      activity(
          "Fault",
          "boom",
          "'code':"
              + literal("String", "'E-1'")
              + ",'faultType':"
              + literal("String", "'Test'")
              + ",'message':"
              + literal("String", "'it broke'"));

  private static final String FORKED =
      flowchart("flow", "A>B A>boom B>e", lines("AB") + "," + event("e", "go") + "," + BOOM);

  @Test
  void a_fault_is_an_incident_and_stops_its_branch() {
    var transition = start(sequence(line("a", "before") + "," + BOOM + "," + line("b", "after")));

    assertThat(linesOf(transition)).containsExactly("before");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(transition.next().incidents())
        .singleElement()
        .satisfies(incident -> {
          assertThat(incident.activityId()).isEqualTo("boom");
          assertThat(incident.type()).isEqualTo("Test");
          assertThat(incident.code()).isEqualTo("E-1");
          assertThat(incident.message()).isEqualTo("it broke");
          assertThat(incident.at()).isEqualTo(NOW);
        });
    assertThat(journal(transition)).endsWith("boom Started", "boom Faulted");
  }

  @Test
  void a_fault_without_a_message_says_so() {
    var silent = activity("Fault", "f", "'message':" + literal("String", "null"));

    assertThat(start(sequence(silent)).next().incidents().getFirst().message())
        .isEqualTo("The fault has no message");
  }

  @ParameterizedTest
  @CsvSource({"true, ''", "false, it is paid", "'', it is paid"})
  void what_is_required_and_not_true_is_a_fault(String value, String message) {
    var json =
        activity(
            "Require",
            "paid",
            "'condition':"
                + literal("Boolean", value.isEmpty() ? "null" : value)
                + ",'code':"
                + literal("String", "'P-1'")
                + ",'message':"
                + literal("String", "'it is paid'"));
    var transition = start(sequence(json.replace("Elsa.Require", "Skein.Require")));

    assertThat(transition.next().incidents())
        .extracting(incident -> incident.type() + " " + incident.code() + " " + incident.message())
        .isEqualTo(message.isEmpty() ? List.of() : List.of("RequirementNotMet P-1 " + message));
  }

  @ParameterizedTest
  @CsvSource({
    "Delay, timeSpan, P3650000D",
    "Timer, interval, P3650000D",
    "StartAt, dateTime, +10000-01-01T00:00:00Z",
    "UserTask, dueDate, P3650000D",
    "UserTask, dueDate, 0000-12-31T23:59:59Z"
  })
  void a_time_that_cannot_be_stored_is_a_fault(String type, String input, String value) {
    var json = activity(type, "far", "'" + input + "':" + literal("String", "'" + value + "'"));
    var transition = start(sequence(json.replace("Elsa.UserTask", "Skein.UserTask")));

    assertThat(transition.next().incidents())
        .singleElement()
        .satisfies(incident -> {
          assertThat(incident.type()).isEqualTo("TimeOutOfRange");
          assertThat(incident.message()).contains("years 1 to 9999");
        });
    assertThat(transition.made()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "Correlate, correlationId",
    "SetName, value",
    "PublishEvent, eventName",
    "PublishEvent, correlationId",
    "DispatchWorkflow, correlationId",
    "UserTask, assignees",
    "UserTask, groups"
  })
  void text_that_nothing_can_be_found_by_is_a_fault(String type, String input) {
    var others = type.equals("DispatchWorkflow") ? ",'workflowDefinitionId':" + text("`d2`") : "";
    if (input.equals("correlationId") && type.equals("PublishEvent")) {
      others = ",'eventName':" + text("`e`");
    }
    for (var wrong : List.of("`x`.repeat(256)", "`a\\\\u0000`", "`a\\\\ud800`")) {
      var json = activity(type, "a", "'" + input + "':" + text(wrong) + others);
      var transition = start(sequence(json.replace("Elsa.UserTask", "Skein.UserTask")));

      assertThat(transition.next().incidents())
          .as(wrong)
          .singleElement()
          .satisfies(incident -> assertThat(incident.type()).isEqualTo("InvalidInput"));
      assertThat(transition.made()).isEmpty();
    }
    var json = activity(type, "a", "'" + input + "':" + text("`x`.repeat(255)") + others);
    assertThat(start(sequence(json.replace("Elsa.UserTask", "Skein.UserTask"))).next().incidents())
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"form", "escalateTo"})
  void text_that_is_no_form_is_a_fault(String input) {
    for (var wrong : List.of("{`a`:".repeat(201) + "1" + "}".repeat(201), "[]", "{", "no form")) {
      var json =
          activity(
              "UserTask",
              "t",
              "'" + input + "':" + literal("Object", "'" + wrong.replace("`", "\\'") + "'"));
      var transition = start(sequence(json.replace("Elsa.UserTask", "Skein.UserTask")));

      assertThat(transition.next().incidents())
          .as(wrong)
          .singleElement()
          .satisfies(incident -> assertThat(incident.type()).isEqualTo("ConversionError"));
      assertThat(transition.made()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"setCorrelationId", "setWorkflowInstanceName"})
  void a_script_sets_no_such_text_either(String function) {
    var script = "'script':" + text(function + "(`x`.repeat(256))");

    var incidents = start(sequence(activity("RunJavaScript", "s", script))).next().incidents();

    assertThat(incidents)
        .singleElement()
        .satisfies(incident -> assertThat(incident.message()).contains("at most 255"));
  }

  private static String text(String script) {
    return expression("String", "JavaScript", "'" + script + "'");
  }

  @Test
  void what_is_queued_still_runs_after_a_fault_and_nothing_waits_any_more() {
    var transition = start(rooted(FORKED));

    assertThat(journal(transition)).containsSubsequence("boom Faulted", "e Suspended");
    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(transition.next().bookmarks()).isEmpty();
    assertThat(transition.made()).isEmpty();
  }

  @Test
  void with_incidents_allowed_the_other_branches_go_on() {
    var graph =
        graph(
            "'options':{'incidentStrategyType':"
                + "'Elsa.Workflows.IncidentStrategies.ContinueWithIncidentsStrategy, Elsa'},'root':"
                + FORKED);

    var first = start(graph);
    var second = resume(graph, first.next(), "e");

    assertThat(first.next().status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(first.next().incidents()).hasSize(1);
    assertThat(second.next().status()).isEqualTo(WorkflowStatus.Suspended);
    assertThat(second.next().executions())
        .extracting(execution -> execution.status())
        .containsExactly(ActivityStatus.Running, ActivityStatus.Faulted);
  }

  @Test
  void an_unknown_activity_faults_when_it_runs_and_names_its_type_and_version() {
    var unknown = activity("Nonsense", "n", "'version':17");

    var transition = start(sequence(line("a", "x") + "," + unknown));

    assertThat(linesOf(transition)).containsExactly("x");
    assertThat(transition.next().incidents().getFirst().message())
        .isEqualTo("The activity type Elsa.Nonsense, version 17, is not known here");
  }

  @Test
  void an_input_that_cannot_be_evaluated_faults_before_anything_is_done() {
    var bad = activity("FlowDecision", "q", "'condition':" + literal("Boolean", "'perhaps'"));

    var transition = start(sequence(bad));

    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(journal(transition)).containsExactly("seq Started", "q Started", "q Faulted");
    assertThat(transition.next().incidents().getFirst())
        .satisfies(incident -> {
          assertThat(incident.type()).isEqualTo("ConversionError");
          assertThat(incident.message()).startsWith("Input Condition: ");
        });
  }

  @Test
  void limits_fault_instead_of_growing_without_end() {
    var tight =
        new Burst(
            EXPRESSIONS,
            new BurstLimits(
                100,
                3,
                1,
                1,
                new ChildLimits(1, 1, 1, Duration.ofSeconds(1)),
                JournalLimits.DEFAULT,
                new WorkLimits(Duration.ofSeconds(1), 1)));
    var events = "A>x A>y A>z";
    var three = lines("A") + "," + event("x", "x") + "," + event("y", "y") + "," + event("z", "z");

    var transition =
        tight.start(rooted(flowchart("f", events, three)), ID, request(Map.of()), at(NOW));

    assertThat(transition.next().status()).isEqualTo(WorkflowStatus.Faulted);
    assertThat(transition.next().incidents()).hasSize(1);
    assertThat(transition.journal())
        .filteredOn(entry -> entry.event().equals("Faulted"))
        .extracting(entry -> String.valueOf(entry.message()))
        .containsExactly(
            "The instance waits at 1 bookmarks already",
            "The instance has 3 activities under way already");
  }

  @Test
  void four_hundred_levels_of_nesting_are_refused_and_do_not_overflow() {
    var graph = nested(400, line("a", "deep"));

    assertThat(graph.problems()).anyMatch(problem -> problem.contains("nested deeper than 100"));
    assertThat(start(graph).next().status()).isEqualTo(WorkflowStatus.Faulted);
  }
}
