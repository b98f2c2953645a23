package skein.node.elsa;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.node.elsa.ElsaImport.Options;
import skein.node.elsa.JsonServer.Answer;

/** What a refusal of the cluster means for the rest of an import. */
class ElsaImportTest {
  private static final Answer MISSING = new Answer(404, "{}");
  private static final Answer REFUSED =
      new Answer(409, "{\"code\": \"NOT_NOW\", \"detail\": \"try later\", \"errors\": [\"a\"]}");

  private static final String DEFINITION =
      """
      {"id": "v1", "definitionId": "order", "version": 1, "isPublished": true, "isLatest": true,
       "root": {"type": "Elsa.Sequence", "id": "seq", "activities": [
         {"type": "Elsa.Event", "id": "wait", "eventName": "Paid"}]}}
      """;

  private final List<String> changes = new ArrayList<>();

  /** {@code p} waits for the end of {@code c}, which is older. */
  private static JsonServer elsa() {
    return (_, path, _) ->
        switch (path) {
          case "/workflow-instances" ->
              new Answer(200, "{\"items\": [%s, %s]}".formatted(summary("c"), summary("p")));
          case "/workflow-definitions/by-id/v1" -> new Answer(200, DEFINITION);
          default ->
              path.startsWith("/workflow-definitions?")
                  ? new Answer(200, "{\"items\": [" + DEFINITION + "]}")
                  : path.contains("/export")
                      ? new Answer(200, path.contains("/p/") ? file("p", "") : child())
                      : MISSING;
        };
  }

  private static String summary(String id) {
    return "{\"id\": \"%s\", \"definitionId\": \"order\", \"definitionVersionId\": \"v1\"}"
        .formatted(id);
  }

  private static String child() {
    return file(
        "c", "\"parentWorkflowInstanceId\": \"p\", \"properties\": {\"WaitForCompletion\": true},");
  }

  private static String file(String id, String members) {
    return """
    {"WorkflowState": {"id": "%s", "definitionId": "order", "definitionVersionId": "v1",
      "definitionVersion": 1, %s "status": "Running", "subStatus": "Suspended",
      "bookmarks": [{"id": "b", "name": "Elsa.Event", "payload": {"eventName": "Paid"},
        "activityId": "wait", "activityNodeId": "Workflow1:seq:wait",
        "activityInstanceId": "x", "createdAt": "2026-03-01T10:00:00+00:00"}],
      "activityExecutionContexts": [
        {"id": "w", "scheduledActivityNodeId": "Workflow1", "status": "Running",
         "startedAt": "2026-03-01T10:00:00+00:00"},
        {"id": "s", "parentContextId": "w", "scheduledActivityNodeId": "Workflow1:seq",
         "status": "Running", "startedAt": "2026-03-01T10:00:00+00:00"},
        {"id": "x", "parentContextId": "s", "scheduledActivityNodeId": "Workflow1:seq:wait",
         "status": "Running", "startedAt": "2026-03-01T10:00:00+00:00"}],
      "createdAt": "2026-03-01T10:00:00+00:00"}}
    """
        .formatted(id, members);
  }

  /** {@code refused}: how the change begins that it refuses; empty: it refuses none. */
  private JsonServer cluster(String refused) {
    return (method, path, body) -> {
      if (path.equals("/workflow-definitions/validate")) {
        return new Answer(200, "{\"findings\": []}");
      }
      if (method.equals("GET")) {
        return MISSING;
      }
      var change = path + (has(body, "\"id\":\"p\"") ? " p" : has(body, "\"c\"") ? " c" : "");
      changes.add(change);
      return !refused.isEmpty() && change.startsWith(refused)
          ? REFUSED
          : new Answer(200, "{\"workflowDefinition\": {\"id\": \"c9\", \"version\": 9}}");
    };
  }

  private static boolean has(@Nullable String body, String part) {
    return body != null && body.contains(part);
  }

  private List<String> run(String refused, boolean dryRun) {
    var told = new ArrayList<String>();
    new ElsaImport(
            new ElsaApi(elsa()), cluster(refused), new Options(dryRun, false, true), Instant.EPOCH)
        .run(item ->
            told.add(item.id() + " " + (item.reason() == null ? item.action() : item.reason())));
    return told;
  }

  @Test
  void what_waits_for_another_instance_is_moved_before_that() {
    assertThat(run("", false)).containsExactly("order TAKEN", "p TAKEN", "c TAKEN");
    assertThat(changes)
        .containsExactly(
            "/workflow-definitions",
            "/bulk-actions/import/workflow-instances p",
            "/bulk-actions/import/workflow-instances c");
  }

  @Test
  void a_dry_run_changes_nothing() {
    assertThat(run("", true)).containsExactly("order TAKE", "p TAKE", "c TAKE");
    assertThat(changes).isEmpty();
  }

  @Test
  void without_their_definition_instances_are_left() {
    assertThat(run("/workflow-definitions", false))
        .containsExactly("order REFUSED", "p DEFINITION_NOT_TAKEN", "c DEFINITION_NOT_TAKEN");
    assertThat(changes).containsExactly("/workflow-definitions");
  }

  @Test
  void when_an_instance_is_refused_those_that_report_to_it_are_left() {
    assertThat(run("/bulk-actions/import/workflow-instances", false))
        .containsExactly("order TAKEN", "p REFUSED", "c PARENT_NOT_TAKEN");
  }

  @Test
  void when_what_is_waited_for_is_refused_that_is_told() {
    var items = new ArrayList<Item>();
    new ElsaImport(
            new ElsaApi(elsa()),
            cluster("/bulk-actions/import/workflow-instances c"),
            new Options(false, false, true),
            Instant.EPOCH)
        .run(items::add);

    assertThat(items.getLast().reason()).isEqualTo(Reason.REFUSED);
    assertThat(items.getLast().detail())
        .isEqualTo("NOT_NOW: try later; a; instance p waits for it in the cluster");
  }

  @Test
  void a_refusal_is_its_code_and_its_sentences() {
    assertThat(REFUSED.refusal()).isEqualTo("NOT_NOW: try later; a");
    assertThat(new Answer(502, "<html>").refusal()).isEqualTo("HTTP 502");
  }
}
