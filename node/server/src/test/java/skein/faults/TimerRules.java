package skein.faults;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import skein.faults.Rows.Gone;
import skein.faults.Rows.Instance;

/** T1, T2, T3: a delay ends once, not early by the database's clock, and not much late. */
final class TimerRules {
  private TimerRules() {}

  static void check(Evidence evidence, Duration lateMax, Anomalies anomalies) {
    var rows = evidence.rows();
    Map<String, Instance> instances =
        rows.instances().stream().collect(toMap(Instance::id, instance -> instance, (a, _) -> a));
    var gone = rows.timers().stream().collect(groupingBy(Gone::id));
    for (var bookmark : rows.bookmarks()) {
      if (!bookmark.name().equals("Elsa.Delay")) {
        continue;
      }
      var instance = instances.get(bookmark.instance());
      var times = gone.getOrDefault(bookmark.id(), List.of());
      boolean over = instance != null && instance.isFinished();
      anomalies.addIf(
          times.size() > 1 || (over && times.isEmpty()), "T1 timer-not-once", bookmark, times);
      if (instance == null || instance.isCancelled()) {
        continue; // its timers were taken away, not fired
      }
      for (var time : times) {
        var latest =
            (time.dueAt().isAfter(evidence.faultsEnd()) ? time.dueAt() : evidence.faultsEnd())
                .plus(lateMax);
        anomalies.addIf(time.goneAt().isBefore(time.dueAt()), "T2 timer-early", time);
        anomalies.addIf(time.goneAt().isAfter(latest), "T3 timer-late", time);
      }
    }
  }
}
