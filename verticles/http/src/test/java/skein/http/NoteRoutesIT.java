package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import skein.model.InstanceId;
import skein.model.WorkflowStatus;

/** Notes on instances, and timers that are postponed, over HTTP. */
class NoteRoutesIT {
  private static HttpNode node;

  @BeforeAll
  static void start() {
    node = new HttpNode(LiveOptions.DEFAULT);
    node.node.publish(OrderWorkflow.JSON);
    node.node.publish(
        """
        {"definitionId": "delayed", "root": {"type": "Elsa.Delay", "id": "rest",
         "timeSpan": {"typeName": "TimeSpan",
           "expression": {"type": "Literal", "value": "01:00:00"}}}}
        """);
  }

  @AfterAll
  static void stop() {
    if (node != null) {
      node.close();
    }
  }

  private static InstanceId order() {
    return node.node.start(OrderWorkflow.ID, Map.of("Amount", 1L));
  }

  private static HttpResponse<String> note(InstanceId id, String text) throws Exception {
    var body = new JsonObject().put("text", text).encode();
    return node.post("/workflow-instances/" + id + "/notes", body);
  }

  private static JsonObject notes(InstanceId id) throws Exception {
    return new JsonObject(node.get(node.api("/workflow-instances/" + id + "/notes")).body());
  }

  private static String code(HttpResponse<String> answer) {
    return new JsonObject(answer.body()).getString("code");
  }

  @Test
  void notes_are_kept_in_their_order_with_who_and_when() throws Exception {
    var id = order();
    assertThat(notes(id).getLong("totalCount")).isZero();

    assertThat(note(id, " the bank was asked\n\tat noon ").statusCode()).isEqualTo(201);
    node.post("/workflow-instances/" + id + "/resume", "{}");
    node.node.awaitStatus(id, WorkflowStatus.Completed);
    note(id, "paid <b>by hand</b>");

    var items = notes(id).getJsonArray("items");
    assertThat(items.stream().map(one -> ((JsonObject) one).getString("text")).toList())
        .isEqualTo(List.of("the bank was asked\n\tat noon", "paid <b>by hand</b>"));
    assertThat(items.getJsonObject(0).getString("author")).isEqualTo("127.0.0.1");
    assertThat(Instant.parse(items.getJsonObject(0).getString("at")))
        .isBefore(Instant.parse(items.getJsonObject(1).getString("at")));
    assertThat(
            node.node.number(
                "select count(*) from audit_log where action = 'instance.note' and outcome = 'ok'"
                    + " and subject = $1",
                id.value()))
        .isEqualTo(2);
  }

  @Test
  void what_is_empty_too_long_or_not_seen_is_refused() throws Exception {
    var id = order();

    assertThat(note(id, "x".repeat(2_000)).statusCode()).isEqualTo(201);
    assertThat(code(note(id, "x".repeat(2_001)))).isEqualTo("TOO_LARGE");
    assertThat(code(note(id, "ring\u0007"))).isEqualTo("INVALID_REQUEST");
    assertThat(code(note(id, "red \u001b[31m"))).isEqualTo("INVALID_REQUEST");
    assertThat(code(note(id, " "))).isEqualTo("INVALID_REQUEST");
    assertThat(code(note(new InstanceId("none"), "x"))).isEqualTo("INSTANCE_NOT_FOUND");
    assertThat(notes(new InstanceId("none")).getString("code")).isEqualTo("INSTANCE_NOT_FOUND");
    assertThat(notes(id).getLong("totalCount")).isEqualTo(1);
  }

  @Test
  void an_instance_has_a_bounded_number_of_notes() throws Exception {
    var id = order();
    node.node.number(
        """
        with added as (
          insert into instance_notes (workflow_instance_id, text)
          select $1, 'n' || n from generate_series(1, 499) as n returning 1)
        select count(*) from added
        """,
        id.value());

    assertThat(note(id, "the last").statusCode()).isEqualTo(201);
    assertThat(code(note(id, "one more"))).isEqualTo("TOO_LARGE");
  }

  @Test
  void notes_are_deleted_with_their_instance() throws Exception {
    var id = order();
    note(id, "x");

    assertThat(node.delete("/workflow-instances/" + id).statusCode()).isEqualTo(204);

    assertThat(
            node.node.number(
                "select count(*) from instance_notes where workflow_instance_id = $1", id.value()))
        .isZero();
  }

  @Test
  void a_timer_is_postponed_and_what_has_none_is_refused() throws Exception {
    var id = node.node.start("delayed");
    var bookmark = node.node.get(id).bookmarks().getFirst().id();
    var path = "/workflow-instances/" + id + "/bookmarks/" + bookmark + "/due";
    var body = "{'dueAt':'2099-01-01T00:00:00+01:00'}";

    var changed = node.post(path, body);

    assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
    assertThat(new JsonObject(changed.body()).getLong("revision")).isEqualTo(2);
    assertThat(node.node.get(id).bookmarks().getFirst().dueAt())
        .isEqualTo(Instant.parse("2098-12-31T23:00:00Z"));
    assertThat(code(node.post(path, body))).isEqualTo("ALREADY_RESUMED");
    assertThat(code(node.post(path, "{'dueAt':'tomorrow'}"))).isEqualTo("INVALID_REQUEST");
    assertThat(code(node.post(path, "{}"))).isEqualTo("INVALID_REQUEST");
    var order = order();
    var event = node.node.get(order).bookmarks().getFirst().id();
    assertThat(
            code(node.post("/workflow-instances/" + order + "/bookmarks/" + event + "/due", body)))
        .isEqualTo("ALTERATION_REFUSED");
    assertThat(
            code(
                node.post(
                    "/workflow-instances/" + order + "/bookmarks/" + bookmark + "/due", body)))
        .isEqualTo("BOOKMARK_NOT_FOUND");
  }
}
