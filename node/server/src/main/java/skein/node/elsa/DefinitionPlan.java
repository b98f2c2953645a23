package skein.node.elsa;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is done with the versions of one definition, in the order in which the cluster is given
 * them: first those that only instances need, then the published one, then the draft. The cluster
 * makes a new version only where the one before is published, so each that is followed by another
 * one is published for a moment.
 *
 * @param retracts whether nothing of it may stay published: Elsa has none that is
 * @param isLeftPublished whether the cluster has published a version that it needs for a moment
 *     only: an import ended before it was retracted
 */
record DefinitionPlan(List<Step> steps, boolean retracts, boolean isLeftPublished) {
  DefinitionPlan {
    steps = List.copyOf(steps);
  }

  /** {@code publishes}: whether the cluster has to publish it, for a moment at least. */
  record Step(ElsaDefinition definition, boolean publishes, Verdict verdict) {
    Step decided(Verdict next) {
      return new Step(definition, publishes, next);
    }
  }

  /** What is done with a version. */
  sealed interface Verdict {
    /** The cluster is given it. */
    record Take() implements Verdict {}

    /** The cluster has it already. */
    record Same(ClusterVersion version) implements Verdict {}

    /** It is not taken. */
    record Leave(Refusal refusal) implements Verdict {}
  }

  /**
   * Decides.
   *
   * @param versions of one definition; in any order
   * @param there what the cluster has of it, the newest first
   */
  static DefinitionPlan of(
      List<ElsaDefinition> versions, List<ClusterVersion> there, Situation situation) {
    var contents = new LinkedHashMap<ClusterVersion, String>();
    there.forEach(version -> contents.put(version, Content.of(version.document())));
    var ordered = ordered(versions);
    boolean changed = isChanged(ordered, contents) && !situation.overwrite();
    var steps = new ArrayList<Step>();
    for (int i = 0; i < ordered.size(); i++) {
      var definition = ordered.get(i);
      boolean publishes = definition.isPublished() || i < ordered.size() - 1;
      var same = same(definition, contents);
      boolean isKept =
          same != null
              && (same.isPublished() || !definition.isPublished())
              && !(publishes && same.isDraft());
      steps.add(
          new Step(definition, publishes, verdict(definition, isKept ? same : null, changed)));
    }
    boolean published = versions.stream().anyMatch(ElsaDefinition::isPublished);
    boolean retracts = !published && ordered.size() > 1;
    return new DefinitionPlan(again(steps), retracts, retracts && isLeft(steps, contents))
        .checked(situation);
  }

  private static List<ElsaDefinition> ordered(List<ElsaDefinition> versions) {
    return versions.stream()
        .sorted(
            Comparator.comparingInt(DefinitionPlan::rank).thenComparingInt(ElsaDefinition::version))
        .toList();
  }

  private static int rank(ElsaDefinition version) {
    return version.isPublished() ? 1 : version.isLatest() ? 2 : 0;
  }

  /** Whether the cluster has a version that is none of Elsa's. */
  private static boolean isChanged(
      List<ElsaDefinition> versions, Map<ClusterVersion, String> there) {
    var known = new HashSet<String>();
    versions.forEach(version -> known.add(Content.of(version.document())));
    return !known.containsAll(there.values());
  }

  /** {@code same}: the version of the cluster that stays what it is; null: there is none. */
  private static Verdict verdict(
      ElsaDefinition definition, @Nullable ClusterVersion same, boolean changed) {
    var refusal = definition.refusal();
    if (refusal != null) {
      return new Verdict.Leave(refusal);
    }
    if (same != null) {
      return new Verdict.Same(same);
    }
    return changed
        ? new Verdict.Leave(
            new Refusal(
                Reason.DIFFERS,
                "the cluster has other versions of "
                    + definition.definitionId()
                    + ": --overwrite makes this one the newest"))
        : new Verdict.Take();
  }

  private static boolean isLeft(List<Step> steps, Map<ClusterVersion, String> there) {
    var published = new HashSet<String>();
    there.forEach((version, content) -> {
      if (version.isPublished()) {
        published.add(content);
      }
    });
    return steps.stream()
        .filter(Step::publishes)
        .anyMatch(step -> published.contains(Content.of(step.definition().document())));
  }

