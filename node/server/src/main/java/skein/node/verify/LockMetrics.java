package skein.node.verify;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Counters of the locks of a node since its start. */
record LockMetrics(double acquired, double seconds, double contended, double failed) {
  private static final LockMetrics NONE = new LockMetrics(0, 0, 0, 0);

  /** Nodes answer with a page that they made before for a second at most. */
  private static final Duration PAGE_KEPT_MAX = Duration.ofMillis(1_100);

  /**
   * Of all nodes together, with all that was counted before the call; empty when one does not show
   * its metrics. It waits until no node can have an older page.
   */
  static Optional<LockMetrics> of(Site site) {
    LockSupport.parkNanos(PAGE_KEPT_MAX.toNanos());
    var sum = NONE;
    for (var node : site.nodes()) {
      var page = node.client().get("/metrics");
      if (!page.isSuccess()) {
        return Optional.empty();
      }
      sum = sum.plus(read(page.body()));
    }
    return Optional.of(sum);
  }

  static LockMetrics read(String page) {
    return new LockMetrics(
        sum(page, "skein_lock_acquisition_seconds_count"),
        sum(page, "skein_lock_acquisition_seconds_sum"),
        sum(page, "skein_lock_contended_total"),
        sum(page, "skein_lock_failures_total"));
  }

  /** Over all labels. */
  private static double sum(String page, String name) {
    return page.lines()
        .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private LockMetrics plus(LockMetrics other) {
    return new LockMetrics(
        acquired + other.acquired,
        seconds + other.seconds,
        contended + other.contended,
        failed + other.failed);
  }

  LockMetrics minus(LockMetrics before) {
    return new LockMetrics(
        acquired - before.acquired,
        seconds - before.seconds,
        contended - before.contended,
        failed - before.failed);
  }

  /** The mean time of one acquisition, in milliseconds. */
  double meanMillis() {
    return acquired == 0 ? 0 : seconds * 1_000 / acquired;
  }
}
