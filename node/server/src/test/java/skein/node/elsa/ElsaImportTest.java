package skein.node.elsa;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.node.elsa.ElsaImport.Options;
import skein.node.elsa.JsonServer.Answer;

/** What a refusal of the cluster, and an Elsa that goes on, mean for the rest of an import. */
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

  /** What Elsa says of itself; empty: as before 3.8. */
  private String status = "";

  /** Put in place of {@code before} in the files of instances, from the second reading on. */
  private String before = "";

  private String after = "";
  private int exports;

  /** {@code p} waits for the end of {@code c}, which is older. */
  private JsonServer elsa() {
    return (_, path, _) ->
        switch (path) {
          case "/workflow-instances" ->
              new Answer(200, "{\"items\": [%s, %s]}".formatted(summary("c"), summary("p")));
          case "/workflow-definitions/by-id/v1" -> new Answer(200, DEFINITION);
          default ->
              path.startsWith("/workflow-definitions?")
                  ? new Answer(200, "{\"items\": [" + DEFINITION + "]}")
                  : path.contains("/export") ? exported(path.contains("/p/")) : other(path);
        };
  }

  private Answer exported(boolean parent) {
    var file = parent ? file("p", "") : child();
    return new Answer(200, exports++ < 2 ? file : file.replace(before, after));
  }

  private Answer other(String path) {
    return path.equals("/admin/workflow-runtime/status") && !status.isEmpty()
        ? new Answer(200, status)
        : MISSING;
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
    return told(items(refused, new Options(dryRun, false, true)));
  }

  private List<Item> items(String refused, Options options) {
    var items = new ArrayList<Item>();
    new ElsaImport(new ElsaApi(elsa()), cluster(refused), options, Instant.EPOCH).run(items::add);
    return items;
  }

  private static List<String> told(List<Item> items) {
    return items.stream()
        .map(item -> item.id() + " " + (item.reason() == null ? item.action() : item.reason()))
        .toList();
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
    var items = items("/bulk-actions/import/workflow-instances c", new Options(false, false, true));

    assertThat(items.getLast().reason()).isEqualTo(Reason.REFUSED);
    assertThat(items.getLast().detail())
        .isEqualTo("NOT_NOW: try later; a; instance p waits for it in the cluster");
  }

  private static String status(boolean accepts, int count) {
    return "{\"state\": {\"isAcceptingNewWork\": %s}, \"activeExecutionCycleCount\": %d}"
        .formatted(accepts, count);
  }

  @Test
  void the_pause_of_one_server_does_not_show_that_all_are_at_rest() {
    status = status(false, 0);

    var items = items("", new Options(false, false, false));

    assertThat(told(items)).containsExactly("order TAKEN", "p ELSA_MAY_RUN", "c ELSA_MAY_RUN");
    assertThat(items.getLast().detail())
        .contains("stop or pause every server of Elsa, and say --elsa-stopped");
    assertThat(changes).containsExactly("/workflow-definitions");
  }

  @Test
  void a_server_that_says_that_it_runs_contradicts_who_says_that_it_is_stopped() {
    status = status(true, 0);

    var items = items("", new Options(false, false, true));

    assertThat(told(items)).containsExactly("order TAKEN", "p ELSA_MAY_RUN", "c ELSA_MAY_RUN");
    assertThat(items.getLast().detail())
        .contains("Elsa answers that its runtime is not paused, in spite of --elsa-stopped");
    status = status(false, 0);
    assertThat(run("", false)).containsExactly("order TAKEN", "p TAKEN", "c TAKEN");
  }

  @Test
  void what_elsa_has_ended_during_the_import_is_left() {
    before = "\"Suspended\"";
    after = "\"Finished\"";

    assertThat(run("", false))
        .containsExactly("order TAKEN", "p INSTANCE_AT_WORK", "c PARENT_NOT_TAKEN");
    assertThat(changes).containsExactly("/workflow-definitions");
  }

  @Test
  void what_waits_elsewhere_or_anew_in_elsa_during_the_import_is_left() {
    before = "\"activityId\": \"wait\"";
    after = "\"activityId\": \"other\"";
    var items = items("", new Options(false, false, true));
    assertThat(told(items)).containsExactly("order TAKEN", "p ELSA_MAY_RUN", "c PARENT_NOT_TAKEN");
    assertThat(items.get(1).detail()).contains("it waited at wait, and waits anew at other");

    exports = 0;
    before = "\"id\": \"b\"";
    after = "\"id\": \"b2\"";
    assertThat(run("", false))
        .containsExactly("order TAKEN", "p ELSA_MAY_RUN", "c PARENT_NOT_TAKEN");
    assertThat(changes).containsOnly("/workflow-definitions");
  }

  @Test
  void a_refusal_is_its_code_and_its_sentences() {
    assertThat(REFUSED.refusal()).isEqualTo("NOT_NOW: try later; a");
    assertThat(new Answer(502, "<html>").refusal()).isEqualTo("HTTP 502");
  }
}
