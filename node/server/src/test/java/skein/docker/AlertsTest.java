package skein.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules and dashboards of {@code docker/observability}, against what nodes really show. */
class AlertsTest {
  private static final Path PROMETHEUS = Observability.prometheus();
  private static final Path RUNBOOKS = Yaml.docker("operations.md");
  private static final String RUNBOOK = "docker/operations.md#";
  private static final Pattern HEADING = Pattern.compile("(?m)^### (\\w+)$");

  private static final Pattern SELECTOR = Pattern.compile("([a-zA-Z_]+)(?:=~|!~|!=|=)\"");

  /** What Prometheus itself adds. */
  private static final Set<String> TARGET = Set.of("job", "instance");

  /** There from the first collection, instance or certificate on, so not in this test's scrape. */
  private static final Map<String, Set<String>> LATER =
      Map.of(
          "jvm_gc_pause_seconds_sum", Set.of("action", "cause", "gc"),
          "skein_definition_workflows_started_total", Set.of("definitionId"),
          "skein_definition_workflows_finished_total", Set.of("definitionId", "status"),
          "skein_certificate_days", Set.of("use"),
          "up", Set.of());

  @Test
  void every_alert_has_a_severity_a_summary_and_a_runbook_that_is_there() {
    var headings = new ArrayList<String>();
    HEADING.matcher(Yaml.read(RUNBOOKS)).results().forEach(found -> headings.add(found.group(1)));

    assertThat(Observability.alerts())
        .hasSizeGreaterThan(25)
        .allSatisfy(alert -> {
          var annotations = Yaml.map(alert.get("annotations"));
          assertThat(Yaml.map(alert.get("labels")).get("severity"))
              .isIn("critical", "warning", "info");
          assertThat(annotations).containsOnlyKeys("summary", "runbook_url");
          assertThat(annotations.get("runbook_url"))
              .isEqualTo(RUNBOOK + String.valueOf(alert.get("alert")).toLowerCase(Locale.ROOT));
        });
    assertThat(headings)
        .as("runbooks, in the order of the rules")
        .containsExactlyElementsOf(
            Observability.alerts().stream()
                .map(alert -> String.valueOf(alert.get("alert")))
                .toList());
  }

  @Test
  void every_alert_has_a_case_in_which_it_fires_and_one_in_which_it_does_not() {
    var fires = new TreeSet<String>();
    var silent = new TreeSet<String>();
    var file = Yaml.map(Yaml.value(Yaml.read(PROMETHEUS.resolve("rules-test.yaml"))));
    for (var test : Yaml.list(file.get("tests"))) {
      for (var asked : Yaml.list(Yaml.map(test).get("alert_rule_test"))) {
        var name = String.valueOf(Yaml.map(asked).get("alertname"));
        (Yaml.list(Yaml.map(asked).get("exp_alerts")).isEmpty() ? silent : fires).add(name);
      }
    }
    var names =
        Observability.alerts().stream().map(alert -> String.valueOf(alert.get("alert"))).toList();

    assertThat(fires).containsExactlyInAnyOrderElementsOf(names);
    assertThat(silent).containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  void every_metric_and_label_that_is_asked_for_is_in_a_scrape() {
    var known = Scrape.labelsByName();
    var recorded = Observability.recorded();
    var asked = new LinkedHashMap<>(Observability.expressions());
    asked.putAll(Observability.queries(".*", ".*"));
    int names = 0;
    for (var query : asked.entrySet()) {
      for (var found : Observability.series(query.getValue())) {
        var name = found.group(1);
        if (recorded.contains(name)) {
          continue;
        }
        names++;
        assertThat(known.containsKey(name) || LATER.containsKey(name))
            .as("%s asks for %s", query.getKey(), name)
            .isTrue();
        var labels = new TreeSet<>(known.getOrDefault(name, LATER.getOrDefault(name, Set.of())));
        labels.addAll(TARGET);
        if (found.group(2) != null) {
          SELECTOR
              .matcher(found.group(2))
              .results()
              .forEach(label -> assertThat(labels).as(query.getKey()).contains(label.group(1)));
        }
      }
    }

    assertThat(names).as("names that were compared").isGreaterThan(100);
  }

  @Test
  void dashboards_say_their_units_and_are_of_any_cluster_and_node() {
    assertThat(Observability.dashboards())
        .hasSize(5)
        .allSatisfy(file -> {
          var dashboard = new JsonObject(Yaml.read(file));
          assertThat(file.getFileName().toString()).isEqualTo(dashboard.getString("uid") + ".json");
          assertThat(
                  Observability.objects(dashboard.getJsonObject("templating").getJsonArray("list")))
              .extracting(variable -> variable.getString("name"))
              .containsExactly("datasource", "job", "instance");
          assertThat(Observability.panels(file))
              .isNotEmpty()
              .allSatisfy(panel -> {
                var defaults = panel.getJsonObject("fieldConfig").getJsonObject("defaults");
                assertThat(defaults.getString("unit")).isNotEmpty();
                assertThat(panel.getJsonObject("datasource").getString("uid"))
                    .isEqualTo("${datasource}");
                for (var target : Observability.objects(panel.getJsonArray("targets"))) {
                  assertThat(target.getString("expr"))
                      .contains("job=~\"$job\",instance=~\"$instance\"");
                  assertThat(target.getString("legendFormat")).isNotEmpty();
                }
              });
        });
  }

  /** Skipped where there is no promtool. */
  @Test
  void the_cases_of_the_alerts_hold() throws Exception {
    var said = promtool("test", "rules", PROMETHEUS.resolve("rules-test.yaml").toString());

    assertThat(said).contains("SUCCESS");
  }

  /** Prometheus checks queries only as rules. Skipped where there is no promtool. */
  @Test
  void prometheus_understands_all_rules_and_queries(@TempDir Path folder) throws Exception {
    var text = new StringBuilder("groups:\n  - name: queries\n    rules:\n");
    var queries = Observability.queries(".*", ".*").values();
    int number = 0;
    for (var query : queries) {
      var quoted = new JsonArray().add(query).encode(); // JSON is YAML
      text.append("      - record: query:").append(number++).append('\n');
      text.append("        expr: ").append(quoted, 1, quoted.length() - 1).append('\n');
    }
    var file = Files.writeString(folder.resolve("queries.yaml"), text);

    assertThat(promtool("check", "rules", PROMETHEUS.resolve("rules.yaml").toString()))
        .contains("SUCCESS: " + Observability.rules().size() + " rules found");
    assertThat(promtool("check", "rules", file.toString()))
        .contains("SUCCESS: " + queries.size() + " rules found");
  }

  private static String promtool(String... arguments) throws Exception {
    assumeTrue(ManifestsTest.isOnPath("promtool"), "promtool is not installed");
    var command = new ArrayList<>(List.of("promtool"));
    command.addAll(List.of(arguments));
    var promtool = new ProcessBuilder(command).redirectErrorStream(true).start();
    var said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(promtool.waitFor()).as(said).isZero();
    return said;
  }
}
