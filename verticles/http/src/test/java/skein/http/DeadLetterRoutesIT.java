package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import skein.model.InstanceId;
import skein.model.WorkflowStatus;
import skein.storage.TestDatabase;

/**
 * Deliveries of events that keep failing, over HTTP. One of two receivers cannot be read until its
 * state is put right, by a node that has no copy of it.
 */
@Tag("long")
class DeadLetterRoutesIT {
  private static final String PATH = "/bookmark-queue/dead-letters";
  private static final Duration MAX = Duration.ofSeconds(20);

  /** What is due within it a leader knows already. */
  private static final Duration HORIZON = Duration.ofSeconds(2);

  private static final String WAITS =
      """
      {"definitionId": "Waits", "root": {"type": "Elsa.Event", "id": "wait",
        "eventName": {"typeName": "String", "expression": {"type": "Literal", "value": "Go"}}}}
      """;

  private HttpNode node;
  private InstanceId sound;
  private InstanceId broken;

  @BeforeEach
  void start() throws Exception {
    var schema = TestDatabase.newSchema();
    try (var first = new HttpNode(schema, LiveOptions.DEFAULT)) {
      first.node.publish(WAITS);
      sound = first.node.start("Waits");
      broken = first.node.start("Waits");
    }
    node = new HttpNode(schema, LiveOptions.DEFAULT);
    node.node.number(
        "with kept as (update workflow_instances set state = '\\x00'::bytea || state where id = $1"
            + " returning 1) select count(*) from kept",
        broken.value());
    var answer = node.post("/events/Go/trigger", "{}");
    assertThat(answer.statusCode()).as(answer.body()).isLessThan(300);
    assertThat(eventually(() -> letters("").getInteger("totalCount") == 1)).isTrue();
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private void repair() {
    node.node.number(
        "with kept as (update workflow_instances set state = substring(state from 2) where id = $1"
            + " returning 1) select count(*) from kept",
        broken.value());
  }

  private boolean eventually(BooleanSupplier condition) {
    long end = System.nanoTime() + MAX.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        return false;
      }
      node.node.vertx.timer(50).await();
    }
    return true;
  }

  private JsonObject letters(String query) {
    return get(node.api(PATH + query));
  }

  private JsonObject get(URI uri) {
    try {
      return json(node.get(uri));
    } catch (Exception e) {
      throw new AssertionError(uri.toString(), e);
    }
  }

  private static JsonObject json(HttpResponse<String> answer) {
    return new JsonObject(answer.body());
  }

  private JsonObject letter() {
    return letters("").getJsonArray("items").getJsonObject(0);
  }

  @Test
  void a_delivery_that_keeps_failing_is_listed_with_its_last_failure() throws Exception {
    var letter = letter();

    assertThat(node.node.awaitStatus(sound, WorkflowStatus.Completed).status())
        .as("the other receiver")
        .isEqualTo(WorkflowStatus.Completed);
    assertThat(letter.getString("workflowInstanceId")).isEqualTo(broken.value());
    assertThat(letter.getString("bookmarkId")).isEqualTo(broken + "-1");
    assertThat(letter.getString("activityTypeName")).isEqualTo("Elsa.Event");
    assertThat(letter.getString("reason")).isEqualTo("Failed");
    assertThat(letter.getInteger("deliveryAttempts")).isGreaterThanOrEqualTo(3);
    assertThat(letter.getString("lastErrorType")).isEqualTo("INVALID_REQUEST");
    assertThat(letter.getString("originalQueueItemId")).endsWith("/" + broken + "-1");
    assertThat(Instant.parse(letter.getString("deadLetteredAt")))
        .isBefore(Instant.parse(letter.getString("lastAttemptedAt")));
    assertThat(letter.getBoolean("canReplay")).isTrue();
    assertThat(letters("?workflowInstanceId=" + broken).getInteger("totalCount")).isEqualTo(1);
    assertThat(letters("?workflowInstanceId=" + sound).getInteger("totalCount")).isZero();
    assertThat(letters("?page=1&pageSize=1").getJsonArray("items")).isEmpty();
    var queried = node.post(PATH, "{'workflowInstanceId': '" + broken + "', 'pageSize': 1}");
    assertThat(json(queried).getJsonArray("items")).hasSize(1);
    assertThat(get(node.api(PATH + "/" + letter.getString("id"))).getString("id"))
        .isEqualTo(letter.getString("id"));
  }

  @Test
  void what_is_replayed_is_delivered_once_and_is_no_letter_any_more() throws Exception {
    var id = letter().getString("id");
    var early = node.post(PATH + "/" + id + "/replay", "");
    assertThat(json(early).getString("code")).isEqualTo(letter().getString("lastErrorType"));
    assertThat(letters("").getInteger("totalCount")).isEqualTo(1);
    repair();

    var replayed = node.post(PATH + "/" + id + "/replay", "");

    // The scheduler, which tries again too, may have come first.
    assertThat(replayed.statusCode()).isIn(200, 404);
    assertThat(node.node.awaitStatus(broken, WorkflowStatus.Completed).status())
        .isEqualTo(WorkflowStatus.Completed);
    assertThat(
            node.node.number(
                "select count(*) from journal where workflow_instance_id = $1", broken.value()))
        .isEqualTo(2);
    assertThat(letters("").getInteger("totalCount")).isZero();
    assertThat(node.post(PATH + "/" + id + "/replay", "").statusCode()).isEqualTo(404);
    assertThat(
            node.node.number("select count(*) from audit_log where action = 'dead-letter.replay'"))
        .isEqualTo(3);
  }

  @Test
  void what_is_deleted_is_not_delivered_by_later_attempts() throws Exception {
    var id = letter().getString("id");

    assertThat(node.delete(PATH + "/" + id).statusCode()).isEqualTo(204);

    assertThat(node.delete(PATH + "/" + id).statusCode()).isEqualTo(404);
    assertThat(letters("").getInteger("totalCount")).isZero();
    assertThat(node.node.number("select count(*) from timers")).isZero();
    node.node.vertx.timer(HORIZON.plusSeconds(3).toMillis()).await();
    repair();
    node.node.vertx.timer(HORIZON.plusSeconds(1).toMillis()).await();
    assertThat(node.node.get(broken).status()).isEqualTo(WorkflowStatus.Suspended);
  }

  @Test
  void other_timers_and_ids_of_nothing_are_no_letters() throws Exception {
    node.node.publish(
        """
        {"definitionId": "Long", "root": {"type": "Elsa.Delay", "id": "rest",
         "timeSpan": {"typeName": "TimeSpan",
           "expression": {"type": "Literal", "value": "01:00:00"}}}}
        """);
    var delayed = node.node.start("Long") + "-1";

    for (var id : List.of(delayed, "none", "%00", "x'%20or%201=1", "a".repeat(300))) {
      for (var method : List.of("GET", "DELETE", "POST")) {
        var path = PATH + "/" + id + (method.equals("POST") ? "/replay" : "");
        assertThat(node.send(method, path, "").statusCode())
            .as(method + " " + id)
            .isBetween(400, 499);
      }
    }

    assertThat(node.node.number("select count(*) from timers where id = $1", delayed))
        .as("still there")
        .isEqualTo(1);
    for (var query : List.of("?pageSize=0", "?pageSize=9999", "?page=-1", "?page=x")) {
      assertThat(node.get(node.api(PATH + query)).statusCode()).as(query).isEqualTo(400);
    }
  }
}
