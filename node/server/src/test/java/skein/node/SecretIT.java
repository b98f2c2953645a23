package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.node.Http.Answer;

/** What is given to a node, wherever, is in no log, no refusal and no metric. */
@ExtendWith(TestClusters.class)
@TestInstance(Lifecycle.PER_CLASS)
class SecretIT {
  private static final String SECRET = "Canary7Qx-4417-hunter2";
  private static final String START = "/elsa/api/workflow-instances";
  private static final JsonObject SECRETS =
      new JsonObject()
          .put("password", SECRET)
          .put("card", new JsonObject().put("number", List.of(SECRET)));
  private static final Map<String, String> HEADERS =
      Map.of(
          "Authorization", "Bearer " + SECRET,
          "Cookie", "session=" + SECRET,
          "X-Api-Key", SECRET);

  private final TestCluster cluster;
  private final String password;
  private final List<Answer> refusals = new ArrayList<>();

  SecretIT(TestPostgres postgres) {
    password = postgres.password();
    cluster =
        TestClusters.another(
            postgres,
            "secret",
            1,
            Map.of("logging.level", "debug", "http.body-bytes-max", "64KiB"));
    cluster.startAll();
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @Test
  void a_secret_that_is_put_in_everywhere_comes_out_nowhere() {
    var api = cluster.api(0);
    api.publish(Workflows.approval("waits"));
    api.publish(Workflows.delayFromInput("converts"));
    api.publish(Workflows.task("asks"));

    accepted(api);
    refused(api);
    var metrics = api.http().get("/metrics").orThrow().body();

    assertThat(refusals).hasSizeGreaterThan(10).allMatch(answer -> answer.status() >= 400);
    assertThat(refusals).noneMatch(answer -> answer.body().contains(SECRET));
    assertThat(metrics).contains("skein_").doesNotContain(SECRET);
    assertThat(cluster.node(0).output().stream().filter(line -> line.contains(SECRET)))
        .as("lines of the log")
        .isEmpty();
    assertThat(cluster.node(0).output().stream().filter(line -> line.contains(password)))
        .as("lines with the password of the database")
        .isEmpty();
    assertThat(
            cluster
                .sql()
                .number(
                    "select count(*) from workflow_instances where definition_id = 'waits' and"
                        + " status = 'Completed'"))
        .as("what was accepted was executed")
        .isEqualTo(3);
  }

  private void accepted(Api api) {
    var start = new JsonObject().put("definitionId", "waits").put("input", SECRETS);
    for (var way : List.of("resume", "event", "token")) {
      var id = api.start(start, HEADERS).orThrow().json().getString("id");
      var input = new JsonObject().put("input", SECRETS);
      switch (way) {
        case "resume" -> api.http().post(START + "/" + id + "/resume", input, HEADERS).orThrow();
        case "event" ->
            api.http()
                .post(
                    "/elsa/api/events/Approve/trigger",
                    new JsonObject().put("workflowInstanceId", id).put("input", SECRETS),
                    HEADERS)
                .orThrow();
        default -> {
          var token = api.mint(id + "-1", new JsonObject()).orThrow().json().getString("token");
          api.http().post("/workflows/resume/" + token, SECRETS, HEADERS).orThrow();
          refusals.add(api.http().post("/workflows/resume/" + token, SECRETS, HEADERS));
        }
      }
      refusals.add(api.http().post(START + "/" + id + "/resume", input, HEADERS));
    }
    api.start(
            new JsonObject()
                .put("definitionId", "converts")
                .put("input", new JsonObject().put("wait", SECRET)),
            HEADERS)
        .orThrow();
    api.start(new JsonObject().put("definitionId", "asks").put("input", SECRETS)).orThrow();
  }

  private void refused(Api api) {
    var http = api.http();
    for (var body :
        List.of(
            new JsonObject().put("definitionId", "is-not-there").put("input", SECRETS),
            new JsonObject().put("definitionId", "waits").put("input", SECRET),
            new JsonObject().put("definitionId", List.of(SECRET)),
            new JsonObject()
                .put("definitionId", "waits")
                .put("input", Map.of("text", SECRET + '\u0000')),
            new JsonObject()
                .put("definitionId", "waits")
                .put("input", Map.of("long", SECRET.repeat(10_000))))) {
      refusals.add(http.post(START, body, HEADERS));
    }
    for (var text :
        List.of(
            "{\"definitionId\":\"waits\",\"input\":{\"password\":\"" + SECRET + "\"",
            "{\"password\":" + SECRET + "}",
            SECRET,
            "[".repeat(500) + '"' + SECRET + '"' + "]".repeat(500))) {
      refusals.add(http.postText(START, text));
    }
    refusals.add(http.get("/elsa/api/nothing-is-here?password=" + SECRET));
    refusals.add(http.post("/workflows/resume/" + SECRET, SECRETS, HEADERS));
    refusals.add(
        http.post(
            "/elsa/api/tasks/none/complete", new JsonObject().put("result", SECRETS), HEADERS));
    refusals.add(
        http.post("/elsa/api/workflow-definitions", new JsonObject().put("model", SECRET)));
    assertThat(refusals.stream().collect(Collectors.groupingBy(Answer::status))).containsKey(400);
  }
}
