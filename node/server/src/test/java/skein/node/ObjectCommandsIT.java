package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The commands for definitions, instances, events, tasks, tokens and the audit, against a node. */
@ExtendWith(TestClusters.class)
@Tag("long")
class ObjectCommandsIT {
  private static final String APPROVAL =
      """
      {
        "definitionId": "cli-approval",
        "name": "Approval",
        "variables": [{"id": "v", "name": "SmtpPassword", "value": "x7-secret"}],
        "root": {
          "type": "Elsa.Sequence",
          "id": "s",
          "activities": [
            {"type": "Elsa.WriteLine", "id": "w", "text": "Please approve"},
            {"type": "Elsa.Event", "id": "e", "eventName": "CliApprove"}
          ]
        }
      }
      """;

  @TempDir Path folder;
  private String url = "";

  private record Result(int code, String out, String err) {
    JsonObject json() {
      return new JsonObject(out);
    }
  }

  private Result run(String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    var all = new ArrayList<>(List.of(arguments));
    all.add("--url=" + url);
    int code =
        Main.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(all.toArray(String[]::new));
    return new Result(code, out.toString(), err.toString());
  }

  private Result done(String... arguments) {
    var result = run(arguments);
    assertThat(result.code()).as("%s%n%s", List.of(arguments), result).isZero();
    return result;
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void objects_are_made_followed_changed_and_taken_out(TestPostgres postgres) throws Exception {
    try (var cluster = TestClusters.another(postgres, "objects", 1, Map.of())) {
      cluster.startAll();
      url = cluster.node(0).http().base().toString();

      assertMisspeltIsRefused();
      assertDefinitions();
      assertInstances();
      assertAlterations();
      assertWatch();
      assertBundle();
      assertOthers();
      assertNodeInternals();
      assertWrongUse();
    }
  }

  private void assertMisspeltIsRefused() throws IOException {
    var file = write("misspelt.json", APPROVAL.replace("\"text\"", "\"txt\"")).toString();

    var checked = run("definition", "check", file);
    assertThat(checked.code()).isZero();
    assertThat(checked.out())
        .contains(file + ":9:", "warning UNKNOWN_INPUT: ", "did you mean \"text\"?")
        .contains("valid, 0 errors, 1 warnings");
    assertThat(run("definition", "check", "--strict", file).code()).isEqualTo(1);
    var refused = run("definition", "publish", "--strict", file);
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err()).contains(file + ":9:", "is not published");
    var broken = write("broken.json", "{\"root\": ").toString();
    assertThat(run("definition", "check", broken).code()).isEqualTo(2);
  }

  private void assertDefinitions() throws IOException {
    var file = write("approval.json", APPROVAL);

    assertThat(done("definition", "publish", file.toString()).out())
        .contains("cli-approval version 1 is published");
    assertThat(done("definition", "publish", "cli-approval").out()).contains("published before");
    assertThat(done("definition", "list", "--search", "pprova").out())
        .contains("cli-approval", "1 of 1");
    assertThat(done("definition", "get", "cli-approval", "-o", "yaml").out())
        .contains("definitionId: cli-approval", "type: Elsa.Sequence");
    assertThat(done("definition", "diff", file.toString()).out()).contains("No difference");
    done("definition", "export", "cli-approval", "--to", folder.resolve("out").toString());
    var exported = folder.resolve("out/cli-approval.json");
    assertThat(done("definition", "diff", exported.toString()).out()).contains("No difference");
    var changed = write("changed.json", APPROVAL.replace("Please approve", "Approve!"));
    var diff = run("definition", "diff", changed.toString());
    assertThat(diff.code()).isEqualTo(1);
    assertThat(diff.out()).contains("+ /root/activities[w]/text: \"Approve!\"");
  }

  private void assertInstances() {
    var id = start("one");
    assertThat(done("instance", "list", "--definition", "cli-approval", "--since", "PT1H").out())
        .contains(id, "Suspended", "1 of 1");
    assertThat(
            done("instance", "list", "--status", "Faulted", "--definition", "cli-approval").out())
        .contains("0 of 0");
    assertThat(done("instance", "show", id).out()).contains("CliApprove", id + "-1");
    assertThat(done("instance", "journal", id, "--activity", "w").out())
        .contains("Completed", "2 of 2");
    assertThat(done("event", "trigger", "CliApprove", "--correlation", "one").out())
        .contains("resumed");
    assertThat(done("instance", "tail", id, "--every", "1").out())
        .contains("Started", "Completed", "  e");
    assertThat(run("instance", "resume", id).err()).contains("ALREADY_RESUMED");

    var second = start("two");
    assertThat(done("instance", "resume", second, "--input", "{\"by\": \"kim\"}").out())
        .contains("Resumed");
    var third = start("three");
    assertThat(done("instance", "cancel", third, "-o", "json").json().getString("subStatus"))
        .isEqualTo("Cancelled");
    assertThat(run("instance", "retry", second).code()).isEqualTo(1);
    done("instance", "export", second, "--to", folder.resolve("two.json").toString());
    assertThat(folder.resolve("two.json")).content().contains(second);
  }

  private String start(String correlation) {
    return done("instance", "start", "cli-approval", "--correlation", correlation, "-o", "json")
        .json()
        .getString("id");
  }

