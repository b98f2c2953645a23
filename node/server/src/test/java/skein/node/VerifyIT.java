package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code skein cluster verify} against three processes. */
@ExtendWith(TestClusters.class)
@Tag("long")
@Tag("alone")
class VerifyIT {
  @Test
  void the_guides_checklist_passes_and_nothing_is_left(TestCluster cluster) throws Exception {
    try (var skein = start(cluster, "--pause-nodes", "--json")) {
      int code = skein.awaitEnd(VERIFIED_MAX);

      var report = new JsonObject(String.join("\n", skein.output()));
      assertThat(report.getString("verdict")).as(report.encodePrettily()).isEqualTo("OK");
      assertThat(code).isZero();
      assertThat(verdicts(report))
          .containsAllEntriesOf(Map.of(1, "OK", 2, "OK", 3, "OK", 4, "OK", 5, "OK", 6, "OK"));
      assertThat(number(report, 1, "resumes")).isEqualTo(90);
      assertThat(number(report, 3, "starts")).isEqualTo(6);
      assertThat(number(report, 5, "failed")).isZero();
      assertThat(number(report, 6, "acquired")).isPositive();
    }
    assertNothingLeft(cluster);
    assertThat(cluster.nodes()).allMatch(ServerProcess::isReady);
  }

  @Test
  void what_was_put_there_is_removed_when_it_is_broken_off(TestCluster cluster) throws Exception {
    try (var skein = start(cluster)) {
      skein.awaitLine("1  Of many who resume one bookmark");
      assertThat(cluster.sql().number(DEFINITIONS)).isPositive();

      skein.process().toHandle().destroy(); // Process.destroy would close its output

      assertThat(skein.awaitEnd()).isEqualTo(143);
      assertThat(skein.output()).anyMatch(line -> line.contains("definitions and"));
    }
    assertNothingLeft(cluster);
  }

  @Test
  void a_node_that_stands_still_is_named(TestCluster cluster) throws Exception {
    var frozen = cluster.node(2);
    frozen.freeze();
    try (var skein = start(cluster)) {
      assertThat(skein.awaitEnd(VERIFIED_MAX)).isEqualTo(1);
      assertThat(skein.output())
          .anyMatch(line -> line.contains(frozen.http().base().toString()))
          .anyMatch(line -> line.startsWith("FAILED "));
    } finally {
      frozen.thaw();
      cluster.nodes().forEach(ServerProcess::awaitReady);
    }
  }

  @Test
  void nodes_on_two_databases_are_told_apart(TestPostgres postgres) throws Exception {
    var alone = Map.of("cluster.members", "127.0.0.1:9");
    var other = Map.of("cluster.members", "127.0.0.1:9", "database.schema", "verify_second");
    var settings = Map.of("cluster.merge-first-delay", "10m", "cluster.merge-next-delay", "10m");
    try (var cluster =
        TestClusters.another(postgres, "verify_first", 2, settings, List.of(alone, other))) {
      cluster.startAll();
      try (var skein = start(cluster)) {
        assertThat(skein.awaitEnd(VERIFIED_MAX)).isEqualTo(1);
        assertThat(skein.output())
            .anyMatch(line -> line.contains("2 clusters"))
            .anyMatch(line -> line.contains("2 databases"));
      }
    }
  }

  private static final Duration VERIFIED_MAX = Duration.ofMinutes(3);
  private static final String DEFINITIONS =
      "select count(*) from workflow_definitions where definition_id like 'skein-verify-%'";

  private static void assertNothingLeft(TestCluster cluster) {
    assertThat(cluster.sql().number(DEFINITIONS)).isZero();
    assertThat(
            cluster
                .sql()
                .number(
                    "select count(*) from workflow_instances where definition_id like"
                        + " 'skein-verify-%'"))
        .isZero();
  }

  /** The command with the addresses of the nodes. */
  static Skein start(TestCluster cluster, String... more) throws Exception {
    var nodes =
        cluster.nodes().stream()
            .map(node -> node.http().base().toString())
            .collect(Collectors.joining(","));
    var arguments = new ArrayList<>(List.of("cluster", "verify", "--nodes", nodes));
    Collections.addAll(arguments, more);
    return Skein.start(arguments.toArray(String[]::new));
  }

  private static List<JsonObject> checks(JsonObject report) {
    return Api.objects(report.getJsonArray("checks"));
  }

  private static Map<Integer, String> verdicts(JsonObject report) {
    return checks(report).stream()
        .filter(check -> check.getInteger("item") > 0)
        .collect(Collectors.toMap(check -> check.getInteger("item"), c -> c.getString("verdict")));
  }

  private static long number(JsonObject report, int item, String name) {
    return checks(report).stream()
        .filter(check -> check.getInteger("item") == item)
        .findFirst()
        .orElseThrow()
        .getJsonObject("numbers")
        .getLong(name);
  }
}
