package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import skein.model.InstanceId;
import skein.model.WorkflowStatus;

/** How often each activity of a definition ran, counted by PostgreSQL out of the journals. */
class ActivityUsageIT {
  private static final String BROKEN =
      """
      {"definitionId": "broken", "root": {"type": "Elsa.Fault", "id": "fault",
       "message": {"typeName": "String", "expression": {"type": "Literal", "value": "boom"}}}}
      """;

  private static HttpNode node;

  @BeforeAll
  static void start() throws Exception {
    node = new HttpNode(LiveOptions.DEFAULT);
    node.node.publish(OrderWorkflow.JSON);
    node.node.publish(BROKEN);
    for (long amount : new long[] {5, 7, 50}) {
      pay(node.node.start(OrderWorkflow.ID, Map.of("Amount", amount)));
    }
    node.node.start(OrderWorkflow.ID, Map.of("Amount", 1L));
    var cancelled = node.node.start(OrderWorkflow.ID, Map.of("Amount", 1L));
    node.post("/workflow-instances/" + cancelled + "/cancel", "{}");
    node.node.awaitStatus(cancelled, WorkflowStatus.Cancelled);
    node.node.awaitStatus(node.node.start("broken"), WorkflowStatus.Faulted);
  }

  private static void pay(InstanceId id) throws Exception {
    node.post("/workflow-instances/" + id + "/resume", "{}");
    node.node.awaitStatus(id, WorkflowStatus.Completed);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static JsonObject usage(String definitionId, String query) throws Exception {
    var uri = node.api("/workflow-definitions/" + definitionId + "/activity-usage" + query);
    return new JsonObject(node.get(uri).body());
  }

  private static JsonObject activity(JsonObject usage, String id) {
    return usage.getJsonArray("activities").stream()
        .map(JsonObject.class::cast)
        .filter(one -> one.getString("activityId").equals(id))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void activities_are_counted_with_the_outcomes_that_they_took() throws Exception {
    var usage = usage(OrderWorkflow.ID, "");

    assertThat(usage.getInteger("instances")).isEqualTo(5);
    assertThat(usage.getBoolean("complete")).isTrue();
    assertThat(activity(usage, "ask").getInteger("startedCount")).isEqualTo(5);
    assertThat(activity(usage, "large").getJsonObject("outcomes"))
        .isEqualTo(new JsonObject().put("False", 2).put("True", 1));
    assertThat(activity(usage, "review").getInteger("completedCount")).isEqualTo(1);
    assertThat(activity(usage, "send").getInteger("completedCount")).isEqualTo(2);
  }

  @Test
  void what_waits_now_is_not_what_has_waited_or_was_cancelled() throws Exception {
    var paid = activity(usage(OrderWorkflow.ID, ""), "paid");

    assertThat(paid.getInteger("startedCount")).isEqualTo(5);
    assertThat(paid.getInteger("waitingCount")).isEqualTo(1);
    assertThat(paid.getInteger("completedCount")).isEqualTo(3);
    assertThat(paid.getInteger("cancelledCount")).isEqualTo(1);
    assertThat(paid.getJsonObject("wait").getLong("p95Ms"))
        .isPositive()
        .isGreaterThanOrEqualTo(paid.getJsonObject("wait").getLong("p50Ms"));
  }

  @Test
  void faults_are_counted_where_they_happen() throws Exception {
    var fault = activity(usage("broken", ""), "fault");

    assertThat(fault.getInteger("faultedCount")).isEqualTo(1);
    assertThat(fault.getInteger("completedCount")).isZero();
  }

  @Test
  void other_versions_other_times_and_other_definitions_are_left_out() throws Exception {
    assertThat(usage(OrderWorkflow.ID, "?version=2").getInteger("instances")).isZero();
    assertThat(usage(OrderWorkflow.ID, "?version=1").getInteger("instances")).isEqualTo(5);
    var later = Instant.now().plusSeconds(60);
    assertThat(usage(OrderWorkflow.ID, "?since=" + later).getJsonArray("activities")).isEmpty();
    assertThat(usage("none", "").getInteger("instances")).isZero();
  }

  @Test
  void a_time_that_cannot_be_read_is_refused() throws Exception {
    for (var time : new String[] {"yesterday", "%2B12345-01-01T00:00:00Z", "2026-01-01"}) {
      var answer = node.get(node.api("/workflow-definitions/order/activity-usage?since=" + time));

      assertThat(answer.statusCode()).as(time).isEqualTo(400);
      assertThat(answer.body()).contains("since is", "INVALID_REQUEST");
    }
  }
}
