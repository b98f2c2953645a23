package skein.docker;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The rules and dashboards of {@code docker/observability}. */
public final class Observability {
  private static final Path FOLDER = Yaml.docker("observability");

  /** A metric or recorded series, and what selects among its series. */
  private static final Pattern SERIES =
      Pattern.compile(
          "\\b((?:skein|jvm|process|system|job)_?[a-z0-9_]*(?::\\w+)*|up)\\b(\\{[^}]*})?");

  /** A comparison, but not the equals sign of what selects series. */
  private static final Pattern COMPARISON = Pattern.compile(" (==|!=|<=?|>=?) (?!bool )");

  private Observability() {}

  /** The folder with the files for Prometheus. */
  public static Path prometheus() {
    return FOLDER.resolve("prometheus");
  }

  /** All rules, in their order, as Prometheus has them. */
  public static List<Map<String, Object>> rules() {
    var rules = new ArrayList<Map<String, Object>>();
    var file = Yaml.map(Yaml.value(Yaml.read(prometheus().resolve("rules.yaml"))));
    for (var group : Yaml.list(file.get("groups"))) {
      Yaml.list(Yaml.map(group).get("rules")).forEach(rule -> rules.add(Yaml.map(rule)));
    }
    return rules;
  }

  static List<Map<String, Object>> alerts() {
    return rules().stream().filter(rule -> rule.containsKey("alert")).toList();
  }

  static List<String> recorded() {
    return rules().stream()
        .filter(rule -> rule.containsKey("record"))
        .map(rule -> String.valueOf(rule.get("record")))
        .toList();
  }

  /** The expression of each rule by its name. */
  public static Map<String, String> expressions() {
    var expressions = new LinkedHashMap<String, String>();
    rules()
        .forEach(rule ->
            expressions.put(
                String.valueOf(rule.getOrDefault("alert", rule.get("record"))),
                String.valueOf(rule.get("expr"))));
    return expressions;
  }

  /** Each series that an expression names: group 1 is its name, group 2 what selects, if any. */
  public static List<MatchResult> series(String expression) {
    return SERIES
        .matcher(expression)
        .results()
        .filter(found -> !found.group(1).equals("job")) // of a "by (job)"
        .toList();
  }

  /** An expression of an alert that is 0 or 1 where it would be without an answer or have one. */
  public static String withoutBound(String expression) {
    return COMPARISON.matcher(expression).replaceAll(" $1 bool ");
  }

  public static List<Path> dashboards() {
    try (var files = Files.list(FOLDER.resolve("grafana"))) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<JsonObject> panels(Path dashboard) {
    return objects(new JsonObject(Yaml.read(dashboard)).getJsonArray("panels"));
  }

  static List<JsonObject> objects(JsonArray array) {
    return array.stream().map(JsonObject.class::cast).toList();
  }

  /**
   * All queries of the dashboards, as Prometheus gets them, by where they stand.
   *
   * @param job the clusters that are chosen, as a regular expression
   * @param instance the nodes that are chosen, likewise
   */
  public static Map<String, String> queries(String job, String instance) {
    var queries = new LinkedHashMap<String, String>();
    for (var dashboard : dashboards()) {
      for (var panel : panels(dashboard)) {
        for (var target : objects(panel.getJsonArray("targets"))) {
          queries.put(
              "%s, %s, %s"
                  .formatted(
                      dashboard.getFileName(), panel.getString("title"), target.getString("refId")),
              target
                  .getString("expr")
                  .replace("$__rate_interval", "2m")
                  .replace("$job", job)
                  .replace("$instance", instance));
        }
      }
    }
    return queries;
  }

  /** The queries by which the dashboards find what can be chosen, by name, in their order. */
  public static Map<String, String> variables(Path dashboard) {
    var variables = new LinkedHashMap<String, String>();
    var list =
        new JsonObject(Yaml.read(dashboard)).getJsonObject("templating").getJsonArray("list");
    for (var variable : objects(list)) {
      if (variable.getString("type").equals("query")) {
        variables.put(variable.getString("name"), variable.getString("definition"));
      }
    }
    return variables;
  }
}
