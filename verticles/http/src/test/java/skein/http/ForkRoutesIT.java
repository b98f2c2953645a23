package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import skein.model.InstanceId;
import skein.model.WorkflowStatus;

/** Forks of instances and skipped activities, over HTTP. */
class ForkRoutesIT {
  private static HttpNode node;

  @BeforeAll
  static void start() {
    node = new HttpNode(LiveOptions.DEFAULT);
    node.node.publish(OrderWorkflow.JSON);
    node.node.publish(
        """
        {"definitionId": "task", "root": {"type": "Elsa.Sequence", "id": "s", "activities": [
          {"type": "Skein.UserTask", "id": "look", "title": {"typeName": "String",
            "expression": {"type": "Literal", "value": "Look"}}},
          {"type": "Elsa.Event", "id": "paid", "eventName": {"typeName": "String",
            "expression": {"type": "Literal", "value": "Paid"}}}]}}
        """);
  }

  @AfterAll
  static void stop() {
    if (node != null) {
      node.close();
    }
  }

  private static JsonObject json(HttpResponse<String> answer) {
    return new JsonObject(answer.body());
  }

  private static JsonArray journal(InstanceId id) throws Exception {
    return json(node.get(node.api("/workflow-instances/" + id + "/journal"))).getJsonArray("items");
  }

  private static HttpResponse<String> fork(InstanceId id, long sequence, JsonObject variables)
      throws Exception {
    var body = new JsonObject().put("sequence", sequence).put("variables", variables);
    return node.post("/workflow-instances/" + id + "/fork", body.encode());
  }

  private static HttpResponse<String> skip(InstanceId id, String activityId) throws Exception {
    var skip = new JsonObject().put("type", "Skip").put("activityId", activityId);
    return node.post(
        "/alterations/run",
        new JsonObject()
            .put("workflowInstanceIds", new JsonArray().add(id.value()))
            .put("alterations", new JsonArray().add(skip.put("reason", "not needed")))
            .encode());
  }

  @Test
  void a_fork_goes_on_from_a_burst_of_an_instance_that_has_ended() throws Exception {
    var source = node.node.start(OrderWorkflow.ID, Map.of("Amount", 500L));
    long asked = node.node.instances.journal(source).await().getLast().sequence();
    node.post("/workflow-instances/" + source + "/resume", "{}");
    node.node.awaitStatus(source, WorkflowStatus.Completed);
    var before = node.get(node.api("/workflow-instances/" + source)).body();

    var answer = fork(source, asked, new JsonObject().put("Stage", "asked again"));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    assertThat(answer.headers().firstValue("Location"))
        .get()
        .asString()
        .contains(json(answer).getString("id"));
    var id = new InstanceId(json(answer).getString("id"));
    node.node.awaitStatus(id, WorkflowStatus.Suspended);
    var variables = json(node.get(node.api("/workflow-instances/" + id + "/variables")));
    assertThat(variables.getJsonArray("items").getJsonObject(0).getString("value"))
        .isEqualTo("asked again");
    assertThat(journal(id).getJsonObject(0).getString("eventName")).isEqualTo("Forked");
    node.post("/workflow-instances/" + id + "/resume", "{}");
    node.node.awaitStatus(id, WorkflowStatus.Completed);
    assertThat(journal(id).stream().map(e -> ((JsonObject) e).getString("activityId")))
        .contains("review");
    assertThat(node.get(node.api("/workflow-instances/" + source)).body()).isEqualTo(before);
    var audit = json(node.get(node.api("/audit?action=instance.fork"))).getJsonArray("items");
    assertThat(audit.stream().map(e -> ((JsonObject) e).getString("workflowInstanceId")))
        .contains(id.value());
  }

  @Test
  void a_fork_of_a_child_reads_the_id_of_its_parent() throws Exception {
    node.node.publish(
        """
        {"definitionId": "child", "root": {"type": "Elsa.Event", "id": "told",
          "eventName": {"typeName": "String", "expression": {"type": "Literal", "value": "Told"}}}}
        """);
    node.node.publish(
        """
        {"definitionId": "parent", "root": {"type": "Elsa.DispatchWorkflow", "id": "child",
          "workflowDefinitionId": {"typeName": "String",
            "expression": {"type": "Literal", "value": "child"}},
          "waitForCompletion": {"typeName": "Boolean",
            "expression": {"type": "Literal", "value": true}}}}
        """);
    var parent = node.node.start("parent", Map.of());
    var child = childOf(parent);
    node.node.awaitStatus(child, WorkflowStatus.Suspended);
    long waits = node.node.instances.journal(child).await().getLast().sequence();

    var id = new InstanceId(json(fork(child, waits, new JsonObject())).getString("id"));

    node.node.awaitStatus(id, WorkflowStatus.Suspended);
    assertThat(node.node.get(id).input()).containsEntry("ParentInstanceId", parent.value());
    assertThat(node.node.get(child).input()).as("kept once").isEmpty();
  }

  private static InstanceId childOf(InstanceId parent) throws Exception {
    var path = node.api("/workflow-instances?parentWorkflowInstanceId=" + parent);
    for (int tries = 0; tries < 500; tries++) {
      var items = json(node.get(path)).getJsonArray("items");
      if (!items.isEmpty()) {
        return new InstanceId(items.getJsonObject(0).getString("id"));
      }
      Thread.sleep(20);
    }
    throw new AssertionError("No child of " + parent);
  }

