package skein.definitions;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import skein.activities.PathTemplate;
import skein.model.DefinitionRef;
import skein.storage.DefinitionStore.Endpoint;

/** Finds the workflow that a request starts, and the templates at which one may wait. Immutable. */
public final class EndpointTable {
  private static final Pattern PARAMETER_NAME = Pattern.compile("\\{(\\*{0,2})[^{}:?*=]*");

  /** {@code shape}: the template without the names of its parameters. */
  private record Row(String method, PathTemplate template, String shape, Endpoint endpoint) {}

  private final List<Row> starts = new ArrayList<>();
  private final List<PathTemplate> templates;

  /** {@code endpoints}: of one tenant. */
  public EndpointTable(List<Endpoint> endpoints) {
    var parameterized = new LinkedHashMap<String, PathTemplate>();
    for (var endpoint : endpoints) {
      if (!(endpoint.payload().get("path") instanceof String path)) {
        continue;
      }
      var template = PathTemplate.parse(path);
      if (template.hasParameters()) {
        parameterized.put(template.toString(), template);
      }
      if (endpoint.payload().get("method") instanceof String method) {
        var shape = PARAMETER_NAME.matcher(template.toString()).replaceAll("{$1");
        starts.add(new Row(method.toLowerCase(Locale.ROOT), template, shape, endpoint));
      }
    }
    starts.sort(Comparator.comparing(Row::template));
    this.templates = parameterized.values().stream().sorted().toList();
  }

  /**
   * A matching endpoint.
   *
   * @param template as declared, for the hash of bookmarks on the same path
   * @param route the values of the path's parameters, by name in lower case
   * @param guard null: every caller is admitted
   */
  public record Match(
      DefinitionRef definition,
      String activityId,
      String template,
      Map<String, String> route,
      @Nullable Guard guard) {}

  /**
   * Callers must be known.
   *
   * @param policy what they must meet beside that; null: nothing
   */
  public record Guard(@Nullable String policy) {}

  /** A template at which an instance may wait, and the values of its parameters. */
  public record Waiting(String template, Map<String, String> route) {}

  /**
   * All matches of the most exact template; more than one is ambiguous.
   *
   * @param path decoded, without the query
   */
  public List<Match> match(String method, String path) {
    var found = new ArrayList<Match>();
    String shape = null;
    for (var row : starts) {
      if (!row.method().equalsIgnoreCase(method) || (shape != null && !shape.equals(row.shape()))) {
        continue;
      }
      var route = row.template().match(path);
      if (route.isPresent()) {
        shape = row.shape();
        found.add(match(row, route.get()));
      }
    }
    return found;
  }

  private static Match match(Row row, Map<String, String> route) {
    return new Match(
        row.endpoint().definition(),
        row.endpoint().activityId(),
        row.template().toString(),
        route,
        guard(row.endpoint().payload()));
  }

  private static @Nullable Guard guard(Map<?, ?> payload) {
    return Boolean.TRUE.equals(payload.get("authorize"))
        ? new Guard(payload.get("policy") instanceof String policy ? policy : null)
        : null;
  }

  /** The path itself, then the templates that match it, the most exact first. */
  public List<Waiting> waiting(String path) {
    var found = new ArrayList<Waiting>();
    found.add(new Waiting(PathTemplate.normal(path), Map.of()));
    for (var template : templates) {
      template.match(path).ifPresent(route -> found.add(new Waiting(template.toString(), route)));
    }
    return found;
  }

  /** Methods that start a workflow on this path, in upper case; empty when there are none. */
  public List<String> methods(String path) {
    return starts.stream()
        .filter(row -> row.template().match(path).isPresent())
        .map(row -> row.method().toUpperCase(Locale.ROOT))
        .distinct()
        .sorted()
        .toList();
  }
}
