package skein.node.bench;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * By how much timers ended after they were due.
 *
 * @param early how many ended before, which none may
 */
record Lateness(int count, int early, Duration p50, Duration p99, Duration max) {

  /** For an empty list, all is zero. */
  static Lateness of(List<Duration> late) {
    var sorted = late.stream().sorted().toList();
    int early = (int) sorted.stream().filter(Duration::isNegative).count();
    return new Lateness(sorted.size(), early, at(sorted, 0.5), at(sorted, 0.99), at(sorted, 1));
  }

  /** The smallest that so large a part of them does not exceed. */
  private static Duration at(List<Duration> sorted, double part) {
    if (sorted.isEmpty()) {
      return Duration.ZERO;
    }
    int index = (int) Math.ceil(part * sorted.size()) - 1;
    return sorted.get(Math.max(0, index));
  }

  /** Violations among so many that were due; a sentence each. */
  List<String> problems(int due) {
    var problems = new ArrayList<String>();
    if (count < due) {
      problems.add((due - count) + " of " + due + " timers were not fired in time");
    }
    if (early > 0) {
      problems.add(early + " of " + due + " timers were fired before they were due");
    }
    return problems;
  }

  void addTo(JsonObject json) {
    json.put("latenessP50Millis", millis(p50))
        .put("latenessP99Millis", millis(p99))
        .put("latenessMaxMillis", millis(max))
        .put("early", early);
  }

  private static double millis(Duration time) {
    return Result.rounded(time.toNanos() / 1e6, 3);
  }
}
