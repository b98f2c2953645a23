package skein.node.verify;

import java.util.Optional;

/** What a node has counted of its locks since its start. */
record LockFigures(double acquired, double seconds, double contended, double failed) {
  private static final LockFigures NONE = new LockFigures(0, 0, 0, 0);

  /** Of all nodes together; empty when one does not show its metrics. */
  static Optional<LockFigures> of(Site site) {
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

  static LockFigures read(String page) {
    return new LockFigures(
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

  private LockFigures plus(LockFigures other) {
    return new LockFigures(
        acquired + other.acquired,
        seconds + other.seconds,
        contended + other.contended,
        failed + other.failed);
  }

  LockFigures minus(LockFigures before) {
    return new LockFigures(
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
