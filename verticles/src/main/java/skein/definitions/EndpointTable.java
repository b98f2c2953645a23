package skein.definitions;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import skein.activities.PathTemplate;
import skein.model.DefinitionRef;
import skein.storage.DefinitionStore.Endpoint;

/** Finds the workflow that a request starts. Immutable. */
public final class EndpointTable {
  private record Row(String method, PathTemplate template, Endpoint endpoint) {}

  private final List<Row> rows = new ArrayList<>();

  EndpointTable(List<Endpoint> endpoints) {
    for (var endpoint : endpoints) {
      if (endpoint.payload().get("path") instanceof String path
          && endpoint.payload().get("method") instanceof String method) {
        rows.add(new Row(method.toLowerCase(Locale.ROOT), PathTemplate.parse(path), endpoint));
      }
    }
    rows.sort(Comparator.comparing(Row::template));
  }

  /**
   * A matching endpoint.
   *
   * @param template as declared, for the hash of bookmarks on the same path
   * @param route the values of the path's parameters, by name in lower case
   */
  public record Match(
      DefinitionRef definition, String activityId, String template, Map<String, String> route) {}

  /** All matches of the template that says most exactly what the path is; two are ambiguous. */
  public List<Match> match(String method, String path) {
    var wanted = method.toLowerCase(Locale.ROOT);
    var found = new ArrayList<Match>();
    for (var row : rows) {
      if (!row.method().equals(wanted)) {
        continue;
      }
      var route = row.template().match(path);
      if (route.isEmpty()) {
        continue;
      }
      var match = match(row, route.get());
      if (!found.isEmpty() && !found.getFirst().template().equals(match.template())) {
        break;
      }
      found.add(match);
    }
    return found;
  }

  private static Match match(Row row, Map<String, String> route) {
    return new Match(
        row.endpoint().definition(), row.endpoint().activityId(), row.template().toString(), route);
  }

  /** Methods that some endpoint answers on this path; empty when there is none. */
  public List<String> methods(String path) {
    return rows.stream()
        .filter(row -> row.template().match(path).isPresent())
        .map(row -> row.method().toUpperCase(Locale.ROOT))
        .distinct()
        .sorted()
        .toList();
  }
}
