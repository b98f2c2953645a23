package skein.node.elsa;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.activities.Activities;
import skein.codecs.DefinitionCodec;
import skein.exchange.StateReader;
import skein.graph.Graph;
import skein.graph.GraphCompiler;
import skein.model.FindingCode;
import skein.model.InstanceLimits;
import skein.model.SkeinException;

/**
 * Reads states as a node does, before a node is asked to. Definitions with activities that only the
 * nodes have, or that use other workflows as activities, are left to the nodes.
 */
final class StateCheck {
  private static final Set<FindingCode> ELSEWHERE =
      Set.of(FindingCode.UNKNOWN_TYPE, FindingCode.UNKNOWN_WORKFLOW);

  private final Activities activities = Activities.builtIn();
  private final Map<String, Graph> graphs = new HashMap<>();
  private final Instant now;

  /** {@code now}: counts as the time of what does not say its own. */
  StateCheck(Instant now) {
    this.now = now;
  }

  /** Why a node would refuse it; null: it would not, or only the node can know. */
  @Nullable Refusal refusal(InstanceFile file, ElsaDefinition definition) {
    try {
      var graph = graphs.computeIfAbsent(definition.versionId(), _ -> compiled(definition));
      if (graph.findings().stream().anyMatch(found -> ELSEWHERE.contains(found.code()))) {
        return null;
      }
      var reader = StateReader.of(file.json(), InstanceLimits.DEFAULT);
      if (reader.waitingParent() == null) {
        reader.read(graph, null, now);
      }
      return null;
    } catch (SkeinException e) {
      var told = new StringBuilder(e.detail());
      e.errors().stream()
          .filter(error -> told.indexOf(error) < 0)
          .forEach(error -> told.append("; ").append(error));
      return new Refusal(Reason.STATE_UNSUPPORTED, told.toString());
    }
  }

  private Graph compiled(ElsaDefinition definition) {
    return GraphCompiler.compile(
        DefinitionCodec.read(
            definition.document(), now, definition.definitionId(), definition.versionId()),
        activities);
  }
}
