package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Elsa's routes that pause the runtime. The forced drain comes last, since it does not end. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RuntimeRoutesIT {
  private static final String PATH = "/admin/workflow-runtime";
  private static HttpNode node;

  @BeforeAll
  static void start() {
    node = new HttpNode(LiveOptions.DEFAULT);
    node.node.publish(OrderWorkflow.JSON);
    node.node.publish(
        """
        {"definitionId": "Hello", "root": {"type": "Elsa.Sequence", "id": "s", "activities": [
          {"type": "Elsa.HttpEndpoint", "id": "in", "canStartWorkflow": true,
           "path": {"typeName": "String", "expression": {"type": "Literal", "value": "hello"}},
           "supportedMethods": {"typeName": "String[]",
             "expression": {"type": "Object", "value": "[\\"GET\\"]"}}}]}}
        """);
  }

  @AfterAll
  static void stop() {
    if (node != null) {
      node.close();
    }
  }

  @AfterEach
  void resume() throws Exception {
    node.post(PATH + "/resume", "{}");
  }

  private static HttpResponse<String> pause(String body) throws Exception {
    return node.post(PATH + "/pause", body);
  }

  private static JsonObject json(HttpResponse<String> answer) {
    return new JsonObject(answer.body());
  }

  private static JsonObject status() throws Exception {
    return json(node.get(node.api(PATH + "/status")));
  }

  private static JsonObject source(JsonObject status) {
    assertThat(status.getJsonArray("sources")).hasSize(1);
    return status.getJsonArray("sources").getJsonObject(0);
  }

  private static long lines(String action) {
    return node.node.number(
        "select count(*) from audit_log where action = $1 and outcome = 'ok'", action);
  }

  @Test
  @Order(1)
  void a_runtime_that_was_never_paused_says_so_in_elsas_words() throws Exception {
    var status = status();

    var state = status.getJsonObject("state");
    assertThat(state.getString("reason")).isEqualTo("None");
    assertThat(state.getBoolean("isAcceptingNewWork")).isTrue();
    assertThat(state.getValue("pausedAt")).isNull();
    assertThat(state.getString("generationId")).isNotEmpty();
    assertThat(source(status).getString("name")).isEqualTo("n1");
    assertThat(source(status).getString("state")).isEqualTo("Running");
    assertThat(status.getInteger("activeExecutionCycleCount")).isZero();
  }

  @Test
  @Order(2)
  void a_pause_refuses_callers_and_says_until_when_to_wait() throws Exception {
    assertThat(node.get(node.uri("/workflows/hello")).statusCode()).isEqualTo(200);

    var paused = pause("{'reason': ' the disk is moved '}");

    assertThat(paused.statusCode()).isEqualTo(200);
    var state = json(paused).getJsonObject("state");
    assertThat(state.getString("reason")).isEqualTo("AdministrativePause");
    assertThat(state.getBoolean("isAcceptingNewWork")).isFalse();
    assertThat(state.getString("pauseReasonText")).isEqualTo("the disk is moved");
    assertThat(state.getString("pauseRequestedBy")).isEqualTo("127.0.0.1");
    assertThat(source(json(paused)).getString("state")).isEqualTo("Paused");
    assertThat(source(json(paused)).getString("lastTransitionAt"))
        .isEqualTo(state.getString("pausedAt"));
    var start = node.post("/workflow-instances", "{'definitionId': '" + OrderWorkflow.ID + "'}");
    var endpoint = node.get(node.uri("/workflows/hello"));
    var lease = node.post("/jobs/lease", "{'types': ['print'], 'worker': 'w'}");
    var event = node.post("/events/Go/trigger", "{}");
    for (var answer : List.of(start, endpoint, lease, event)) {
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
      assertThat(json(answer).getString("code")).isEqualTo("RUNTIME_PAUSED");
      assertThat(answer.headers().firstValue("Retry-After")).hasValue("60");
      assertThat(answer.body()).doesNotContain("the disk is moved");
    }
    assertThat(node.get(node.uri("/health/ready")).statusCode()).isEqualTo(200);
    assertThat(node.get(node.api("/workflow-instances")).statusCode()).isEqualTo(200);

    var resumed = node.post(PATH + "/resume", "");

    assertThat(json(resumed).getJsonObject("state").getString("reason")).isEqualTo("None");
    assertThat(node.get(node.uri("/workflows/hello")).statusCode()).isEqualTo(200);
  }

  @Test
  @Order(3)
  void who_pauses_what_is_paused_changes_nothing_and_each_request_is_audited() throws Exception {
    long before = lines("runtime.pause");
    var first = json(pause("{'reason': 'first'}")).getJsonObject("state");

    var second = json(pause("{'reason': 'second'}")).getJsonObject("state");

    assertThat(second).isEqualTo(first);
    assertThat(lines("runtime.pause")).isEqualTo(before + 2);
    long resumes = lines("runtime.resume");
    node.post(PATH + "/resume", "{}");
    assertThat(json(node.post(PATH + "/resume", "{}")).getJsonObject("state").getString("reason"))
        .isEqualTo("None");
    assertThat(lines("runtime.resume")).isEqualTo(resumes + 2);
  }

  @Test
  @Order(4)
  void a_pause_that_is_badly_asked_for_changes_nothing() throws Exception {
    var bad =
        Map.of(
            "{'reason': 7}",
            "INVALID_REQUEST",
            "{'reason': 'a\\u0007b'}",
            "INVALID_REQUEST",
            "{'reason': 'a\\u0000b'}",
            "UNSTORABLE_TEXT",
            "[]",
            "INVALID_JSON",
            "{'reason'",
            "INVALID_JSON",
            "{'reason': '" + "x".repeat(256) + "'}",
            "TOO_LARGE");
    for (var each : bad.entrySet()) {
      for (var path : List.of("/pause", "/force-drain")) {
        var answer = node.post(PATH + path, each.getKey());
        assertThat(json(answer).getString("code")).as(each.getKey()).isEqualTo(each.getValue());
      }
    }

    assertThat(status().getJsonObject("state").getBoolean("isAcceptingNewWork")).isTrue();
    assertThat(pause("{'reason': '" + "x".repeat(255) + "'}").statusCode()).isEqualTo(200);
  }

  @Test
  @Order(5)
  void durations_are_written_as_net_does() {
    assertThat(RuntimeRoutes.timeSpan(Duration.ofMillis(3_723_004))).isEqualTo("01:02:03.0040000");
    assertThat(RuntimeRoutes.timeSpan(Duration.ZERO)).isEqualTo("00:00:00.0000000");
  }

  @Test
  @Order(9)
  void a_forced_drain_lasts_until_the_nodes_start_again() throws Exception {
    var drained = node.post(PATH + "/force-drain", "{'reason': 'now'}");

    assertThat(drained.statusCode()).isEqualTo(200);
    var outcome = json(drained).getJsonObject("outcome");
    assertThat(outcome.getString("overallResult")).isEqualTo("Forced");
    assertThat(Instant.parse(outcome.getString("completedAt")))
        .isAfterOrEqualTo(Instant.parse(outcome.getString("startedAt")));
    assertThat(outcome.getString("waitPhaseDuration")).startsWith("00:00:0");
    assertThat(outcome.getInteger("executionCyclesForceCancelledCount")).isZero();
    assertThat(status().getJsonObject("state").getString("reason")).isEqualTo("Drain");
    var start = node.post("/workflow-instances", "{'definitionId': '" + OrderWorkflow.ID + "'}");
    assertThat(start.statusCode()).isEqualTo(503);

    pause("{}");
    var resume = node.post(PATH + "/resume", "{}");

    assertThat(resume.statusCode()).isEqualTo(409);
    assertThat(json(resume).getString("code")).isEqualTo("RUNTIME_DRAINING");
    assertThat(json(resume).getString("detail")).contains("n1");
    var state = status().getJsonObject("state");
    assertThat(state.getString("reason")).isEqualTo("AdministrativePause, Drain");
    assertThat(state.getString("drainStartedAt")).isNotEmpty();
  }
}
