package skein.faults;

import static java.util.stream.Collectors.groupingBy;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import skein.faults.Operation.Kind;
import skein.faults.Operation.Outcome;
import skein.faults.Rows.Entry;

/**
 * B1, B2, B3, U2: who resumed a bookmark was told so, alone, in order, with a token that holds, or
 * as the user who had claimed the task.
 */
final class ResumeRules {
  private final Evidence evidence;
  private final Anomalies anomalies;

  /** What each request has resumed, by its id. */
  private final Map<String, List<Entry>> resumed;

  private ResumeRules(Evidence evidence, Anomalies anomalies) {
    this.evidence = evidence;
    this.anomalies = anomalies;
    resumed =
        evidence.rows().entries().stream()
            .filter(ResumeRules::isWaitOver)
            .collect(groupingBy(entry -> String.valueOf(entry.by())));
  }

  private static boolean isWaitOver(Entry entry) {
    return Waiting.WaitKind.isAny(entry.type()) && entry.event().equals("Completed");
  }

  static void check(Evidence evidence, Anomalies anomalies) {
    var rules = new ResumeRules(evidence, anomalies);
    rules.checkBookmarks();
    rules.checkRequests();
    rules.checkOrder();
  }

  private void checkBookmarks() {
    evidence.rows().entries().stream()
        .filter(ResumeRules::isWaitOver)
        .collect(groupingBy(entry -> entry.instance() + " " + entry.activity()))
        .forEach((bookmark, times) ->
            anomalies.addIf(times.size() > 1, "B1 bookmark-consumed-twice", bookmark, times));
    evidence.operations().stream()
        .filter(operation -> operation.isResume() && operation.isOk())
        .collect(groupingBy(each -> each.target().instance() + " " + each.target().step()))
        .forEach((bookmark, told) ->
            anomalies.addIf(told.size() > 1, "B1 several-were-told-ok", bookmark, told));
  }

  private void checkRequests() {
    var known = new HashMap<String, Operation>();
    for (var operation : evidence.operations()) {
      if (operation.isResume() || operation.kind() == Kind.EVENT) {
        known.put(operation.id(), operation);
        check(operation, resumed.getOrDefault(operation.id(), List.of()));
      }
    }
    for (var by : resumed.keySet()) {
      anomalies.addIf(!known.containsKey(by), "B1 resume-from-nowhere", by, resumed.get(by));
    }
  }

  private void check(Operation request, List<Entry> done) {
    var target = request.target();
    boolean event = request.kind() == Kind.EVENT;
    if (request.isOk()) {
      int wanted = event ? target.number() : 1;
      anomalies.addIf(done.size() < wanted, "B1 resume-lost", request, done);
      anomalies.addIf(
          event && done.size() > wanted + target.pending(),
          "B1 event-counted-wrong",
          request,
          done);
    }
    anomalies.addIf(!event && done.size() > 1, "B1 resume-applied-twice", request, done);
    anomalies.addIf(
        request.outcome() == Outcome.FAIL && !done.isEmpty(),
        "B1 resume-refused-but-happened",
        request,
        done);
    boolean elsewhere =
        done.stream()
            .anyMatch(entry ->
                !entry.instance().equals(target.instance())
                    || (target.step() != null && !target.step().equals(entry.activity())));
    anomalies.addIf(elsewhere, "B1 resume-of-another-bookmark", request, done);
    var bad = request.kind() == Kind.COMPLETE ? "U2 another-user" : "B3 bad-token";
    anomalies.addIf(!target.genuine() && !done.isEmpty(), bad + "-accepted", request, done);
    anomalies.addIf(!target.genuine() && request.isOk(), bad + "-answered-ok", request);
  }

  /** What one caller was told before another asked stands before it in the journal. */
  private void checkOrder() {
    evidence.operations().stream()
        .filter(operation -> operation.isResume() && operation.isOk())
        .filter(operation -> resumed.containsKey(operation.id()))
        .collect(groupingBy(operation -> String.valueOf(operation.target().instance())))
        .values()
        .forEach(this::checkOrder);
  }

  private void checkOrder(List<Operation> ofInstance) {
    var sorted =
        ofInstance.stream()
            .sorted(Comparator.comparingLong(operation -> operation.span().endNanos()))
            .toList();
    for (var first : sorted) {
      for (var second : sorted) {
        boolean swapped = first.endedBefore(second) && sequence(first) > sequence(second);
        anomalies.addIf(swapped, "B2 resume-order", first, second);
      }
    }
  }

  private long sequence(Operation resume) {
    return resumed.getOrDefault(resume.id(), List.of()).stream()
        .mapToLong(Entry::sequence)
        .min()
        .orElse(0);
  }
}
