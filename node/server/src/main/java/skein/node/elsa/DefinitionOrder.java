package skein.node.elsa;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Puts definitions after those that they use, as far as they do not use each other. */
final class DefinitionOrder {
  private final Map<String, DefinitionPlan> byId = new LinkedHashMap<>();
  private final List<DefinitionPlan> ordered = new ArrayList<>();
  private final Set<String> seen = new HashSet<>();

  private DefinitionOrder() {}

  static List<DefinitionPlan> of(Collection<DefinitionPlan> plans) {
    var order = new DefinitionOrder();
    plans.forEach(plan -> order.byId.put(plan.definitionId(), plan));
    plans.forEach(order::add);
    return List.copyOf(order.ordered);
  }

  private void add(DefinitionPlan plan) {
    if (seen.add(plan.definitionId())) {
      for (var used : plan.uses()) {
        var other = byId.get(used);
        if (other != null) {
          add(other);
        }
      }
      ordered.add(plan);
    }
  }
}
