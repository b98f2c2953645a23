package skein.docker;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import skein.metrics.ScannerMetrics;
import skein.metrics.WorkMetrics;
import skein.node.metrics.Exposition;
import skein.node.metrics.NodeMetrics;
import skein.node.metrics.SampledMetrics;
import skein.storage.CountStore;
import skein.storage.SchedulerMetrics;
import skein.storage.ServerMetrics;

/** What Prometheus gets of a node: series by name, with the names of their labels. */
final class Scrape {
  private static final Pattern LABEL = Pattern.compile("([a-zA-Z_]+)=\"");

  private Scrape() {}

  /** Of a node on which most things have happened once. */
  static Map<String, Set<String>> labelsByName() {
    var metrics = NodeMetrics.none(10, 10);
    metrics.http().answered(200);
    metrics.passes().scanner().knows("orphan-bookmark");
    metrics.passes().scanner().active(true);
    metrics.passes().scanner().passed(new ScannerMetrics.Seen(Map.of("unattended", 1L), 20));
    metrics.work().ended("http", WorkMetrics.Outcome.DONE, System.nanoTime());
    metrics.links().answered("n2", System.nanoTime());
    metrics.links().lost("n2");
    var scheduler = new SchedulerMetrics(9, 2, 12, 1, 4, Duration.ZERO, Duration.ZERO);
    var counts =
        new CountStore.Counts(
            Map.of(),
            Map.of(),
            Map.of(),
            new CountStore.Unfinished(
                CountStore.ByOwner.NONE, new CountStore.ByOwner(Map.of("shop", 3L), 1)),
            1,
            Duration.ofSeconds(2),
            Duration.ofMillis(4));
    var sampled =
        new SampledMetrics(
            new SampledMetrics.Scheduler(() -> scheduler, () -> 1),
            () -> 3,
            () -> 0,
            new SampledMetrics.Connections(() -> 4, () -> 10),
            () -> ServerMetrics.Locking.NONE,
            () -> counts,
            new SampledMetrics.OwnState(
                () -> 0,
                () -> false,
                () -> Map.of("http", 90.0),
                new SampledMetrics.Received(
                    () -> Map.of("bus", 3L, "members", 4L),
                    () -> Map.of("bus", 300L, "members", 400L))));
    try (var exposition = new Exposition(metrics, sampled)) {
      return read(new String(exposition.text(), StandardCharsets.UTF_8));
    }
  }

  private static Map<String, Set<String>> read(String text) {
    var labels = new TreeMap<String, Set<String>>();
    text.lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(line -> {
          var found = LABEL.matcher(line);
          var names = labels.computeIfAbsent(line.split("[{ ]", 2)[0], _ -> new TreeSet<>());
          while (found.find()) {
            names.add(found.group(1));
          }
        });
    return labels;
  }
}