  /** The one that is published, if there is such; else the newest; null: there is none. */
  private static @Nullable ClusterVersion same(
      ElsaDefinition definition, Map<ClusterVersion, String> there) {
    var content = Content.of(definition.document());
    ClusterVersion newest = null;
    for (var version : there.entrySet()) {
      if (version.getValue().equals(content)) {
        if (version.getKey().isPublished()) {
          return version.getKey();
        }
        newest = newest == null ? version.getKey() : newest;
      }
    }
    return newest;
  }

  /** What has to be the newest is given again after one that is taken. */
  private static List<Step> again(List<Step> steps) {
    var result = new ArrayList<Step>();
    boolean taken = false;
    for (var step : steps) {
      boolean repeated = taken && step.verdict() instanceof Verdict.Same && isNewest(step);
      taken |= step.verdict() instanceof Verdict.Take;
      result.add(repeated ? step.decided(new Verdict.Take()) : step);
    }
    return result;
  }

  private static boolean isNewest(Step step) {
    return step.definition().isPublished() || step.definition().isLatest();
  }

  /** Nothing may start in Elsa and here, and nothing by a version that Elsa does not start. */
  private DefinitionPlan checked(Situation situation) {
    var published = steps.stream().filter(DefinitionPlan::isPublished).toList();
    var elsaRuns = situation.elsaRuns();
    if (elsaRuns != null
        && published.stream().anyMatch(step -> Triggers.isTimed(step.definition().model()))) {
      return without(
          new Refusal(Reason.ELSA_MAY_RUN, "it starts by itself, in Elsa and here: " + elsaRuns));
    }
    boolean early =
        published.stream()
            .filter(step -> retracts || !step.definition().isPublished())
            .anyMatch(step -> Triggers.isStartable(step.definition().model()));
    if (early && !situation.clusterPaused()) {
      return without(
          new Refusal(
              Reason.CLUSTER_NOT_PAUSED,
              "an earlier version, which instances need, is published for a moment and has"
                  + " triggers: pause the runtime of the cluster first"));
    }
    return this;
  }

  private static boolean isPublished(Step step) {
    return step.publishes() && step.verdict() instanceof Verdict.Take;
  }

  /** Nothing more of the definition is taken. */
  DefinitionPlan without(Refusal refusal) {
    var left = new ArrayList<Step>();
    for (var step : steps) {
      left.add(
          step.verdict() instanceof Verdict.Take ? step.decided(new Verdict.Leave(refusal)) : step);
    }
    return new DefinitionPlan(left, retracts, isLeftPublished);
  }

  /** The versions that are to be taken. */
  List<ElsaDefinition> taken() {
    return steps.stream()
        .filter(step -> step.verdict() instanceof Verdict.Take)
        .map(Step::definition)
        .toList();
  }

  /** The newest of those that the cluster has to publish, of which there is one. */
  ElsaDefinition lastPublished() {
    return steps.stream().filter(Step::publishes).toList().getLast().definition();
  }

  String definitionId() {
    return steps.getFirst().definition().definitionId();
  }

  /** The ids of the definitions that the versions to be taken name, their own left out. */
  Set<String> uses() {
    var uses = new HashSet<String>();
    taken().forEach(definition -> collect(definition.model().get("root"), uses));
    uses.remove(definitionId());
    return uses;
  }

  private static void collect(@Nullable Object value, Set<String> uses) {
    switch (value) {
      case Map<?, ?> map -> {
        if (map.get("workflowDefinitionId") instanceof String id) {
          uses.add(id);
        }
        map.forEach((name, member) -> {
          if ("workflowDefinitionId".equals(name) && member instanceof Map<?, ?> input) {
            uses.add(Objects.toString(Json.object(input, "expression").get("value"), ""));
          }
          collect(member, uses);
        });
      }
      case Iterable<?> list -> list.forEach(item -> collect(item, uses));
      case null, default -> {}
    }
  }
}
