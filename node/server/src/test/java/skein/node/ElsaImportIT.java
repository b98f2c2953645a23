package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What Elsa has goes on in a cluster, read from its tables and from its API. */
@ExtendWith(TestClusters.class)
@Tag("long")
class ElsaImportIT {
  private static final Duration DONE_MAX = Duration.ofSeconds(60);
  private static final String RUNTIME = "/elsa/api/admin/workflow-runtime/";

  @TempDir Path folder;
  private String cluster = "";

  private record Result(int code, String out, String err) {
    JsonObject json() {
      return new JsonObject(out);
    }

    /** What becomes of each, or why it is left, by kind, id and version. */
    Map<String, String> items() {
      var items = new TreeMap<String, String>();
      for (var item : Api.objects(json().getJsonArray("items"))) {
        var version = item.getInteger("version");
        items.put(
            item.getString("kind")
                + " "
                + item.getString("id")
                + (version == null ? "" : " " + version),
            item.getString("reason") == null ? item.getString("action") : item.getString("reason"));
      }
      return items;
    }
  }

  private Result run(String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    var all = new ArrayList<>(List.of("elsa", "import", "--to=" + cluster, "-o", "json"));
    all.addAll(List.of(arguments));
    int code =
        Main.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(all.toArray(String[]::new));
    return new Result(code, out.toString(), err.toString());
  }

  private static ElsaData data() {
    var data = new ElsaData();
    var first =
        ElsaData.definition("elsa-paid", 1, ElsaData.event("Paid"), 1)
            .put("isLatest", false)
            .put("isPublished", false);
    var second = ElsaData.definition("elsa-paid", 4, ElsaData.event("Paid"), 100);
    var task = ElsaData.definition("elsa-task", 1, ElsaData.task("Pack"), 2);
    var delay = ElsaData.definition("elsa-delay", 2, ElsaData.delay(), 3);
    var code = ElsaData.definition("elsa-code", 1, ElsaData.delay(), 3).put("materializer", "CLR");
    data.definitions.addAll(
        List.of(
            first,
            second,
            task,
            delay,
            code,
            ElsaData.definition("elsa-timer", 1, ElsaData.timer(), 0)));
    var paid = new JsonObject().put("eventName", "Paid").put("_type", "EventStimulus");
    data.waiting("elsa-1", first, "Elsa.Event", paid);
    data.waiting("elsa-2", second, "Elsa.Event", paid);
    data.waiting(
        "elsa-3",
        task,
        "Elsa.RunTask",
        new JsonObject()
            .put("taskId", "7e57")
            .put("taskName", "Pack")
            .put("_type", "RunTaskStimulus"));
    data.waiting("elsa-4", delay, "Elsa.Delay", ElsaData.resumeAt(Instant.now().plusSeconds(1)));
    data.waiting("elsa-5", second, "Acme.Wait", new JsonObject());
    data.labels.put("l1", "Finance");
    data.labels.put("l2", "Old");
    data.labelled.put("elsa-paid-v4", "l1");
    return data;
  }

  @Test
  void what_waits_in_elsa_goes_on_here_once(TestPostgres postgres) throws Exception {
    var data = data();
    var key = Files.writeString(folder.resolve("key"), ElsaServer.KEY + "\n").toString();
    var password = Files.writeString(folder.resolve("password"), postgres.password()).toString();
    try (var nodes = TestClusters.another(postgres, "elsaimport", 2, Map.of());
        var sql = new Sql(postgres, "public");
        var elsa = new ElsaServer(data)) {
      var tables = new ElsaSchema(sql);
      tables.fill(data);
      tables.compressOtherwise("elsa-2");
      nodes.startAll();
      cluster = nodes.node(0).http().base().toString();
      var api = new String[] {"--url=" + elsa.url(), "--api-key-file=" + key};
      var database =
          new String[] {"--database=" + postgres.uri(), "--database-password-file=" + password};

      assertThat(run("--url=" + elsa.url()).err()).contains("HTTP 401");
      assertDryRun(run(with(api, "--dry-run")), nodes);
      pause(nodes, "pause");
      assertTakenFromTables(run(with(database, "--elsa-stopped")));
      var stopped = with(api, "--elsa-stopped");
      elsa.paused = false;
      assertThat(run(stopped).items()).containsEntry("instance elsa-2", "ELSA_MAY_RUN");
      elsa.paused = true;
      assertThat(run(api).items()).containsEntry("instance elsa-2", "ELSA_MAY_RUN");
      assertTakenFromApi(run(stopped));
      assertSameAgain(run(stopped));
      assertThat(elsa.refused()).isEmpty();
      pause(nodes, "resume");
      assertAllGoOn(nodes);
      assertOverwriting(data, stopped, nodes);
    }
  }

