package skein.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.model.WorkflowStatus;

class TestWorkflowTest {
  @Test
  void what_is_due_fires_in_due_order_at_its_own_instant() {
    var run =
        TestWorkflow.load(
                workflow(
                    "w",
                    parallel(
                        sequence("late", delay("d2", "02:00:00"), line("two")),
                        sequence("early", delay("d1", "01:00:00"), line("one")))))
            .at(Instant.parse("2026-05-01T08:00:00Z"))
            .start();
    run.assertWaitsAt("d2", "d1");

    run.advance(Duration.ofMinutes(90)).assertLines("one");
    run.advance(Duration.ofMinutes(30)).assertLines("one", "two");

    assertThat(run.now()).isEqualTo("2026-05-01T10:00:00Z");
    assertThat(run.instance().timing().finishedAt()).isEqualTo("2026-05-01T10:00:00Z");
    run.assertStatus(WorkflowStatus.Completed)
        .assertThatJournal()
        .completedInOrder("d1", "one", "d2", "two")
        .contains("d1", ActivityEvent.Suspended);
  }

  @Test
  void an_event_resumes_what_waits_and_starts_what_it_triggers() {
    var waits = workflow("waits", sequence("s", event("e", "Go", false), line("went")));
    var triggered = workflow("triggered", sequence("t", event("on", "Go", true), line("began")));

    var run = TestWorkflow.load(waits).with(triggered).start().publish("Go", Map.of("n", 1L));

    run.assertStatus(WorkflowStatus.Completed).assertLines("went");
    run.instanceOf("triggered").assertStatus(WorkflowStatus.Completed).assertLines("began");
    assertThat(run.outputOf("e")).isEqualTo(Map.of("Result", Map.of("n", 1L)));
  }

  @Test
  void a_mock_takes_the_place_of_an_activity_known_or_not() {
    var asked = new ArrayList<Map<String, @Nullable Object>>();
    var send =
        """
        {'type': 'Acme.Send', 'id': 'send', 'url': %s, 'result': {'typeName': 'Object',
         'memoryReference': {'id': 'answer'}}}
        """
            .formatted(text("https://example.org"));
    var json =
        workflow("w", sequence("s", send, line("sent")))
            .replace(
                "\"root\"",
                "\"variables\": [{\"id\": \"answer\", \"name\": \"answer\"}], \"root\"");

    var run =
        TestWorkflow.load(json)
            .mock(
                "Acme.Send",
                inputs -> {
                  asked.add(inputs);
                  return MockAnswer.output("Result", "ok");
                })
            .start();

    run.assertVariable("answer", "ok").assertLines("sent").crash();
    assertThat(asked).containsExactly(Map.of("Url", "https://example.org"));
  }

  @Test
  void a_mock_that_fails_faults_the_workflow() {
    var run =
        TestWorkflow.load(workflow("w", line("one")))
            .mock("Elsa.WriteLine", _ -> MockAnswer.failure("NoPaper", "The printer is empty"))
            .start();

    run.assertStatus(WorkflowStatus.Faulted)
        .assertThatJournal()
        .contains("one", ActivityEvent.Faulted)
        .doesNotContain("one", ActivityEvent.Completed);
  }

  @Test
  void a_task_is_completed_by_its_name() {
    var task = "{'type': 'Elsa.RunTask', 'id': 'pack', 'taskName': %s}".formatted(text("Pack"));
    var run = TestWorkflow.load(workflow("w", sequence("s", task, line("done")))).start();

    run.crash().complete("Pack", Map.of("parcels", 2L)).assertLines("done");

    assertThatThrownBy(() -> run.complete("Pack", null))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Nothing waits at the task Pack");
  }

  @Test
  void triggers_of_the_clock_start_instances_where_nothing_was_started() {
    var timer =
        "{'type': 'Elsa.Timer', 'id': 't', 'interval': %s, 'canStartWorkflow': true}"
            .formatted(text("00:10:00"));

    var run = TestWorkflow.load(workflow("ticks", sequence("s", timer, line("tick")))).deploy();
    run.advance(Duration.ofMinutes(35));

    assertThat(run.instancesOf("ticks")).hasSize(3);
    run.instancesOf("ticks").forEach(tick -> tick.assertLines("tick"));
  }

  @Test
  void a_decision_that_comes_out_differently_is_found() {
    var list = new ArrayList<>(List.of("a"));
    var run =
        TestWorkflow.load(workflow("w", line("one")))
            .mock("Elsa.WriteLine", _ -> MockAnswer.output("Text", list))
            .start();
    list.add("b");

    assertThatThrownBy(run::crash)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("leads to something else");
  }

  @Test
  void a_definition_that_could_not_be_published_is_refused() {
    var unknown = TestWorkflow.load(workflow("w", "{'type': 'Elsa.ReadLine', 'id': 'u'}"));

    assertThatThrownBy(unknown::start)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Elsa.ReadLine");
  }

  @Test
  void a_wrong_assertion_says_what_is_there() {
    var run = TestWorkflow.load(workflow("w", line("one"))).start();

    assertThatThrownBy(() -> run.assertStatus(WorkflowStatus.Suspended))
        .hasMessageContaining("Completed, not Suspended");
    assertThatThrownBy(() -> run.assertLines("two")).hasMessageContaining("[one], not [two]");
    assertThatThrownBy(() -> run.assertThatJournal().contains("x", ActivityEvent.Completed))
        .hasMessageContaining("has no Completed of x")
        .hasMessageContaining("one Completed");
  }

  private static String workflow(String id, String root) {
    return "{'definitionId': '%s', 'root': %s}".formatted(id, root).replace('\'', '"');
  }

  private static String sequence(String id, String... activities) {
    return "{'type': 'Elsa.Sequence', 'id': '%s', 'activities': [%s]}"
        .formatted(id, String.join(",", activities));
  }

  private static String parallel(String... activities) {
    return "{'type': 'Elsa.Parallel', 'id': 'p', 'activities': [%s]}"
        .formatted(String.join(",", activities));
  }

  private static String delay(String id, String span) {
    return "{'type': 'Elsa.Delay', 'id': '%s', 'timeSpan': %s}".formatted(id, text(span));
  }

  private static String event(String id, String name, boolean canStart) {
    return "{'type': 'Elsa.Event', 'id': '%s', 'eventName': %s, 'canStartWorkflow': %s}"
        .formatted(id, text(name), canStart);
  }

  private static String line(String text) {
    return "{'type': 'Elsa.WriteLine', 'id': '%s', 'text': %s}".formatted(text, text(text));
  }

  private static String text(String value) {
    return "{'typeName': 'String', 'expression': {'type': 'Literal', 'value': '%s'}}"
        .formatted(value);
  }
}
