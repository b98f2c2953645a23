package skein.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.node.dev.Ports;

/** The patterns of the guide, from the files that users start from. */
@ExtendWith(TestClusters.class)
@Tag("long")
class PatternsIT {
  private static final Path CONF = Path.of("../../conf");
  private static final String GUIDES_HOST = "https://elsa.example.com";

  /** As the guide's CronJob has it. */
  private static final String GUIDES_CURL =
      """
      curl -X POST https://elsa.example.com/elsa/api/workflow-instances \\
        -H "Content-Type: application/json" \\
        -d '{"definitionId": "DailyReport", "input": {}}'
      """;

  @Test
  void a_scheduler_node_leads_and_workers_never_do(TestPostgres postgres) {
    var worker = pattern("http-worker.yaml");
    var scheduler = pattern("scheduler-node.yaml");
    scheduler.replace("management.port", Ports.free(1).getFirst().toString());
    try (var cluster =
        TestClusters.another(postgres, "pattern2", 2, Map.of(), List.of(scheduler, worker))) {
      cluster.node(0).start();
      assertThat(Eventually.isTrue(Duration.ofSeconds(60), () -> awaitsExecutor(cluster.node(0))))
          .isTrue();
      cluster.startAll();
      cluster.api(1).publish(Workflows.delay("TimerTest", 1));
      var id = cluster.api(1).start("TimerTest");

      assertThat(completes(cluster, id)).isTrue();
      assertThat(new Leaders(cluster).names(1).values()).containsExactly("n1");
      assertThat(cluster.node(1).output()).noneMatch(line -> line.contains("leader.elected"));
      var state = cluster.node(1).http().get("/elsa/api/scheduler").orThrow().json();
      assertThat(state.getString("mode")).isEqualTo("leader");
      assertThat(state.getJsonArray("leaders").getJsonObject(0).getString("node")).isEqualTo("n1");
      answersHealthAndMetricsAlone(cluster.node(0));
    }
  }

  private static void answersHealthAndMetricsAlone(ServerProcess node) {
    assertThat(node.management().get("/health/live").status()).isEqualTo(200);
    assertThat(node.management().get("/metrics").status()).isEqualTo(200);
    for (var path :
        List.of("/", "/elsa/api/scheduler", "/elsa/api/locks", "/console", "/workflows/a")) {
      assertThat(node.management().get(path).status()).as(path).isEqualTo(404);
    }
    assertThatThrownBy(() -> node.http().get("/health/live"))
        .hasCauseInstanceOf(ConnectException.class);
  }

  /** It may come first. */
  private static boolean awaitsExecutor(ServerProcess node) {
    return node.output().stream().anyMatch(line -> line.contains("cluster.awaits_executor"));
  }

  @Test
  void without_a_scheduler_a_cron_job_starts_workflows_and_fires_what_is_due(
      TestPostgres postgres) {
    var settings = pattern("external-scheduler.yaml");
    try (var cluster = TestClusters.another(postgres, "pattern4", 1, settings)) {
      cluster.startAll();
      var api = cluster.api(0);
      api.publish(Workflows.delay("DailyReport", 1));

      var answer = new JsonObject(run(GUIDES_CURL.replace(GUIDES_HOST, url(cluster))));
      var id = answer.getString("workflowInstanceId");
      assertThat(answer.getString("id")).isEqualTo(id);
      assertThat(api.instance(id).getString("status")).isEqualTo("Running");

      assertThat(
              cluster.node(0).http().get("/elsa/api/scheduler").orThrow().json().getString("mode"))
          .isEqualTo("none");
      boolean fired =
          Eventually.isTrue(
              Duration.ofSeconds(20),
              () ->
                  cluster
                          .node(0)
                          .http()
                          .post("/elsa/api/timers/fire")
                          .orThrow()
                          .json()
                          .getInteger("fired")
                      == 1);
      assertThat(fired).isTrue();
      assertThat(completes(cluster, id)).isTrue();
      assertThat(cluster.node(0).output()).noneMatch(line -> line.contains("leader.elected"));
    }
  }

  @Test
  void the_command_line_shows_timers_and_leaders(TestCluster cluster) throws Exception {
    cluster.api(0).publish(Workflows.delay("far", 3_600));
    var id = cluster.api(0).start("far");
    var url = "--url=" + url(cluster);

    var listed = new JsonObject(command("timers", "list", "--instance", id, "-o", "json", url));
    assertThat(listed.getInteger("totalCount")).isEqualTo(1);
    var timer = listed.getJsonArray("items").getJsonObject(0);
    assertThat(timer.getString("definitionId")).isEqualTo("far");

    assertThat(command("timers", "show", timer.getString("id"), url))
        .contains("workflowInstanceId  " + id);
    assertThat(command("timers", "leader", url)).contains("mode leader", "scheduler-0-of-1");
    assertThat(command("timers", "list", url)).contains("DUE-AT", id);
    assertThat(command("timers", "show", "none", url)).contains("NOT_FOUND");
  }

  private static String command(String... arguments) throws Exception {
    try (var skein = Skein.start(arguments)) {
      skein.awaitEnd();
      return String.join("\n", skein.output());
    }
  }

  /** Asks the last node: the first one may have no API. */
  private static boolean completes(TestCluster cluster, String id) {
    return Eventually.isTrue(
        Duration.ofSeconds(30),
        () -> cluster.api(-1).instance(id).getString("subStatus").equals("Finished"));
  }

  private static String url(TestCluster cluster) {
    return cluster.node(0).http().base().toString();
  }

  /** A section, or a setting in one: its name and its value, without the brackets of a list. */
  private static final Pattern ENTRY = Pattern.compile("( *)([a-z-]+): *\\[?([^\\]#]*).*");

  private static final Set<String> SHARING =
      Set.of("node.roles", "scheduler.mode", "scheduler.shards", "management.port");

  /** The settings of a file that say how nodes share out the work. */
  private static Map<String, String> pattern(String file) {
    try {
      var found = new LinkedHashMap<String, String>();
      var section = "";
      for (var line : Files.readAllLines(CONF.resolve(file))) {
        var entry = ENTRY.matcher(line);
        if (!entry.matches()) {
          continue;
        }
        if (entry.group(1).isEmpty()) {
          section = entry.group(2);
        } else if (SHARING.contains(section + "." + entry.group(2))) {
          found.put(section + "." + entry.group(2), entry.group(3).strip().replace(" ", ""));
        }
      }
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String run(String command) {
    try {
      var process = new ProcessBuilder("/bin/sh", "-c", command).start();
      var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(output).isZero();
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
