package skein.node.bench;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Each measurement by itself. */
record Measurements(List<Result> results) implements Report {
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
          "busMessagesPerOperation",
          "memberPacketsPerOperation",
          "nodeCpuSecondsPer1000",
          "postgresCpuSecondsPer1000",
          "generatorCpuSecondsPer1000",
          "allocatedBytesPerOperation",
          "failures");

  Measurements {
    results = List.copyOf(results);
  }

  @Override
  public String json() {
    return Report.pretty(results.stream().map(Result::toJson).toList());
  }

  /** A line for each figure and a column for each measurement. */
  @Override
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

  @Override
  public List<String> failures() {
    return results.stream().flatMap(result -> result.failures().stream()).toList();
  }
}