  private static String[] with(String[] options, String... more) {
    var all = new ArrayList<>(List.of(options));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private static void pause(TestCluster nodes, String what) {
    nodes
        .node(0)
        .http()
        .post(RUNTIME + what, new JsonObject().put("reason", "move from Elsa"))
        .orThrow();
  }

  private static void assertDryRun(Result dry, TestCluster nodes) {
    assertThat(dry.code()).as(dry.err()).isEqualTo(1);
    assertThat(dry.items())
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry("definition elsa-paid 1", "take"),
                Map.entry("definition elsa-paid 4", "take"),
                Map.entry("definition elsa-task 1", "take"),
                Map.entry("definition elsa-delay 2", "take"),
                Map.entry("definition elsa-code 1", "NOT_JSON"),
                Map.entry("definition elsa-timer 1", "ELSA_MAY_RUN"),
                Map.entry("label Finance", "take"),
                Map.entry("label Old", "LABEL_UNUSED"),
                Map.entry("instance elsa-1", "ELSA_MAY_RUN"),
                Map.entry("instance elsa-2", "ELSA_MAY_RUN"),
                Map.entry("instance elsa-3", "ELSA_MAY_RUN"),
                Map.entry("instance elsa-4", "ELSA_MAY_RUN"),
                Map.entry("instance elsa-5", "BOOKMARK_UNSUPPORTED")));
    var listed = nodes.node(1).http().get("/elsa/api/workflow-definitions").orThrow().json();
    assertThat(listed.getJsonArray("items")).isEmpty();
  }

  private static void assertTakenFromTables(Result taken) {
    assertThat(taken.code()).as(taken.err()).isEqualTo(1);
    assertThat(taken.items())
        .containsEntry("definition elsa-paid 1", "taken")
        .containsEntry("definition elsa-paid 4", "taken")
        .containsEntry("definition elsa-timer 1", "taken")
        .containsEntry("definition elsa-code 1", "NOT_JSON")
        .containsEntry("label Finance", "taken")
        .containsEntry("instance elsa-1", "taken")
        .containsEntry("instance elsa-2", "STATE_COMPRESSED")
        .containsEntry("instance elsa-3", "taken")
        .containsEntry("instance elsa-4", "taken")
        .containsEntry("instance elsa-5", "BOOKMARK_UNSUPPORTED");
    assertThat(taken.json().getInteger("taken")).isEqualTo(9);
  }

  /** What the tables gave is the same as what the API gives. */
  private static void assertTakenFromApi(Result taken) {
    assertThat(taken.items())
        .containsEntry("definition elsa-paid 1", "same")
        .containsEntry("definition elsa-paid 4", "same")
        .containsEntry("definition elsa-task 1", "same")
        .containsEntry("definition elsa-delay 2", "same")
        .containsEntry("definition elsa-timer 1", "same")
        .containsEntry("instance elsa-1", "same")
        .containsEntry("instance elsa-2", "taken")
        .containsEntry("instance elsa-3", "same")
        .containsEntry("instance elsa-4", "same");
  }

  private static void assertSameAgain(Result again) {
    assertThat(again.json().getInteger("taken")).isZero();
    assertThat(again.json().getInteger("same")).isEqualTo(10);
  }

  private static void assertAllGoOn(TestCluster nodes) {
    var http = nodes.node(1).http();
    for (var id : List.of("elsa-1", "elsa-2")) {
      http.post("/elsa/api/events/Paid/trigger", new JsonObject().put("workflowInstanceId", id))
          .orThrow();
    }
    http.post("/elsa/api/tasks/7e57/complete", new JsonObject().put("result", 1)).orThrow();
    var sums = Map.of("elsa-1", 13, "elsa-2", 112, "elsa-3", 14, "elsa-4", 15);
    sums.forEach((id, sum) -> {
      assertThat(Eventually.isTrue(DONE_MAX, () -> isFinished(nodes, id))).as(id).isTrue();
      var state = nodes.api(0).instance(id).getJsonObject("workflowState");
      assertThat(state.getJsonObject("output").getInteger("Sum")).as(id).isEqualTo(sum);
      assertThat(state.getString("correlationId")).isEqualTo("c-" + id);
    });
    var definition =
        http.get("/elsa/api/workflow-definitions/elsa-paid?versionOptions=Published")
            .orThrow()
            .json();
    assertThat(definition.getInteger("version")).isEqualTo(2);
    assertThat(definition.getJsonObject("customProperties").getJsonArray("labels"))
        .containsExactly("Finance");
  }

  private static boolean isFinished(TestCluster nodes, String id) {
    return nodes.api(1).instance(id).getString("subStatus").equals("Finished");
  }

  /** Instances stay what they are; definitions get another version. */
  private void assertOverwriting(ElsaData data, String[] api, TestCluster nodes) {
    var changed = ElsaData.definition("elsa-task", 2, ElsaData.task("Pack"), 5);
    var before =
        data.definitions.stream()
            .filter(definition -> definition.getString("definitionId").equals("elsa-task"))
            .findFirst()
            .orElseThrow();
    data.definitions.remove(before);
    data.definitions.add(changed);
    data.states.remove("elsa-3");

    var left = run(api);
    assertThat(left.items())
        .containsEntry("definition elsa-task 2", "DIFFERS")
        .containsEntry("instance elsa-1", "DIFFERS")
        .containsEntry("instance elsa-4", "DIFFERS");
    assertThat(left.out()).contains("nowhere in the cluster");
    assertThat(left.json().getInteger("taken")).isZero();

    var overwritten = run(with(api, "--overwrite"));
    assertThat(overwritten.items())
        .containsEntry("definition elsa-task 2", "taken")
        .containsEntry("definition elsa-paid 4", "same")
        .containsEntry("instance elsa-1", "DIFFERS");
    var published =
        nodes
            .node(1)
            .http()
            .get("/elsa/api/workflow-definitions/elsa-task?versionOptions=Published")
            .orThrow()
            .json();
    assertThat(published.getInteger("version")).isEqualTo(2);
  }
}
