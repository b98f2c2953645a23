package skein.node.elsa;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.node.elsa.DefinitionPlan.Verdict;

/** Plans definitions, and gives them to the cluster unless it is a dry run. Used once. */
final class DefinitionTransfer {
  /** In a dry run, of versions that the cluster does not have yet. */
  private static final VersionRef PLANNED = new VersionRef("", 0);

  private final Cluster cluster;
  private final Situation situation;
  private final boolean dryRun;
  private final Consumer<Item> tell;

  /** The versions that the cluster has, or is to have, by the ids that they have in Elsa. */
  private final Map<String, VersionRef> here = new HashMap<>();

  private final Map<String, ElsaDefinition> known = new HashMap<>();
  private final Map<String, Refusal> left = new HashMap<>();

  /** The labels of what was not there before. */
  private final Set<String> newLabels = new HashSet<>();

  DefinitionTransfer(Cluster cluster, Situation situation, boolean dryRun, Consumer<Item> tell) {
    this.cluster = cluster;
    this.situation = situation;
    this.dryRun = dryRun;
    this.tell = tell;
  }

  void run(List<ElsaDefinition> definitions) {
    var byId = new LinkedHashMap<String, List<ElsaDefinition>>();
    for (var definition : definitions) {
      known.put(definition.versionId(), definition);
      byId.computeIfAbsent(definition.definitionId(), _ -> new ArrayList<>()).add(definition);
    }
    var plans = byId.values().stream().map(this::plan).toList();
    DefinitionOrder.of(plans).forEach(this::execute);
  }

  private DefinitionPlan plan(List<ElsaDefinition> versions) {
    var there = cluster.versions(versions.getFirst().definitionId());
    var plan = DefinitionPlan.of(versions, there, situation);
    for (var step : plan.steps()) {
      if (step.verdict() instanceof Verdict.Take) {
        var refusal = cluster.refusal(step.definition(), step.publishes());
        if (refusal != null) {
          return plan.without(refusal);
        }
      }
    }
    return plan;
  }

  private void execute(DefinitionPlan plan) {
    Refusal failure = null;
    boolean taken = false;
    for (var step : plan.steps()) {
      var definition = step.definition();
      switch (step.verdict()) {
        case Verdict.Same(var version) -> {
          here.put(definition.versionId(), new VersionRef(version.versionId(), version.version()));
          tell.accept(Item.of(definition, Item.Action.SAME, at(version.version())));
        }
        case Verdict.Leave(var refusal) -> leave(definition, refusal);
        case Verdict.Take() -> {
          failure = failure == null ? taken(step) : failure;
          if (failure == null) {
            taken = true;
            newLabels.addAll(definition.labels());
          } else {
            leave(definition, failure);
          }
        }
      }
    }
    boolean remains = plan.isLeftPublished() || taken;
    if (plan.retracts() && remains && !dryRun) {
      retract(plan);
    }
  }

  /** A line of its own where the cluster refuses it: the versions themselves are there. */
  private void retract(DefinitionPlan plan) {
    try {
      cluster.retract(plan.definitionId());
    } catch (RefusedException e) {
      tell.accept(
          Item.left(
              plan.lastPublished(),
              new Refusal(
                  e.refusal().reason(),
                  "it stays published in the cluster, other than in Elsa: "
                      + e.refusal().detail())));
    }
  }

  private void leave(ElsaDefinition definition, Refusal refusal) {
    left.put(definition.versionId(), refusal);
    tell.accept(Item.left(definition, refusal));
  }

  /** Null: it was taken, or would be. */
  private @Nullable Refusal taken(DefinitionPlan.Step step) {
    var definition = step.definition();
    if (dryRun) {
      here.put(definition.versionId(), PLANNED);
      tell.accept(Item.of(definition, Item.Action.TAKE, ""));
      return null;
    }
    try {
      var saved = cluster.save(definition, step.publishes());
      here.put(definition.versionId(), saved);
      tell.accept(Item.of(definition, Item.Action.TAKEN, at(saved.version())));
      return null;
    } catch (RefusedException e) {
      return e.refusal();
    }
  }

  private static String at(int version) {
    return "version " + version + " in the cluster";
  }

  /** A line for each label: whether a definition has it that the cluster has, or is to have. */
  void tellLabels(List<String> labels) {
    Map<String, Set<String>> used = new HashMap<>();
    for (var versionId : here.keySet()) {
      var definition = known.get(versionId);
      if (definition != null) {
        definition
            .labels()
            .forEach(label ->
                used.computeIfAbsent(label, _ -> new HashSet<>()).add(definition.definitionId()));
      }
    }
    for (var label : labels) {
      int count = used.getOrDefault(label, Set.of()).size();
      tell.accept(
          new Item(
              Item.Kind.LABEL,
              label,
              null,
              null,
              count == 0 ? Item.Action.LEFT : labelled(label),
              count == 0 ? Reason.LABEL_UNUSED : null,
              count == 0
                  ? "no definition has it that is taken"
                  : "in customProperties.labels of "
                      + count
                      + (count == 1 ? " definition" : " definitions")));
    }
  }

  private Item.Action labelled(String label) {
    if (!newLabels.contains(label)) {
      return Item.Action.SAME;
    }
    return dryRun ? Item.Action.TAKE : Item.Action.TAKEN;
  }

  /** The version that an instance begins with in the cluster; null when it is not taken. */
  @Nullable VersionRef version(ElsaInstance instance) {
    return here.get(instance.versionId());
  }

  /** Elsa's version; null when Elsa does not have it. */
  @Nullable ElsaDefinition definition(ElsaInstance instance) {
    return known.get(instance.versionId());
  }

  /** Why an instance has no version in the cluster. */
  Refusal missing(ElsaInstance instance) {
    var refusal = left.get(instance.versionId());
    return new Refusal(
        Reason.DEFINITION_NOT_TAKEN,
        instance.definitionId()
            + " version "
            + instance.version()
            + (refusal == null
                ? " is not in Elsa any more"
                : " is not taken: " + refusal.reason() + ", " + refusal.detail()));
  }
}
