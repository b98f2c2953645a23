package skein.decisions;

import org.jspecify.annotations.Nullable;
import skein.graph.Graph;
import skein.model.StimulusHash;
import skein.model.Transition.Activation;

/** The activation that a new instance occupies, by its definition's strategy. */
final class Activations {
  private Activations() {}

  /**
   * Null where it excludes nothing. Without a correlation id the strategies that go by it exclude
   * nothing either.
   */
  static @Nullable Activation of(Graph graph, @Nullable String correlationId) {
    var definitionId = graph.ref().definitionId();
    return switch (graph.activationStrategy()) {
      case ALLOW_ALWAYS -> null;
      case SINGLETON -> new Activation("definition:" + definitionId, null);
      case CORRELATED_SINGLETON ->
          correlationId == null
              ? null
              : new Activation("definition:" + definitionId + ":" + correlationId, null);
      case CORRELATION ->
          correlationId == null
              ? null
              : new Activation(
                  "correlation:" + ofTenant(graph.ref().tenant()) + correlationId, correlationId);
    };
  }

  private static String ofTenant(String tenant) {
    return tenant.isEmpty() ? "" : StimulusHash.sha256("tenant|" + tenant) + ":";
  }
}
