package skein.faults;

import static java.util.stream.Collectors.groupingBy;

import java.util.Comparator;
import java.util.List;
import skein.faults.Rows.Taken;

/** L1, L2: epochs of a lease go up, each has one holder, and who was deposed writes no more. */
final class LeaseRules {
  private LeaseRules() {}

  static void check(Evidence evidence, Anomalies anomalies) {
    evidence.rows().leases().stream()
        .collect(groupingBy(Taken::name))
        .values()
        .forEach(lease -> check(lease, anomalies));
  }

  private static void check(List<Taken> lease, Anomalies anomalies) {
    var ordered = lease.stream().sorted(Comparator.comparingLong(Taken::order)).toList();
    for (int i = 1; i < ordered.size(); i++) {
      var before = ordered.get(i - 1);
      var after = ordered.get(i);
      boolean sameHolder = before.holder().equals(after.holder());
      if (after.epoch() < before.epoch()) {
        anomalies.add("L2 commit-by-deposed-leader", before, after);
      } else if (after.epoch() == before.epoch()) {
        anomalies.add("L1 epoch-not-increasing", sameHolder ? "again" : "stolen", before, after);
      }
    }
  }
}
