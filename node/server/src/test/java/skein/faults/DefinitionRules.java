package skein.faults;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import java.util.List;
import java.util.Map;
import skein.faults.Operation.Kind;

/** C1: a start after an acknowledged publish uses that version or a newer one. */
final class DefinitionRules {
  private DefinitionRules() {}

  static void check(Evidence evidence, Anomalies anomalies) {
    Map<String, Integer> versions =
        evidence.rows().instances().stream()
            .filter(instance -> instance.request() != null)
            .collect(
                toMap(
                    instance -> String.valueOf(instance.request()),
                    Rows.Instance::version,
                    Math::max));
    var published =
        evidence.operations().stream()
            .filter(operation -> operation.kind() == Kind.PUBLISH && operation.isOk())
            .collect(groupingBy(operation -> operation.target().definition()));
    for (var start : evidence.operations()) {
      var version = versions.get(start.id());
      if (start.kind() != Kind.START || version == null) {
        continue;
      }
      for (var publish : published.getOrDefault(start.target().definition(), List.of())) {
        boolean stale = publish.endedBefore(start) && version < publish.target().number();
        anomalies.addIf(stale, "C1 stale-definition", start, version, publish);
      }
    }
  }
}
