package skein.node.bench;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The result of a measurement.
 *
 * @param measured the median of the runs
 * @param runs operations a second of each run
 * @param surroundings what it ran on
 * @param more figures of this scenario alone
 */
record Result(
    Setup setup,
    Measured measured,
    List<Double> runs,
    Limit.Figure limit,
    JsonObject surroundings,
    JsonObject more) {

  /**
   * What was measured.
   *
   * @param waiting how many instances waited to begin with; null when none needs to
   */
  record Setup(String scenario, int callers, int nodes, @Nullable Integer waiting) {}

  Result {
    runs = List.copyOf(runs);
  }

  boolean hasFailed() {
    return measured.outcome().failures() > 0 || measured.outcome().operations() == 0;
  }

  /** The first of them, a sentence each. */
  List<String> failures() {
    if (!hasFailed()) {
      return List.of();
    }
    var outcome = measured.outcome();
    var told = new ArrayList<String>();
    told.add(
        "%s with %d callers: %d of %d operations failed"
            .formatted(
                setup.scenario(),
                setup.callers(),
                outcome.failures(),
                outcome.failures() + outcome.operations()));
    outcome.errors().forEach(error -> told.add("  " + error));
    return told;
  }

  JsonObject toJson() {
    var outcome = measured.outcome();
    var json =
        new JsonObject()
            .put("scenario", setup.scenario())
            .put("callers", setup.callers())
            .put("nodes", setup.nodes())
            .put("waiting", setup.waiting())
            .put("seconds", rounded(outcome.nanos() / 1e9, 3))
            .put("operations", outcome.operations())
            .put("failures", outcome.failures())
            .put("operationsPerSecond", rounded(outcome.perSecond(), 1));
    if (runs.size() > 1) {
      json.put("runs", new JsonArray(runs.stream().map(each -> rounded(each, 1)).toList()));
    }
    addLatencies(json, outcome.micros());
    addLimit(json);
    addCosts(json);
    var held = measured.held();
    json.put("nodeRssBytes", held.residentBytes())
        .put("nodeHeapUsedBytes", held.heapUsedBytes())
        .put("databaseSessions", held.databaseSessions())
        .mergeIn(more);
    if (!outcome.errors().isEmpty()) {
      json.put("errors", new JsonArray(outcome.errors()));
    }
    return json.put("on", surroundings);
  }

  private static void addLatencies(JsonObject json, Histogram micros) {
    boolean none = micros.getTotalCount() == 0;
    json.put("p50Millis", none ? null : millis(micros.getValueAtPercentile(50)))
        .put("p99Millis", none ? null : millis(micros.getValueAtPercentile(99)))
        .put("p999Millis", none ? null : millis(micros.getValueAtPercentile(99.9)))
        .put("maxMillis", none ? null : millis(micros.getMaxValue()));
  }

  private static double millis(long micros) {
    return rounded(micros / 1e3, 3);
  }

  private void addLimit(JsonObject json) {
    var unsafe = Durability.lost(surroundings.getJsonObject("postgresqlSettings"));
    boolean ratio = unsafe == null && limit.perSecond() > 0;
    json.put("limitPerSecond", rounded(limit.perSecond(), 1))
        .put("limitConnections", limit.connections())
        .put(
            "ratioToLimit",
            ratio ? rounded(measured.outcome().perSecond() / limit.perSecond(), 3) : null);
    if (unsafe != null) {
      json.put("noRatioBecause", unsafe);
    } else if (!ratio) {
      json.put("noRatioBecause", "the limit was not measured");
    }
  }

  private void addCosts(JsonObject json) {
    var cost = measured.cost();
    double operations = measured.outcome().operations();
    double counted = measured.countedOperations();
    boolean none = counted == 0;
    json.put("commitsPerOperation", per(cost.writes(), operations, 4))
        .put("batch", cost.writes() == 0 ? null : rounded(operations / cost.writes(), 2))
        .put("walBytesPerOperation", per(cost.walBytes(), operations, 0))
        .put(
            "transactionsPerOperation", none ? null : per(measured.counted().commits(), counted, 3))
        .put("rowsPerOperation", none ? null : per(measured.counted().changed(), counted, 2))
        .mergeIn(received(measured.received(), operations))
        .put("nodeCpuSecondsPer1000", per(cost.nodeCpuSeconds(), operations / 1_000, 4))
        .put("postgresCpuSecondsPer1000", per(cost.postgresCpuSeconds(), operations / 1_000, 4))
        .put("generatorCpuSecondsPer1000", per(cost.generatorCpuSeconds(), operations / 1_000, 4))
        .put("allocatedBytesPerOperation", per(cost.allocatedBytes(), operations, 0));
  }

  private static JsonObject received(PeerCounters.@Nullable Received all, double operations) {
    return new JsonObject()
        .put("busMessagesPerOperation", all == null ? null : per(all.busMessages(), operations, 3))
        .put("busBytesPerOperation", all == null ? null : per(all.busBytes(), operations, 0))
        .put(
            "memberPacketsPerOperation",
            all == null ? null : per(all.memberPackets(), operations, 3))
        .put("memberBytesPerOperation", all == null ? null : per(all.memberBytes(), operations, 0));
  }

  private static @Nullable Double per(@Nullable Number amount, double operations, int digits) {
    return amount == null || operations == 0
        ? null
        : rounded(amount.doubleValue() / operations, digits);
  }

  static double rounded(double value, int digits) {
    double scale = Math.pow(10, digits);
    return Math.rint(value * scale) / scale;
  }
}
