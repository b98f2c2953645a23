package skein.node.elsa;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is done with an instance.
 *
 * @param isThere the cluster has an instance with its id
 * @param refusal why it is left; null: it is taken, unless it is there
 */
record InstancePlan(
    ElsaInstance instance, Family family, boolean isThere, @Nullable Refusal refusal) {

  /**
   * How it depends on other instances.
   *
   * @param parent the instance that waits for its end; null: none does
   * @param children instances whose ends it waits for, by their ids
   * @param awaitsMany it waits for the ends of all that have it as their parent
   */
  record Family(@Nullable String parent, Set<String> children, boolean awaitsMany) {
    static final Family NONE = new Family(null, Set.of(), false);

    Family {
      children = Set.copyOf(children);
    }

    static Family of(InstanceFile file) {
      return new Family(
          file.isAwaited() ? file.parent() : null, file.children(), file.awaitsMany());
    }
  }

  boolean isTaken() {
    return refusal == null && !isThere;
  }

  private InstancePlan without(Reason reason, String detail) {
    return new InstancePlan(instance, family, isThere, new Refusal(reason, detail));
  }

  /**
   * The same in the order in which they are taken, an instance that waits for others before those.
   * Where one of a family is not taken, none is that depends on it: what waits for an instance that
   * only Elsa has would wait for ever.
   */
  static List<InstancePlan> whole(Collection<InstancePlan> plans) {
    var byId = new LinkedHashMap<String, InstancePlan>();
    plans.forEach(plan -> byId.put(plan.instance().id(), plan));
    boolean changed = true;
    while (changed) {
      changed = false;
      for (var plan : List.copyOf(byId.values())) {
        var left = plan.isTaken() ? plan.within(byId) : plan;
        changed |= left.isTaken() != plan.isTaken();
        byId.put(plan.instance().id(), left);
      }
    }
    var ordered = new ArrayList<InstancePlan>();
    var seen = new HashSet<String>();
    byId.values().forEach(plan -> plan.addTo(ordered, seen, byId));
    return List.copyOf(ordered);
  }

  private InstancePlan within(Map<String, InstancePlan> all) {
    var parent = family.parent();
    if (parent != null && !isHere(all.get(parent))) {
      return without(
          Reason.PARENT_NOT_TAKEN, "instance " + parent + " waits for its end and is not taken");
    }
    for (var child : family.children()) {
      if (!isHere(all.get(child))) {
        return without(
            Reason.CHILD_NOT_TAKEN,
            "it waits for the end of instance "
                + child
                + (all.containsKey(child)
                    ? ", which is not taken"
                    : ", which has ended in Elsa: let Elsa resume it"));
      }
    }
    if (family.awaitsMany()) {
      for (var other : all.values()) {
        if (instance.id().equals(other.family().parent()) && !isHere(other)) {
          return without(
              Reason.CHILD_NOT_TAKEN,
              "it waits for the end of instance " + other.instance().id() + ", which is not taken");
        }
      }
    }
    return this;
  }

  private static boolean isHere(@Nullable InstancePlan plan) {
    return plan != null && (plan.isThere() || plan.isTaken());
  }

  private void addTo(List<InstancePlan> ordered, Set<String> seen, Map<String, InstancePlan> all) {
    if (!seen.add(instance.id())) {
      return;
    }
    var parent = family.parent() == null ? null : all.get(family.parent());
    if (parent != null) {
      parent.addTo(ordered, seen, all);
    }
    ordered.add(this);
  }
}