  private void assertAlterations() throws IOException {
    var changed = write("next.json", APPROVAL.replace("\"id\": \"e\"", "\"id\": \"e2\""));
    var id = start("altered");
    var other = start("unaltered");
    done("definition", "publish", changed.toString());

    var altered =
        done(
            "instance", "alter", id, "--version-to", "2", "--map", "e=e2", "--variable", "v=\"y\"");
    assertThat(altered.out()).contains("ALTERED", id + "  true");
    var state = done("instance", "show", id, "-o", "json").json();
    assertThat(state.getInteger("version")).isEqualTo(2);
    assertThat(state.encode()).contains("\"activityId\":\"e2\"");
    assertThat(done("instance", "resume", id).out()).contains("Finished");

    var refused = run("instance", "alter", other, "nowhere", "--variable", "v=1", "-o", "json");
    assertThat(refused.code()).isEqualTo(1);
    var results = refused.json().getJsonArray("results");
    assertThat(results.getJsonObject(0).getBoolean("isSuccessful")).isTrue();
    assertThat(results.getJsonObject(1).encode()).contains("INSTANCE_NOT_FOUND");
    assertThat(run("instance", "alter", other).err()).contains("--variable");
    assertThat(run("instance", "alter", other, "--map", "a=b").code()).isEqualTo(2);
    assertThat(run("instance", "alter", other, "--variable", "v={").code()).isEqualTo(2);
  }

  /** It runs until its process ends, so it is a process. */
  private void assertWatch() throws Exception {
    var command = ServerProcess.java();
    command.addAll(List.of("-jar", ServerProcess.jar(), "instance", "list", "--url=" + url));
    command.addAll(List.of("--watch", "--every", "1"));
    var log = folder.resolve("watched");
    var process = new ProcessBuilder(command).redirectOutput(log.toFile()).start();
    try {
      boolean repeated =
          Eventually.isTrue(
              Duration.ofSeconds(60),
              () -> {
                try {
                  return Files.readAllLines(log).stream()
                          .filter(line -> line.startsWith("ID "))
                          .count()
                      >= 2;
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      assertThat(repeated).as("two looks: %s", Files.readString(log)).isTrue();
      assertThat(Files.readString(log)).as("no colours in a file").doesNotContain("\u001b");
    } finally {
      process.destroyForcibly();
    }
  }

  private void assertBundle() throws IOException {
    var id = start("support");
    done("token", "mint", id + "-1");
    var zip = folder.resolve("support.zip");

    done("instance", "bundle", id, "--to", zip.toString());

    var parts = new TreeMap<String, String>();
    try (var file = new ZipFile(zip.toFile())) {
      for (var entry : file.stream().toList()) {
        parts.put(
            entry.getName(),
            new String(file.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    assertThat(parts)
        .containsKeys(
            "instance.json", "journal.json", "definition.json", "timers.json", "cluster.json");
    assertThat(parts.get("definition.json")).contains("SmtpPassword", "(redacted)");
    assertThat(String.join("\n", parts.values())).doesNotContain("x7-secret");
    assertThat(Files.getPosixFilePermissions(zip).toString()).doesNotContain("OTHERS", "GROUP");
    assertThat(run("instance", "bundle", id, "--to", zip.toString()).code()).isEqualTo(2);
  }

  private void assertOthers() {
    var id = start("token");
    assertThat(done("token", "mint", id + "-1", "--expires-in", "PT15M").out())
        .contains("/workflows/resume/");
    assertThat(done("token", "revoke", id + "-1").out()).contains("Revoked");
    assertThat(done("task", "list").out()).contains("TASK-ID", "0 of 0");
    assertThat(run("task", "complete", "nowhere-1").err()).contains("TASK_NOT_FOUND");
    assertThat(done("audit", "--action", "definition.publish").out()).contains("cli-approval");
    assertThat(done("timers", "list").out()).contains("0 of 0");
    assertThat(done("schedule", "list", "-o", "yaml").out()).contains("totalCount: 0");
  }

  private void assertNodeInternals() {
    assertThat(done("cluster", "settings", "self", "--changed").out())
        .contains("KEY", "database.url", "node.name")
        .doesNotContain("logging.recent-bytes");
    assertThat(done("cluster", "settings", "self", "-o", "json").out())
        .contains("\"key\" : \"logging.recent-bytes\"", "\"isDefault\" : true");
    assertThat(done("cluster", "log", "self").out()).contains("node.started");
    assertThat(run("cluster", "log", "nowhere").err()).contains("NODE_NOT_FOUND");
  }

  private void assertWrongUse() {
    assertThat(run("definition").code()).isEqualTo(2);
    assertThat(run("instance", "show").code()).isEqualTo(2);
    assertThat(run("instance", "list", "--since", "yesterday").code()).isEqualTo(2);
    assertThat(run("instance", "resume", "x", "--input", "{").code()).isEqualTo(2);
    assertThat(run("token", "mint", "nodash").code()).isEqualTo(2);
    assertThat(run("instance", "list", "--profile", "nowhere-at-all").code()).isEqualTo(2);
    assertThat(run("instance", "show", "nowhere").code()).isEqualTo(1);
    url = "localhost:1";
    assertThat(run("instance", "list").code()).isEqualTo(2);
    url = "http://127.0.0.1:1";
    var silent = run("instance", "list");
    assertThat(silent.code()).isEqualTo(1);
    assertThat(silent.err().lines()).hasSize(1);
    assertThat(silent.err()).contains("does not answer", "--url");
  }
}
