package skein.definitions;

import java.util.ArrayList;
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
  }

  /**
   * A matching endpoint.
   *
   * @param template as declared, for the hash of bookmarks on the same path
   * @param route the values of the path's parameters, by name in lower case
   */
  public record Match(
      DefinitionRef definition, String activityId, String template, Map<String, String> route) {}

  /** All matches of the most specific templates; more than one is ambiguous. */
  public List<Match> match(String method, String path) {
    var found = new ArrayList<Match>();
    int best = Integer.MIN_VALUE;
    for (var row : rows) {
      var route =
          row.method().equals(method.toLowerCase(Locale.ROOT)) ? row.template().match(path) : null;
      if (route == null || row.template().specificity() < best) {
        continue;
      }
      if (row.template().specificity() > best) {
        best = row.template().specificity();
        found.clear();
      }
      found.add(match(row, route));
    }
    return found;
  }

  private static Match match(Row row, Map<String, String> route) {
    return new Match(
        row.endpoint().definition(), row.endpoint().activityId(), row.template().text(), route);
  }

  /** Methods that some endpoint answers on this path; empty when there is none. */
  public List<String> methods(String path) {
    return rows.stream()
        .filter(row -> row.template().match(path) != null)
        .map(row -> row.method().toUpperCase(Locale.ROOT))
        .distinct()
        .sorted()
        .toList();
  }
}
