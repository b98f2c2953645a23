package skein.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import skein.activities.Activities;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.graph.GraphCompiler;
import skein.model.DefinitionRef;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.WorkflowDefinition;
import skein.model.WorkflowStatus;

class UserTaskTest {
  private static final String FORM =
      """
      {"type": "object", "required": ["amount"],
       "properties": {"amount": {"type": "integer", "minimum": 1}, "note": {"type": "string"}}}
      """;

  @Test
  void the_bookmark_says_the_whole_task() {
    var run =
        started("'dueDate': 'PT2H', 'priority': 3, 'data': {'amount': 5}, 'outcomes': ['Approve']");

    var task = run.userTasks().getFirst();
    assertThat(task)
        .containsEntry("taskId", run.instance().bookmarks().getFirst().id().toString())
        .containsEntry("title", "Check it")
        .containsEntry("assignees", List.of("alice"))
        .containsEntry("groups", List.of("sales"))
        .containsEntry("subjects", List.of("user:alice", "group:sales"))
        .containsEntry("data", Map.of("amount", 5L))
        .containsEntry("priority", 3L)
        .containsEntry("dueAt", "2026-01-01T02:00:00Z")
        .containsEntry("createdAt", "2026-01-01T00:00:00Z")
        .containsEntry("outcomes", List.of("Approve"))
        .doesNotContainKey("claimedBy");
    assertThat(task.get("form"))
        .asInstanceOf(InstanceOfAssertFactories.MAP)
        .containsEntry("type", "object");
    run.assertWaitsAt("check");
  }

  @Test
  void what_it_is_completed_with_is_its_result() {
    var run = started("'outcomes': ['Approve', 'Reject']");

    run.complete("Check it", Map.of("amount", 7L), "Approve", "alice").crash();

    run.assertStatus(WorkflowStatus.Completed)
        .assertThatJournal()
        .contains("check", ActivityEvent.Completed)
        .hasOutcome("check", "Approve");
    assertThat(run.outputOf("check"))
        .isEqualTo(Map.of("Result", Map.of("amount", 7L), "CompletedBy", "alice"));
  }

