package skein.node.elsa;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.node.elsa.InstancePlan.Family;

/** Plans instances, and gives them to the cluster unless it is a dry run. Used once. */
final class InstanceTransfer {
  private final ElsaSource source;
  private final Cluster cluster;
  private final DefinitionTransfer definitions;
  private final Situation situation;
  private final StateCheck states;
  private final Consumer<Item> tell;
  private final Set<String> failed = new HashSet<>();

  /** What each instance waited for when it was planned. */
  private final Map<String, Map<String, String>> waits = new HashMap<>();

  /** {@code definitions}: they have been imported, or a dry run of them was made. */
  InstanceTransfer(
      ElsaSource source,
      Cluster cluster,
      DefinitionTransfer definitions,
      Situation situation,
      StateCheck states,
      Consumer<Item> tell) {
    this.source = source;
    this.cluster = cluster;
    this.definitions = definitions;
    this.situation = situation;
    this.states = states;
    this.tell = tell;
  }

  void run(List<ElsaInstance> instances, boolean dryRun) {
    var plans = new ArrayList<InstancePlan>();
    instances.forEach(instance -> plans.add(plan(instance)));
    for (var plan : InstancePlan.whole(plans)) {
      var refusal = plan.refusal();
      if (refusal != null) {
        tell.accept(Item.left(plan.instance(), refusal));
      } else if (plan.isThere()) {
        tell.accept(Item.of(plan.instance(), Item.Action.SAME, ""));
      } else if (dryRun) {
        tell.accept(Item.of(plan.instance(), Item.Action.TAKE, ""));
      } else {
        tell.accept(moved(plan));
      }
    }
  }

  private InstancePlan plan(ElsaInstance instance) {
    if (instance.refusal() != null) {
      return new InstancePlan(instance, Family.NONE, false, instance.refusal());
    }
    InstanceFile file;
    try {
      file = new InstanceFile(source.file(instance));
    } catch (RefusedException e) {
      return new InstancePlan(instance, Family.NONE, false, e.refusal());
    }
    waits.put(instance.id(), file.waits());
    var family = Family.of(file);
    var there = cluster.instance(instance.id());
    return there == null
        ? new InstancePlan(instance, family, false, refusal(instance, file))
        : new InstancePlan(instance, family, true, difference(instance, file, there));
  }

  private @Nullable Refusal refusal(ElsaInstance instance, InstanceFile file) {
    var refusal = file.refusal();
    var definition = definitions.definition(instance);
    if (refusal == null && (definition == null || definitions.version(instance) == null)) {
      refusal = definitions.missing(instance);
    }
    if (refusal == null && definition != null) {
      refusal = states.refusal(file, definition);
    }
    var elsaRuns = situation.elsaRuns();
    return refusal == null && elsaRuns != null
        ? new Refusal(Reason.ELSA_MAY_RUN, "Elsa may go on with it: " + elsaRuns)
        : refusal;
  }

  /** An instance that is there is never replaced: it may have gone on. */
  private static @Nullable Refusal difference(
      ElsaInstance instance, InstanceFile file, InstanceFile there) {
    var other = Json.textOr(there.json(), "definitionId");
    if (!other.equals(instance.definitionId())) {
      return new Refusal(
          Reason.DIFFERS, "the cluster has an instance of " + other + " with this id");
    }
    return there.places().equals(file.places())
        ? null
        : new Refusal(
            Reason.DIFFERS,
            "it is there and has gone on: it waits at "
                + InstanceFile.text(file.places())
                + " in Elsa, and at "
                + InstanceFile.text(there.places())
                + " in the cluster");
  }

  /** Throws {@link RefusedException} when Elsa has gone on with it since it was planned. */
  private void requireAtRest(ElsaInstance instance, InstanceFile file) {
    var refusal = file.refusal();
    if (refusal != null) {
      throw new RefusedException(refusal);
    }
    var before = Objects.requireNonNull(waits.get(instance.id()));
    if (!before.equals(file.waits())) {
      throw new RefusedException(
          Reason.ELSA_MAY_RUN,
          "Elsa has gone on with it during the import: it waited at "
              + InstanceFile.text(new TreeSet<>(before.values()))
              + ", and waits anew at "
              + InstanceFile.text(file.places()));
    }
  }

  private Item moved(InstancePlan plan) {
    var instance = plan.instance();
    var parent = plan.family().parent();
    if (parent != null && failed.contains(parent)) {
      failed.add(instance.id());
      return Item.left(
          instance,
          new Refusal(
              Reason.PARENT_NOT_TAKEN,
              "instance " + parent + " waits for its end and was refused"));
    }
    try {
      var file = new InstanceFile(source.file(instance));
      requireAtRest(instance, file);
      cluster.restore(file.of(Objects.requireNonNull(definitions.version(instance))));
      return Item.of(instance, Item.Action.TAKEN, "waits at " + InstanceFile.text(file.places()));
    } catch (RefusedException e) {
      failed.add(instance.id());
      var refusal = e.refusal();
      return Item.left(
          instance,
          parent == null
              ? refusal
              : new Refusal(
                  refusal.reason(),
                  refusal.detail() + "; instance " + parent + " waits for it in the cluster"));
    }
  }
}
