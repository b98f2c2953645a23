package skein.faults;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import skein.faults.Operation.Outcome;
import skein.faults.Rows.Entry;

/**
 * V2, V3, V4: the state of an instance is the fold of its journal. A workflow appends to a list
 * what each of its waits was completed with, so the list says which bursts the state contains and
 * in which order.
 */
final class StateRules {
  private final Evidence evidence;
  private final Anomalies anomalies;
  private final Map<String, List<Entry>> entries;

  private StateRules(Evidence evidence, Anomalies anomalies) {
    this.evidence = evidence;
    this.anomalies = anomalies;
    entries = evidence.rows().entries().stream().collect(groupingBy(Entry::instance));
  }

  static void check(Evidence evidence, Anomalies anomalies) {
    var rules = new StateRules(evidence, anomalies);
    evidence.kept().forEach(rules::checkJournal);
    rules.checkAnswers();
  }

  private void checkJournal(String instance, List<String> kept) {
    var lines =
        entries.getOrDefault(instance, List.of()).stream()
            .filter(entry -> entry.event().equals("Completed"))
            .sorted(Comparator.comparingLong(Entry::sequence))
            .toList();
    Map<String, String> completedWith =
        lines.stream()
            .filter(entry -> entry.by() != null)
            .collect(toMap(Entry::activity, entry -> String.valueOf(entry.by()), (a, _) -> a));
    var folded = new ArrayList<String>();
    for (var line : lines) {
      var of = Definitions.kept(line.activity());
      if (of != null) {
        folded.add(completedWith.getOrDefault(of, of));
      }
    }
    anomalies.addIf(!folded.equals(kept), "V2 state-is-not-its-journal", instance, folded, kept);
  }

  private void checkAnswers() {
    for (var operation : evidence.operations()) {
      var kept = evidence.kept().get(String.valueOf(operation.target().instance()));
      if (kept != null) {
        boolean there = kept.contains(operation.id());
        anomalies.addIf(
            resumed(operation) && !there, "V3 state-without-an-answered-burst", operation, kept);
        anomalies.addIf(
            operation.outcome() == Outcome.FAIL && there,
            "V4 state-with-a-refused-burst",
            operation,
            kept);
      }
    }
  }

  /** Whether its caller was told that it completed a wait. */
  private static boolean resumed(Operation operation) {
    boolean event = operation.kind() == Operation.Kind.EVENT && operation.target().number() > 0;
    return operation.isOk() && (event || operation.isResume());
  }
}
