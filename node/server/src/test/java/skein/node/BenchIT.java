package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import skein.node.dev.Ports;

/** The figures themselves are not asserted: only that they are there and make sense. */
@Tag("long")
class BenchIT {
  @TempDir Path folder;

  /** Each has a cluster of its own, which takes most of the time. */
  @Test
  void scenarios_are_measured_one_after_the_other() throws Exception {
    var names =
        Boolean.getBoolean("skein.bench.all")
            ? List.of("event", "steps", "children", "http", "hot", "fan-out", "list")
            : List.of("event", "steps", "children");
    var results =
        new JsonArray(
            BenchRun.measure(
                BenchRun.LIMIT_NOT_MEASURED,
                "--scenario",
                String.join(",", names),
                "--children",
                "300",
                "--waiting",
                "1000"));

    assertThat(results.stream().map(JsonObject.class::cast))
        .extracting(result -> result.getString("scenario"))
        .isEqualTo(names);
    assertThat(results.stream().map(JsonObject.class::cast))
        .allMatch(result -> result.getLong("failures") == 0)
        .allMatch(result -> result.getLong("operations") > 0)
        .allMatch(result -> result.getDouble("operationsPerSecond") > 0);
    assertThat(results.getJsonObject(0).getValue("ratioToLimit")).isNull();
    assertThat(results.getJsonObject(0).getString("noRatioBecause")).contains("not measured");
    assertThat(results.getJsonObject(1).getDouble("rowsPerOperation"))
        .as("three steps, each with a timer that counts its attempt")
        .isGreaterThan(10);
    assertThat(results.getJsonObject(2).getLong("operations")).as("children").isEqualTo(300);
    if (names.size() > 3) {
      assertThat(results.getJsonObject(6).getDouble("p99Millis")).as("a list").isPositive();
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "skein.bench.all", matches = "true")
  void two_builds_are_measured_in_turn() throws Exception {
    var home = Path.of("..", "..").toRealPath().toString();
    var result =
        new JsonObject(
            BenchRun.json(
                List.of("-Dskein.home=" + home),
                "--compare",
                home,
                "--runs",
                "2",
                "--scenario",
                "start"));

    assertThat(result.getString("comparedTo")).isEqualTo(home);
    assertThat(result.getInteger("runs")).isEqualTo(2);
    for (var figure : List.of("operationsPerSecond", "nodeCpuSecondsPer1000")) {
      var compared = result.getJsonObject(figure);
      assertThat(compared.getDouble("ratio")).as(figure).isBetween(0.1, 10.0);
      assertThat(compared.getDouble("ratioMin"))
          .isLessThanOrEqualTo(compared.getDouble("ratioMax"));
    }
  }

  @Test
  void resumes_and_starts_are_measured_and_profiled_beside_what_the_database_can_do()
      throws Exception {
    var results =
        new JsonArray(
            BenchRun.measure(
                1,
                "--scenario",
                "resume,start",
                "--waiting",
                "1000",
                "--profile",
                folder.toString()));

    assertThat(results.stream().map(JsonObject.class::cast))
        .hasSize(2)
        .allMatch(result -> result.getLong("failures") == 0)
        .allMatch(result -> result.getLong("operations") > 0);
    var resume = results.getJsonObject(0);
    var start = results.getJsonObject(1);
    assertThat(resume.getString("scenario")).isEqualTo("resume");
    assertThat(resume.getInteger("waiting")).isEqualTo(1_000);
    assertThat(start.getString("scenario")).isEqualTo("start");
    for (var result : List.of(resume, start)) {
      assertThat(result.getInteger("callers")).isEqualTo(8);
      assertThat(result.getInteger("nodes")).isEqualTo(1);
      assertThat(result.getDouble("operationsPerSecond")).isPositive();
      assertThat(result.getDouble("ratioToLimit")).isPositive();
      assertThat(result.getDouble("limitPerSecond")).isPositive();
      assertThat(result.getDouble("p50Millis"))
          .isPositive()
          .isLessThanOrEqualTo(result.getDouble("p99Millis"));
      assertThat(result.getDouble("commitsPerOperation")).isGreaterThan(0).isLessThan(1.5);
      assertThat(result.getDouble("rowsPerOperation")).isBetween(1.0, 10.0);
      for (var figure :
          List.of(
              "walBytesPerOperation",
              "nodeCpuSecondsPer1000",
              "postgresCpuSecondsPer1000",
              "generatorCpuSecondsPer1000",
              "allocatedBytesPerOperation",
              "nodeRssBytes",
              "nodeHeapUsedBytes")) {
        assertThat(result.getDouble(figure)).as(figure).isPositive();
      }
      assertThat(result.getJsonObject("on").getJsonObject("postgresqlSettings").getMap())
          .containsEntry("fsync", "on")
          .containsEntry("synchronous_commit", "on")
          .containsEntry("full_page_writes", "on");
    }
    assertProfilesAreThere();
  }

  /** They tell where the time of an operation goes. */
  private void assertProfilesAreThere() throws IOException {
    for (var name : List.of("resume-8", "start-8")) {
      assertThat(folder.resolve(name + ".txt"))
          .content()
          .contains("nodes, Java threads", "decide: definition, burst, activities", "PostgreSQL");
      assertThat(Files.readAllLines(folder.resolve(name + ".collapsed")))
          .as(name)
          .isNotEmpty()
          .anyMatch(line -> line.contains("skein.burst.Burst."))
          .allMatch(line -> line.matches(".+ \\d+"));
    }
    try (var files = Files.list(folder)) {
      assertThat(files).as("no recordings").hasSize(4);
    }
  }

  @Test
  void instances_that_were_written_are_resumed_by_their_tokens() throws Exception {
    var result =
        new JsonObject(
            BenchRun.measure(
                BenchRun.LIMIT_NOT_MEASURED,
                "--scenario",
                "resume",
                "--waiting",
                "50001",
                "--by",
                "token"));

    assertThat(result.getLong("failures")).isZero();
    assertThat(result.getInteger("waiting")).isEqualTo(50_001);
    assertThat(result.getLong("operations")).isPositive();
  }

  @Test
  void nodes_with_every_protection_on_are_measured() throws Exception {
    var result =
        new JsonObject(
            BenchRun.measure(
                BenchRun.LIMIT_NOT_MEASURED,
                "--secured",
                "--nodes",
                "2",
                "--scenario",
                "resume",
                "--by",
                "token",
                "--waiting",
                "200",
                "--data",
                folder.toString()));

    assertThat(result.getLong("failures")).isZero();
    assertThat(result.getLong("operations")).isPositive();
    assertThat(result.getInteger("nodes")).isEqualTo(2);
    for (var figure :
        List.of("operationsPerSecond", "p99Millis", "nodeCpuSecondsPer1000", "rowsPerOperation")) {
      assertThat(result.getDouble(figure)).as(figure).isPositive();
    }
    assertThat(result.getJsonObject("on").getBoolean("secured")).isTrue();
    var nodes = folder.resolve("skein-bench-resume");
    for (var log : List.of("n1.log", "n2.log")) {
      assertThat(nodes.resolve(log))
          .content()
          .contains("node.started")
          .doesNotContain(
              Files.readString(nodes.resolve("secured/admin-password")),
              Files.readString(nodes.resolve("secured/cluster-secret")));
    }
  }

  @Test
  void all_that_it_started_ends_with_it() throws Exception {
    var port = Ports.free(1).getFirst().toString();
    try (var skein =
        Skein.start("bench", "--scenario", "start", "--port", port, "--data", folder.toString())) {
      skein.awaitLine("warming up");
      var all = skein.process().descendants().toList();
      assertThat(all).as("a node at least").isNotEmpty();
      var postgres = postgres();

      skein.process().toHandle().destroy(); // as Ctrl-C does
      skein.awaitEnd();

      for (var process : all) {
        process.onExit().get(30, TimeUnit.SECONDS);
      }
      assertThat(postgres.isAlive()).isFalse();
    }
  }

  private ProcessHandle postgres() throws IOException {
    var file = folder.resolve("skein-bench-start/postgresql/postmaster.pid");
    return ProcessHandle.of(Long.parseLong(Files.readAllLines(file).getFirst().strip()))
        .orElseThrow();
  }

  @Test
  void a_cluster_that_is_not_there_is_said_in_a_sentence() throws Exception {
    int port = Ports.free(1).getFirst();
    try (var skein =
        Skein.start(
            "bench",
            "--url",
            "http://127.0.0.1:" + port,
            "--db",
            "postgresql://x:y@127.0.0.1:" + port + "/none")) {
      assertThat(skein.awaitEnd()).isEqualTo(1);
      assertThat(skein.output()).anyMatch(line -> line.startsWith("skein: The database did not"));
    }
  }

  @Test
  void wrong_options_have_exit_code_2() throws Exception {
    var silent = Main.commandLine().setErr(new PrintWriter(Writer.nullWriter()));
    for (var wrong :
        List.of(
            List.of("--scenario", "dance"),
            List.of("--callers", "0"),
            List.of("--heap", "much"),
            List.of("--url", "http://127.0.0.1:5001"),
            List.of("--url", "ftp://127.0.0.1", "--db", "postgresql://127.0.0.1/none"),
            List.of("--secured", "--url", "http://127.0.0.1:5001", "--db", "postgresql://a/b"),
            List.of("--compare", "HEAD", "--scenario", "timers"),
            List.of("--compare", "HEAD", "--profile", "profiles"))) {
      var arguments = new ArrayList<>(List.of("bench"));
      arguments.addAll(wrong);
      assertThat(silent.execute(arguments.toArray(String[]::new))).as("%s", wrong).isEqualTo(2);
    }
    // A process of its own: a wrong setting ends what the process logs, too.
    try (var skein = Skein.start("bench", "--set", "execution.lanes=zero")) {
      assertThat(skein.awaitEnd()).isEqualTo(2);
    }
  }
}