  @Test
  void a_moment_whose_state_is_not_known_is_refused_by_a_code() throws Exception {
    var source = node.node.start(OrderWorkflow.ID, Map.of("Amount", 5L));

    var within = fork(source, 2, new JsonObject());
    var none = fork(source, 9_999, new JsonObject());

    assertThat(within.statusCode()).isEqualTo(409);
    assertThat(json(within).getString("code")).isEqualTo("PAST_STATE_UNKNOWN");
    assertThat(json(within).getString("detail")).contains("last of its burst");
    assertThat(json(none).getString("code")).isEqualTo("PAST_STATE_UNKNOWN");
    var nowhere = fork(new InstanceId("nowhere"), 1, new JsonObject());
    assertThat(nowhere.statusCode()).isEqualTo(404);
    var missing = node.post("/workflow-instances/" + source + "/fork", "{}");
    assertThat(missing.statusCode()).isEqualTo(400);
  }

  @Test
  void an_id_of_the_form_that_is_derived_from_keys_is_refused() throws Exception {
    var source = node.node.start(OrderWorkflow.ID, Map.of("Amount", 5L));
    long last = node.node.instances.journal(source).await().getLast().sequence();
    var body =
        new JsonObject()
            .put("sequence", last)
            .put("instanceId", "t0123abcd-0123456789abcdef0123456789");

    var answer = node.post("/workflow-instances/" + source + "/fork", body.encode());

    assertThat(json(answer).getString("code")).as(answer.body()).isEqualTo("INVALID_ID");
  }

  private static String versioned(String ids) {
    var activities = new JsonArray();
    for (int i = 0; i < ids.length(); i++) {
      var id = ids.substring(i, i + 1);
      activities.add(new JsonObject().put("type", "Elsa.Event").put("id", id).put("eventName", id));
    }
    return new JsonObject()
        .put("definitionId", "versioned")
        .put(
            "root",
            new JsonObject()
                .put("type", "Elsa.Sequence")
                .put("id", "s")
                .put("activities", activities))
        .encode();
  }

  @Test
  void a_moment_before_a_migration_is_continued_by_the_version_of_then() throws Exception {
    node.node.publish(versioned("ab"));
    var source = node.node.start("versioned", Map.of());
    long before = node.node.instances.journal(source).await().getLast().sequence();
    node.node.publish(versioned("ax"));
    var migrate = new JsonObject().put("type", "Migrate").put("targetVersion", 2);
    node.post(
        "/alterations/run",
        new JsonObject()
            .put("workflowInstanceIds", new JsonArray().add(source.value()))
            .put("alterations", new JsonArray().add(migrate))
            .encode());
    assertThat(node.node.get(source).definition().version()).isEqualTo(2);

    var forked = fork(source, before, new JsonObject());
    var refused = fork(source, before + 1, new JsonObject());

    assertThat(forked.statusCode()).as(forked.body()).isEqualTo(201);
    var id = new InstanceId(json(forked).getString("id"));
    assertThat(node.node.get(id).definition().version()).isEqualTo(1);
    assertThat(json(refused).getString("code")).isEqualTo("PAST_STATE_UNKNOWN");
    assertThat(json(refused).getString("detail")).contains("migrated before");
    assertThat(journal(source).stream().map(e -> ((JsonObject) e).getString("eventName")))
        .contains("Migrated");
  }

  @Test
  void a_plan_that_skips_says_who_has_submitted_it() throws Exception {
    var id = node.node.start("task", Map.of());
    var skip = new JsonObject().put("type", "Skip").put("activityId", "look");

    var answer =
        node.post(
            "/alterations/submit",
            new JsonObject()
                .put("alterations", new JsonArray().add(skip))
                .put(
                    "filter",
                    new JsonObject().put("workflowInstanceIds", new JsonArray().add(id.value())))
                .encode());

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    for (int look = 0; look < 100 && tasks(id) > 0; look++) {
      Thread.sleep(50);
    }
    assertThat(journal(id).stream().map(e -> (JsonObject) e))
        .anySatisfy(entry -> {
          assertThat(entry.getString("eventName")).isEqualTo("Skipped");
          assertThat(entry.getString("message")).startsWith("by ");
        });
  }

  @Test
  void a_skipped_task_is_gone_from_the_inbox_and_its_activity_from_the_way() throws Exception {
    var id = node.node.start("task", Map.of());
    assertThat(tasks(id)).isEqualTo(1);

    var answer = skip(id, "look");

    assertThat(json(answer).getJsonArray("results").getJsonObject(0).getBoolean("isSuccessful"))
        .as(answer.body())
        .isTrue();
    assertThat(tasks(id)).isZero();
    assertThat(journal(id).stream().map(e -> (JsonObject) e))
        .anySatisfy(entry -> {
          assertThat(entry.getString("eventName")).isEqualTo("Skipped");
          assertThat(entry.getString("message")).contains("by ").contains("not needed");
        });
    var late = node.post("/tasks/" + id + "-1/complete", "{}");
    assertThat(late.statusCode()).isEqualTo(409);
    skip(id, "paid");
    node.node.awaitStatus(id, WorkflowStatus.Completed);
    assertThat(skip(id, "paid").body()).contains("INSTANCE_FINISHED");
  }

  private static int tasks(InstanceId id) throws Exception {
    var items = json(node.get(node.api("/user-tasks?take=100"))).getJsonArray("items");
    return (int)
        items.stream()
            .filter(item -> id.value().equals(((JsonObject) item).getString("workflowInstanceId")))
            .count();
  }
}