  @Test
  void wrong_data_changes_nothing_and_every_error_is_told() {
    var run = started("'outcomes': ['Approve']");

    assertThatThrownBy(
            () -> run.complete("check", Map.of("amount", 0L, "note", 3L), "Maybe", "alice"))
        .isInstanceOfSatisfying(
            SkeinException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.TASK_INVALID);
              assertThat(String.join("\n", e.errors()))
                  .contains("outcome: \"Maybe\"", "/amount", "/note");
            });
    assertThatThrownBy(() -> run.resume("check", Map.of("result", Map.of())))
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TASK_INVALID));

    assertThat(run.instance().revision()).isEqualTo(1);
    run.assertWaitsAt("check");
  }

  @Test
  void without_a_result_the_prefilled_data_are_the_result() {
    var run = started("'data': {'amount': 5}");

    run.resume("check", Map.of());

    assertThat(run.outputOf("check"))
        .asInstanceOf(InstanceOfAssertFactories.MAP)
        .containsEntry("Result", Map.of("amount", 5L));
  }

  @Test
  void a_claimed_task_is_its_claimers_alone() {
    var run = started("");

    run.claim("check", "bob", "sales");

    assertThat(run.userTasks().getFirst())
        .containsEntry("claimedBy", "bob")
        .containsEntry("subjects", List.of("user:alice", "group:sales", "claimed:bob"));
    refused(ErrorCode.TASK_CLAIMED, () -> run.claim("check", "alice"));
    refused(ErrorCode.TASK_CLAIMED, () -> run.complete("check", Map.of("amount", 1L)));
    run.claim("check", "bob").complete("check", Map.of("amount", 1L), null, "bob");
    run.assertStatus(WorkflowStatus.Completed);
  }

  @Test
  void what_is_so_already_is_in_the_history_like_what_was_changed() {
    var run = started("").claim("check", "bob", "sales");

    run.claim("check", "bob", "sales");

    assertThat(run.instance().revision()).isEqualTo(3);
    assertThat(run.userTasks().getFirst()).containsEntry("claimedBy", "bob");
  }

  @Test
  void others_may_neither_claim_nor_complete_it() {
    var run = started("");

    refused(ErrorCode.TASK_NOT_YOURS, () -> run.claim("check", "mallory", "support"));
    refused(
        ErrorCode.TASK_NOT_YOURS,
        () -> run.complete("check", Map.of("amount", 1L), null, "mallory"));
  }

  @Test
  void escalation_gives_it_to_others_under_the_same_id() {
    var run =
        started(
            "'escalateAfter': '01:00:00', 'escalateTo': {'assignees': ['eve'], 'groups':"
                + " ['bosses']}");
    var id = run.userTasks().getFirst().get("taskId");
    run.claim("check", "alice");

    run.advance(Duration.ofMinutes(61)).crash();

    assertThat(run.userTasks().getFirst())
        .containsEntry("taskId", id)
        .containsEntry("subjects", List.of("user:eve", "group:bosses"))
        .containsEntry("title", "Check it")
        .doesNotContainKey("claimedBy");
    run.complete("check", Map.of("amount", 1L), null, "eve").assertStatus(WorkflowStatus.Completed);
    assertThat(run.instance().bookmarks()).isEmpty();
  }

  @Test
  void it_expires_with_an_outcome_of_its_own() {
    var run = started("'expireAfter': 'PT3H'");

    run.advance(Duration.ofHours(3));

    run.assertStatus(WorkflowStatus.Completed).assertThatJournal().hasOutcome("check", "Expired");
    assertThat(run.instance().bookmarks()).isEmpty();
  }

  @Test
  void a_form_that_cannot_be_used_is_a_problem_of_the_definition() {
    for (var form :
        List.of(
            "'form': {'$ref': '#/nowhere'}",
            "'form': {'typeName': 'Object', 'expression': {'type': 'Literal',"
                + " 'value': {'$ref': '#/nowhere'}}}",
            "'form': {'typeName': 'Object', 'expression': {'type': 'Object',"
                + " 'value': '{\\'$ref\\': \\'#/nowhere\\'}'}}")) {
      var json = JsonText.parseObject(workflow(form), JsonLimits.DEFAULT);
      var ref = new DefinitionRef("checks", "checks-1", 1);
      var definition = new WorkflowDefinition(ref, null, null, true, true, Instant.EPOCH, json);
      var graph = GraphCompiler.compile(definition, Activities.builtIn());
      assertThat(graph.problems())
          .as(form)
          .singleElement()
          .asString()
          .contains("check", "its form is wrong (INVALID_FORM) at /: \"#/nowhere\"");
    }
  }

  @Test
  void a_computed_form_that_cannot_be_used_is_said_to_be_the_definitions_fault() {
    var form =
        "'form': {'typeName': 'Object', 'expression': {'type': 'JavaScript',"
            + " 'value': '({$ref: `#/nowhere`})'}}";
    var run = TestWorkflow.load(workflow(form)).start();

    refused(ErrorCode.DEFINITION_INVALID, () -> run.complete("check", Map.of()));
    run.assertWaitsAt("check");
  }

  private static void refused(ErrorCode code, Runnable action) {
    assertThatThrownBy(action::run)
        .isInstanceOfSatisfying(SkeinException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private static TestRun started(String members) {
    var form = "'form': " + FORM.replace('"', '\'');
    return TestWorkflow.load(workflow(members.isEmpty() ? form : form + "," + members)).start();
  }

  private static String workflow(String members) {
    return """
    {'definitionId': 'checks', 'root': {'type': 'Skein.UserTask', 'id': 'check',
     'title': 'Check it', 'assignees': ['alice'], 'groups': ['sales'], %s}}
    """
        .formatted(members)
        .replace('\'', '"');
  }
}
