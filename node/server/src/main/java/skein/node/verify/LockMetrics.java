package skein.node.verify;

import java.util.Optional;

/** What a node has counted of its locks since its start. */
record LockMetrics(double acquired, double seconds, double contended, double failed) {
  private static final LockMetrics NONE = new LockMetrics(0, 0, 0, 0);

  /** Of all nodes together; empty when one does not show its metrics. */
  static Optional<LockMetrics> of(Site site) {
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

  /** Of one acquisition, in milliseconds. */
  double meanMillis() {
    return acquired == 0 ? 0 : seconds * 1_000 / acquired;
  }
}
