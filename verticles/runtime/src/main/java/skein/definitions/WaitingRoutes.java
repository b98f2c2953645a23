package skein.definitions;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityNode;
import skein.activities.PathTemplate;
import skein.activities.Stimuli;
import skein.graph.Graph;
import skein.model.StimulusHash;
import skein.model.Trigger;

/**
 * The path templates at which instances of a definition will wait for HTTP requests in
 * mid-workflow. A bookmark is found by the hash of its template, so a request must first be matched
 * with the templates there are. Paths without parameters need no row: they are their own template.
 */
final class WaitingRoutes {
  private WaitingRoutes() {}

  /**
   * One row for each template that is written literally; a template that an expression makes is not
   * known before it runs.
   */
  static List<Trigger> of(Graph graph) {
    var routes = new LinkedHashMap<String, Trigger>();
    for (var node : graph.nodes()) {
      var template = template(node);
      if (template != null) {
        routes.putIfAbsent(template, route(graph, node, template));
      }
    }
    return List.copyOf(routes.values());
  }

  private static @Nullable String template(ActivityNode node) {
    if (!node.type().equals(Stimuli.HTTP_ENDPOINT)
        || !(node.raw("path") instanceof Map<?, ?> path)
        || !(path.get("expression") instanceof Map<?, ?> expression)
        || !"Literal".equals(expression.get("type"))
        || !(expression.get("value") instanceof String text)) {
      return null;
    }
    try {
      var template = PathTemplate.parse(text);
      return template.hasParameters() ? template.toString() : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static Trigger route(Graph graph, ActivityNode node, String template) {
    var ref = graph.ref();
    return new Trigger(
        StimulusHash.sha256(ref.definitionId() + ":route:" + template),
        ref,
        node.id(),
        Stimuli.HTTP_ENDPOINT + ".Route",
        StimulusHash.of(Stimuli.HTTP_ENDPOINT + ".Route", template, null),
        Map.of("path", template),
        null);
  }
}
