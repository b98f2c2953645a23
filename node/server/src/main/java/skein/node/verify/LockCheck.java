package skein.node.verify;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Item 6: the nodes lock instances, soon enough, and none of the locks stays behind. */
final class LockCheck {
  private static final int CALLERS = 50;

  /** Uncontended resumes, one after the other. */
  private static final int ALONE = 10;

  /** The guide's bound for the faster of its two providers, for an uncontended lock. */
  private static final double MEAN_MILLIS_MAX = 100;

  private static final long NEXT_MILLIS_MAX = 1_000;
  private static final String NONE = "none";

  private final Site site;
  private final List<String> complaints = new ArrayList<>();

  LockCheck(Site site) {
    this.site = site;
  }

  CheckResult run() {
    checkProvider();
    var definitionId = site.traces().definitionId("locks");
    site.traces().publish(site.client(0), Workflows.approval(definitionId));
    var before = LockMetrics.of(site);
    for (int number = 0; number < ALONE; number++) {
      var alone = site.traces().start(site.client(number), definitionId);
      site.traces().resume(site.client(number + 1), alone);
    }
    var between = LockMetrics.of(site);
    var id = site.traces().start(site.client(0), definitionId);
    var answers = new TreeMap<String, Integer>();
    ConcurrentCalls.call(CALLERS, number -> site.traces().resume(site.client(number), id).outcome())
        .forEach(outcome -> answers.merge(outcome, 1, Integer::sum));
    long next = nextMillis(id);
    var alone = difference(before, between);
    var after = LockMetrics.of(site);
    var race = difference(between, after);
    alone.ifPresent(this::checkTime);
    difference(before, after).ifPresent(this::checkFailures);
    return CheckResult.of(
        complaints,
        "locks: %s; %s; %d resumes of one instance at once: %s, %s; the next command to it was answered after %d ms"
            .formatted(
                providers(),
                alone.map(LockCheck::text).orElse("times not seen (metrics.enabled is false)"),
                CALLERS,
                ResumeCheck.text(answers),
                race.map(seen -> "%.0f waited".formatted(seen.contended()))
                    .orElse("waits not seen"),
                next),
        numbers(alone, race, next));
  }

  private static Optional<LockMetrics> difference(
      Optional<LockMetrics> before, Optional<LockMetrics> after) {
    return before.flatMap(old -> after.map(now -> now.minus(old)));
  }

  private void checkProvider() {
    var without =
        site.nodes().stream()
            .filter(node -> node.locks().equals(NONE))
            .map(NodeView::name)
            .collect(Collectors.joining(", "));
    if (!without.isEmpty()) {
      complaints.add(
          "Locks are off on "
              + without
              + " (cluster.locks: none): commits still keep bursts apart, but nodes that"
              + " disagree about the owner of an instance execute the same resume, all but one in"
              + " vain");
    }
  }

  private String providers() {
    var names =
        site.nodes().stream()
            .map(NodeView::locks)
            .map(locks -> locks.isEmpty() ? "unknown" : locks)
            .distinct()
            .sorted()
            .toList();
    return names.size() == 1
        ? names.getFirst()
        : site.nodes().stream()
            .map(node -> node.name() + " " + node.locks())
            .collect(Collectors.joining(", "));
  }

  /** A lock that stayed behind would let it wait for {@code execution.lock-timeout}. */
  private long nextMillis(String id) {
    var answer = site.traces().resume(site.client(1), id);
    long millis = answer.took().toMillis();
    if (millis > NEXT_MILLIS_MAX) {
      complaints.add(
          "The next command to the instance waited for " + millis + " ms: a lock is stuck");
    }
    return millis;
  }

  private void checkTime(LockMetrics alone) {
    if (alone.meanMillis() > MEAN_MILLIS_MAX) {
      complaints.add(
          "An uncontended lock is acquired after %.1f ms in the mean, more than %.0f"
              .formatted(alone.meanMillis(), MEAN_MILLIS_MAX));
    }
  }

  private void checkFailures(LockMetrics metrics) {
    if (metrics.failed() > 0) {
      complaints.add(
          "%.0f locks were not had (skein_lock_failures_total)".formatted(metrics.failed()));
    }
  }

  private static String text(LockMetrics alone) {
    if (alone.acquired() == 0) {
      return "no lock was acquired";
    }
    return "%.0f uncontended locks were acquired after %.2f ms in the mean"
        .formatted(alone.acquired(), alone.meanMillis());
  }

  private static Map<String, Object> numbers(
      Optional<LockMetrics> alone, Optional<LockMetrics> race, long nextMillis) {
    var numbers = new LinkedHashMap<String, Object>();
    numbers.put("resumes", CALLERS);
    numbers.put("nextMs", nextMillis);
    alone.ifPresent(seen -> {
      numbers.put("acquired", seen.acquired());
      numbers.put("meanMs", seen.meanMillis());
    });
    race.ifPresent(seen -> {
      numbers.put("contended", seen.contended());
      numbers.put("failed", seen.failed());
    });
    return numbers;
  }
}
