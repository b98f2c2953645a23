package skein.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.node.GuideCommands.Command;

/** What the guide prints to be typed, typed: on three nodes, with the examples published. */
@ExtendWith(TestClusters.class)
class GuideIT {
  private static final Path EXAMPLES = Path.of("../../conf/examples");
  private static final String DEFINITION = "guide-greeting";
  private static final Duration SOON = Duration.ofSeconds(20);

  /** Bodies, and the status of each answer on a line of its own. */
  private static final String CURL = "curl() { command curl -s -w '\\n%{http_code}\\n' \"$@\"; }\n";

  @Test
  void every_request_is_answered_as_the_guide_says(TestCluster cluster) {
    publishExamples(cluster);
    cluster.api(0).publish(Workflows.lines(DEFINITION, "Hello"));

    for (var command : GuideCommands.requests()) {
      var instance = cluster.api(0).start("ApprovalWorkflow");
      var statuses =
          shell(CURL + typed(cluster, command.text(), instance), "")
              .lines()
              .filter(line -> line.matches("\\d{3}"))
              .toList();

      assertThat(statuses).as("statuses for line %d", command.line()).isNotEmpty();
      if (command.text().contains("/resume")) {
        assertThat(statuses).filteredOn("200"::equals).hasSize(1);
        assertThat(statuses).filteredOn(status -> !status.equals("200")).containsOnly("409");
        assertThat(cluster.api(1).instance(instance).getString("subStatus")).isEqualTo("Finished");
      } else {
        assertThat(statuses).as("line %d", command.line()).containsExactly(expected(command));
      }
    }
  }

  private static String expected(Command command) {
    boolean starts = command.text().contains("POST");
    return starts ? "201" : "200";
  }

  @Test
  void every_search_in_the_logs_finds_its_line(TestCluster cluster) {
    publishExamples(cluster);
    var timed = cluster.api(0).start("TimerTest");
    var approved = cluster.api(1).start("ApprovalWorkflow");
    cluster.api(2).resume(approved).orThrow();
    cluster.api(0).update(Workflows.lines(DEFINITION, "Hello", "again")).orThrow();

    var fired =
        Eventually.get(
            SOON,
            () -> ofInstance(cluster, "Quartz job executed: ResumeWorkflowTask for", timed),
            bookmarks -> !bookmarks.isEmpty());

    assertThat(fired).as("what a timer resumed").hasSize(1);
    assertThat(ofInstance(cluster, "ResumeWorkflowTask executed for", approved)).hasSize(1);
    assertThat(ofInstance(cluster, "Quartz job executed: ResumeWorkflowTask for", approved))
        .as("what no timer resumed")
        .isEmpty();
    for (var command : GuideCommands.searches()) {
      for (var log : logs(cluster, command)) {
        assertThat(shell(command.text().replaceFirst("^[^|]*", "cat "), log))
            .as("line %d: %s", command.line(), command.text())
            .isNotBlank();
      }
    }
  }

  /** Of one node after the other, where the guide looks into one; else of all together. */
  private static List<String> logs(TestCluster cluster, Command command) {
    var each =
        cluster.nodes().stream().map(node -> String.join("\n", node.output()) + "\n").toList();
    return command.text().contains("-l app=") ? List.of(String.join("", each)) : each;
  }

  private static List<String> ofInstance(TestCluster cluster, String words, String instance) {
    return cluster.logged(words + " bookmark ").stream()
        .filter(bookmark -> bookmark.startsWith(instance + "-"))
        .toList();
  }

  @Test
  void every_statement_runs_without_naming_the_schema(TestCluster cluster, TestPostgres postgres) {
    publishExamples(cluster);
    try (var psql = new Psql(postgres.uri(), postgres.password())) {
      runStatements(psql);

      var late = cluster.api(0).start("DelayedTimerWorkflow");
      var soon = cluster.api(0).start("TimerTest");
      assertThat(instances(psql, "SELECT * FROM qrtz_triggers", "description"))
          .contains(soon, late);
      assertThat(psql.rows("SELECT * FROM qrtz_scheduler_state"))
          .extracting(row -> row.getString("instance_name"))
          .containsExactlyInAnyOrder("n1", "n2", "n3");
      assertThat(fired(psql)).anyMatch(name -> name.startsWith(soon));
      assertThat(fired(psql)).noneMatch(name -> name.startsWith(late));
    }
  }

  /** All SQL statements of the guide; the one that creates the user is refused: it exists. */
  static void runStatements(Psql psql) {
    for (var command : GuideCommands.statements()) {
      if (command.sql().startsWith("CREATE USER")) {
        assertThatThrownBy(() -> psql.rows(command.sql())).hasMessageContaining("already exists");
      } else {
        assertThat(psql.rows(command.sql())).as("line %d", command.line()).isNotNull();
      }
    }
  }

  private static List<String> fired(Psql psql) {
    return instances(psql, "SELECT * FROM qrtz_fired_triggers", "trigger_name");
  }

  private static List<String> instances(Psql psql, String sql, String column) {
    return psql.rows(sql).stream().map((Row row) -> row.getString(column)).toList();
  }

  private static void publishExamples(TestCluster cluster) {
    try (var files = Files.list(EXAMPLES)) {
      for (var file : files.filter(Files::isRegularFile).sorted().toList()) {
        cluster.api(0).publish(new JsonObject(Files.readString(file)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** With the hosts and ids of this cluster. */
  private static String typed(TestCluster cluster, String text, String instance) {
    var first = cluster.node(0).http().base().toString();
    var command =
        text.replace("workflow-instances/<id>", "workflow-instances/" + instance)
            .replace("<id>", DEFINITION)
            .replace("{...updated definition...}", Workflows.lines(DEFINITION, "Hi").encode())
            .replace("https://elsa.example.com", first)
            .replace("http://elsa-service", first);
    for (int i = 0; i < 3; i++) {
      var base = cluster.node(i).http().base().toString();
      var port = "http://localhost:500" + (i + 1);
      command = command.replace("http://node" + (i + 1), base).replace(port, base);
    }
    return command;
  }

  /** What it writes; of a search that finds nothing, nothing. */
  private static String shell(String script, String input) {
    try {
      var errors = TestClusters.folder().resolve("guide-errors.txt").toFile();
      var file = Files.writeString(TestClusters.folder().resolve("guide-input.txt"), input);
      var process =
          new ProcessBuilder("bash", "-c", script)
              .redirectInput(file.toFile())
              .redirectError(errors)
              .start();
      var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      process.waitFor();
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while a command runs", e);
    }
  }
}
