package skein.node.elsa;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class InstanceFileTest {
  private static final String FILE =
      """
      {"WorkflowState": {"$id": "1", "id": "i1", "definitionId": "order",
        "definitionVersionId": "v1", "definitionVersion": 1, "parentWorkflowInstanceId": "p",
        "properties": {"WaitForCompletion": false},
        "status": "Running", "subStatus": "Suspended", "isExecuting": false,
        "bookmarks": {"$id": "2", "$values": [{"$id": "3", "id": "b1", "name": "Elsa.Event",
          "payload": {"eventName": "Paid", "_type": "EventStimulus"}, "activityId": "paid",
          "activityNodeId": "Workflow1:seq:paid", "activityInstanceId": "c3",
          "createdAt": "2026-03-01T10:00:00+00:00"}]},
        "incidents": [], "completionCallbacks": [], "scheduledActivities": [],
        "activityExecutionContexts": [
          {"id": "c1", "scheduledActivityNodeId": "Workflow1", "properties": {},
           "status": "Running", "startedAt": "2026-03-01T10:00:00+00:00"},
          {"id": "c2", "parentContextId": "c1", "scheduledActivityNodeId": "Workflow1:seq",
           "properties": {"CurrentIndex": 1},
           "status": "Running", "startedAt": "2026-03-01T10:00:00+00:00"},
          {"id": "c3", "parentContextId": "c2", "scheduledActivityNodeId": "Workflow1:seq:paid",
           "status": "Running", "startedAt": "2026-03-01T10:00:00+00:00"}],
        "input": {}, "output": {}, "createdAt": "2026-03-01T10:00:00+00:00"},
       "Bookmarks": [{"id": "b1"}]}
      """;

  private static final ElsaDefinition ORDER =
      new ElsaDefinition(
          ElsaDocuments.json(
              """
              {"id": "v1", "definitionId": "order", "version": 1,
               "root": {"type": "Elsa.Sequence", "id": "seq", "activities": [
                 {"type": "Elsa.Event", "id": "paid",
                  "eventName": {"typeName": "String",
                    "expression": {"type": "Literal", "value": "Paid"}}}]}}
              """),
          List.of(),
          null);

  private static InstanceFile changed(String part, String by) {
    assertThat(FILE).contains(part);
    return new InstanceFile(ElsaDocuments.json(FILE.replace(part, by)));
  }

  private static @Nullable Reason reason(String part, String by) {
    var refusal = changed(part, by).refusal();
    return refusal == null ? null : refusal.reason();
  }

  @Test
  void what_waits_for_something_known_can_be_taken() {
    var file = new InstanceFile(ElsaDocuments.json(FILE));

    assertThat(file.refusal()).isNull();
    assertThat(file.places()).containsExactly("paid");
    assertThat(file.isAwaited()).isFalse();
    assertThat(new StateCheck(Instant.EPOCH).refusal(file, ORDER)).isNull();
  }

  @Test
  void what_elsa_executes_is_left_to_it() {
    assertThat(reason("\"Suspended\"", "\"Executing\"")).isEqualTo(Reason.INSTANCE_AT_WORK);
    assertThat(reason("\"Suspended\"", "\"Interrupted\"")).isEqualTo(Reason.INSTANCE_AT_WORK);
    assertThat(reason("\"isExecuting\": false", "\"isExecuting\": true"))
        .isEqualTo(Reason.INSTANCE_AT_WORK);
    assertThat(
            reason(
                "\"scheduledActivities\": []",
                "\"scheduledActivities\": {\"$values\": [{\"activityNodeId\": \"Workflow1:seq\"}]}"))
        .isEqualTo(Reason.INSTANCE_AT_WORK);
    assertThat(reason("\"Suspended\"", "\"Pending\"")).isNull();
  }

  @Test
  void what_waits_for_something_unknown_is_left() {
    assertThat(reason("\"Elsa.Event\"", "\"Acme.Wait\"")).isEqualTo(Reason.BOOKMARK_UNSUPPORTED);
  }

  @Test
  void a_table_of_bookmarks_that_says_something_else_than_the_state_is_told() {
    assertThat(reason("[{\"id\": \"b1\"}]", "[]")).isEqualTo(Reason.BOOKMARKS_DISAGREE);
    assertThat(reason("[{\"id\": \"b1\"}]", "[{\"id\": \"b2\"}]"))
        .isEqualTo(Reason.BOOKMARKS_DISAGREE);
  }

  @Test
  void what_only_the_definition_shows_to_be_wrong_names_the_member() {
    var states = new StateCheck(Instant.EPOCH);

    var refusal = states.refusal(changed("Workflow1:seq:paid", "Workflow1:seq:gone"), ORDER);

    assertThat(requireNonNull(refusal).reason()).isEqualTo(Reason.STATE_UNSUPPORTED);
    assertThat(refusal.detail()).contains("scheduledActivityNodeId", "seq:gone");
  }

  @Test
  void states_of_activities_that_only_nodes_know_are_left_to_them() {
    var definition =
        new ElsaDefinition(
            ElsaDocuments.json(
                """
                {"id": "v2", "definitionId": "order", "version": 1,
                 "root": {"type": "Elsa.Sequence", "id": "seq", "activities": [
                   {"type": "Acme.Pay", "id": "paid"}]}}
                """),
            List.of(),
            null);

    var file = new InstanceFile(ElsaDocuments.json(FILE));
    assertThat(new StateCheck(Instant.EPOCH).refusal(file, definition)).isNull();
  }

  @Test
  void it_is_begun_with_the_version_that_the_cluster_has() {
    var file = changed("\"v1\"", "\"old\"").of(new VersionRef("c7", 7));

    assertThat(file.state().get("definitionVersionId")).isEqualTo("c7");
    assertThat(file.state().get("definitionVersion")).isEqualTo(7L);
    assertThat(file.refusal()).isNull();
  }

  @Test
  void families_are_known_by_parents_that_wait_and_children_that_are_waited_for() {
    var awaited =
        InstancePlan.Family.of(
            changed("\"WaitForCompletion\": false", "\"WaitForCompletion\": true"));
    assertThat(awaited.parent()).isEqualTo("p");

    var waiting =
        InstancePlan.Family.of(
            changed("\"eventName\": \"Paid\"", "\"childInstanceId\": \"c9\", \"eventName\": \"\""));
    assertThat(waiting.children()).containsExactly("c9");
    assertThat(waiting.parent()).isNull();
  }
}
