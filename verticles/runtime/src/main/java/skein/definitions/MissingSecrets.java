package skein.definitions;

import io.vertx.core.Future;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import skein.activities.ActivityNode;
import skein.activities.SecretUses;
import skein.codecs.EditDistance;
import skein.graph.GraphCompiler;
import skein.model.Finding;
import skein.model.FindingCode;

/** Warns of secrets that a definition names and that this node does not have. */
final class MissingSecrets {
  /** Names that are looked for, and warnings: more would not be read. */
  private static final int MAX = 1_000;

  private final SecretPresence presence;

  MissingSecrets(SecretPresence presence) {
    this.presence = presence;
  }

  /** A warning for each activity and name. */
  Future<List<Finding>> of(GraphCompiler.Checked checked) {
    var names = new LinkedHashSet<String>();
    checked.graph().nodes().stream()
        .flatMap(node -> SecretUses.of(node).values().stream().flatMap(Set::stream))
        .distinct()
        .limit(MAX)
        .forEach(names::add);
    return names.isEmpty()
        ? Future.succeededFuture(List.of())
        : presence
            .missing(names)
            .map(missing ->
                checked.graph().nodes().stream()
                    .flatMap(node -> warnings(checked, node, missing))
                    .limit(MAX)
                    .toList());
  }

  private static Stream<Finding> warnings(
      GraphCompiler.Checked checked, ActivityNode node, SecretPresence.Missing missing) {
    var at = checked.pointers().getOrDefault(node.nodeId(), "");
    return SecretUses.of(node).entrySet().stream()
        .flatMap(use ->
            use.getValue().stream()
                .filter(missing.names()::contains)
                .map(name ->
                    warning(
                        node,
                        at + "/" + use.getKey(),
                        name,
                        EditDistance.nearest(name, missing.there()))));
  }

  private static Finding warning(
      ActivityNode node, String pointer, String name, @Nullable String meant) {
    return new Finding(
        Finding.Severity.WARNING,
        FindingCode.UNKNOWN_SECRET,
        node.nodeId(),
        pointer,
        "%s (%s): this node has no secret %s that can be used; where the work is done without"
                .formatted(node.type(), node.nodeId(), name)
            + " it, the activity faults"
            + (meant == null ? "" : "; did you mean \"" + meant + "\"?"),
        meant);
  }
}
