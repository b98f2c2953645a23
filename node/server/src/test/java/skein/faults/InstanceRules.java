package skein.faults;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import skein.faults.Operation.Kind;
import skein.faults.Operation.Outcome;
import skein.faults.Rows.Entry;
import skein.faults.Rows.Instance;

/** S1, S2, V1, J1: instances are there once, whole, and come to an end. */
final class InstanceRules {
  private final Evidence evidence;
  private final Anomalies anomalies;
  private final Map<String, List<Entry>> entries;
  private final Map<String, List<Long>> revisions = new HashMap<>();

  /** Of the commits that named their state as the instance names its own. */
  private final Map<String, List<Long>> states = new HashMap<>();

  private final Set<String> waiting;

  private InstanceRules(Evidence evidence, Anomalies anomalies) {
    this.evidence = evidence;
    this.anomalies = anomalies;
    var rows = evidence.rows();
    entries = rows.entries().stream().collect(groupingBy(Entry::instance));
    for (var commit : rows.commits()) {
      revisions.computeIfAbsent(commit.instance(), _ -> new ArrayList<>()).add(commit.revision());
      if (commit.isState()) {
        states.computeIfAbsent(commit.instance(), _ -> new ArrayList<>()).add(commit.revision());
      }
    }
    waiting =
        rows.open().stream()
            .filter(open -> Waiting.WaitKind.isAny(open.name()))
            .map(Rows.Open::instance)
            .collect(toSet());
  }

  static void check(Evidence evidence, Anomalies anomalies) {
    var rules = new InstanceRules(evidence, anomalies);
    rules.checkStarts();
    rules.checkCancels();
    evidence.rows().instances().forEach(rules::checkInstance);
    rules.checkOrphans();
  }

  private void checkStarts() {
    var started = new HashMap<String, List<Instance>>();
    for (var instance : evidence.rows().instances()) {
      if (instance.request() != null) {
        started.computeIfAbsent(instance.request(), _ -> new ArrayList<>()).add(instance);
      }
    }
    var asked = new HashMap<String, Operation>();
    for (var operation : evidence.operations()) {
      if (operation.kind() == Kind.START || operation.kind() == Kind.PROBE) {
        asked.put(operation.id(), operation);
        checkStart(operation, started.getOrDefault(operation.id(), List.of()));
      }
    }
    for (var instance : evidence.rows().instances()) {
      boolean known = instance.request() != null && asked.containsKey(instance.request());
      anomalies.addIf(!known && instance.parent() == null, "S1 start-from-nowhere", instance);
    }
  }

  private void checkStart(Operation start, List<Instance> found) {
    anomalies.addIf(found.size() > 1, "S1 start-duplicated", start.id(), found);
    if (start.isOk()) {
      boolean there = found.stream().anyMatch(each -> each.id().equals(start.target().instance()));
      anomalies.addIf(!there, "S1 start-lost", start.id(), start.target());
    }
    anomalies.addIf(
        start.outcome() == Outcome.FAIL && !found.isEmpty(),
        "S1 start-failed-but-happened",
        start.id(),
        start.span(),
        found);
  }

  private void checkCancels() {
    var unfinished =
        evidence.rows().instances().stream()
            .filter(instance -> !instance.isFinished())
            .map(Instance::id)
            .collect(toSet());
    for (var operation : evidence.operations()) {
      boolean promised = operation.kind() == Kind.CANCEL && operation.isOk();
      anomalies.addIf(
          promised && unfinished.contains(String.valueOf(operation.target().instance())),
          "S2 cancelled-but-goes-on",
          operation);
    }
  }

  private void checkInstance(Instance instance) {
    var id = instance.id();
    var committed = revisions.getOrDefault(id, List.of()).stream().sorted().toList();
    var expected = LongStream.rangeClosed(1, instance.revision()).boxed().toList();
    anomalies.addIf(!committed.equals(expected), "V1 version-gap-or-fork", instance, committed);
    var named = states.getOrDefault(id, List.of());
    anomalies.addIf(
        !named.equals(List.of(instance.revision())),
        "V1 state-not-of-the-last-commit",
        instance,
        named);

    var lines = entries.getOrDefault(id, List.of());
    var ends = lines.stream().filter(Entry::isEnd).map(Entry::revision).toList();
    boolean open = evidence.rows().open().stream().anyMatch(each -> each.instance().equals(id));
    if (instance.isFinished()) {
      anomalies.addIf(ends.size() != 1, "S2 terminal-not-once", instance, ends);
      anomalies.addIf(
          ends.stream().anyMatch(end -> end < instance.revision()),
          "S2 commit-after-terminal",
          instance,
          ends);
      anomalies.addIf(open, "S2 open-wait-of-finished", instance);
    } else {
      anomalies.addIf(!waiting.contains(id), "S2 stuck", instance);
    }
    anomalies.addIf(instance.status().equals("Faulted"), "S2 faulted", instance);
    checkSteps(instance, lines);
  }

  private void checkSteps(Instance instance, List<Entry> lines) {
    var times =
        lines.stream()
            .collect(groupingBy(line -> line.execution() + " " + line.event(), counting()));
    times.forEach((what, count) ->
        anomalies.addIf(count > 1, "J1 step-recorded-twice", instance.id(), what, count));
    var steps = evidence.steps().get(instance.definition());
    if (steps != null && instance.status().equals("Completed")) {
      var completed =
          lines.stream()
              .filter(line -> line.event().equals("Completed") && line.execution() > 1)
              .map(Entry::activity)
              .sorted()
              .toList();
      anomalies.addIf(
          !completed.equals(steps.stream().sorted().toList()),
          "J1 other-steps-than-defined",
          instance.id(),
          completed);
    }
  }

  private void checkOrphans() {
    var ids = evidence.rows().instances().stream().map(Instance::id).collect(toSet());
    for (var id : revisions.keySet()) {
      anomalies.addIf(!ids.contains(id), "S2 orphan", "journal", id);
    }
    for (var open : evidence.rows().open()) {
      anomalies.addIf(!ids.contains(open.instance()), "S2 orphan", open);
    }
  }
}
