package skein.node.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import skein.metrics.Distribution;
import skein.metrics.Durations;

/** Makes the snapshots of one collection. Names of counters are given without {@code _total}. */
final class Snapshots {
  private static final double MICROS = 1e6;

  private final MetricSnapshots.Builder made = MetricSnapshots.builder();

  void counter(String name, String help, long value) {
    made.metricSnapshot(
        CounterSnapshot.builder()
            .name(name)
            .help(help)
            .dataPoint(CounterDataPointSnapshot.builder().value((double) value).build())
            .build());
  }

  void counters(String name, String help, String label, Map<String, Long> values) {
    var counter = CounterSnapshot.builder().name(name).help(help);
    values.forEach((key, value) ->
        counter.dataPoint(
            CounterDataPointSnapshot.builder()
                .labels(Labels.of(label, key))
                .value(value.doubleValue())
                .build()));
    made.metricSnapshot(counter.build());
  }

  /** {@code values}: by the values of the first label, then of the second. */
  void counters(
      String name,
      String help,
      List<String> labels,
      Map<String, ? extends Map<String, Long>> values) {
    var counter = CounterSnapshot.builder().name(name).help(help);
    values.forEach((first, bySecond) ->
        bySecond.forEach((second, value) ->
            counter.dataPoint(
                CounterDataPointSnapshot.builder()
                    .labels(Labels.of(labels.getFirst(), first, labels.getLast(), second))
                    .value(value.doubleValue())
                    .build())));
    made.metricSnapshot(counter.build());
  }

  void gauge(String name, String help, long value) {
    gauge(name, help, (double) value);
  }

  void gauge(String name, String help, double value) {
    made.metricSnapshot(
        GaugeSnapshot.builder()
            .name(name)
            .help(help)
            .dataPoint(GaugeDataPointSnapshot.builder().value(value).build())
            .build());
  }

  void gauges(String name, String help, String label, Map<String, ? extends Number> values) {
    var gauge = GaugeSnapshot.builder().name(name).help(help);
    values.forEach((key, value) ->
        gauge.dataPoint(
            GaugeDataPointSnapshot.builder()
                .labels(Labels.of(label, key))
                .value(value.doubleValue())
                .build()));
    made.metricSnapshot(gauge.build());
  }

  /** A histogram in seconds. */
  void histogram(String name, String help, Durations durations) {
    histogram(name, help, durations.micros(), MICROS);
  }

  void histogram(String name, String help, Distribution distribution, double unit) {
    var point = point(distribution, unit, Labels.EMPTY);
    made.metricSnapshot(HistogramSnapshot.builder().name(name).help(help).dataPoint(point).build());
  }

  /** One in seconds for each value of a label. */
  void histograms(String name, String help, String label, Map<String, Durations> durations) {
    var histogram = HistogramSnapshot.builder().name(name).help(help);
    durations.forEach((value, found) ->
        histogram.dataPoint(point(found.micros(), MICROS, Labels.of(label, value))));
    made.metricSnapshot(histogram.build());
  }

  private static HistogramDataPointSnapshot point(
      Distribution distribution, double unit, Labels labels) {
    var bounds = new ArrayList<Double>();
    Arrays.stream(distribution.bounds()).forEach(bound -> bounds.add(bound / unit));
    bounds.add(Double.POSITIVE_INFINITY);
    var counts = Arrays.stream(distribution.counts()).boxed().toList();
    return HistogramDataPointSnapshot.builder()
        .labels(labels)
        .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, counts))
        .sum(distribution.sum() / unit)
        .build();
  }

  MetricSnapshots all() {
    return made.build();
  }
}
