package skein.node.bench;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** All that was measured, for programs and for people. */
public final class Report {
  private static final List<String> COLUMNS =
      List.of(
          "scenario",
          "callers",
          "nodes",
          "operationsPerSecond",
          "p50Millis",
          "p99Millis",
          "maxMillis",
          "limitPerSecond",
          "ratioToLimit",
          "commitsPerOperation",
          "walBytesPerOperation",
          "rowsPerOperation",
          "nodeCpuSecondsPer1000",
          "postgresCpuSecondsPer1000",
          "generatorCpuSecondsPer1000",
          "allocatedBytesPerOperation",
          "failures");

  private final List<Result> results;

  Report(List<Result> results) {
    this.results = List.copyOf(results);
  }

  /** One object for one measurement, else an array of them. */
  public String json() {
    var all = results.stream().map(Result::toJson).toList();
    return all.size() == 1 ? all.getFirst().encodePrettily() : new JsonArray(all).encodePrettily();
  }

  /** A line for each figure and a column for each measurement. */
  public String table() {
    var all = results.stream().map(Result::toJson).toList();
    var lines = new ArrayList<String>();
    for (var name : COLUMNS) {
      lines.add(
          "%-28s".formatted(name)
              + all.stream()
                  .map(json -> "%12s".formatted(cell(json, name)))
                  .collect(Collectors.joining()));
    }
    return String.join("\n", lines);
  }

  private static String cell(JsonObject json, String name) {
    var value = json.getValue(name);
    return switch (value) {
      case null -> "-";
      case Double number when number >= 100 -> String.format(Locale.ROOT, "%.0f", number);
      default -> value.toString();
    };
  }

  public boolean hasFailures() {
    return results.stream().anyMatch(Result::hasFailed);
  }

  /** The first failures of each measurement, a sentence each. */
  public List<String> failures() {
    var told = new ArrayList<String>();
    for (var result : results) {
      var outcome = result.measured().outcome();
      if (result.hasFailed()) {
        told.add(
            "%s with %d callers: %d of %d operations failed"
                .formatted(
                    result.setup().scenario(),
                    result.setup().callers(),
                    outcome.failures(),
                    outcome.failures() + outcome.operations()));
        outcome.errors().forEach(error -> told.add("  " + error));
      }
    }
    return told;
  }
}
