package skein.node.bench;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The same measured on two builds in turn: run {@code n} of one beside run {@code n} of the other.
 *
 * @param other how the other build was named
 */
record Comparison(String other, List<Result> here, List<Result> there) {
  private static final List<String> FIGURES =
      List.of(
          "operationsPerSecond",
          "p50Millis",
          "p99Millis",
          "nodeCpuSecondsPer1000",
          "postgresCpuSecondsPer1000",
          "generatorCpuSecondsPer1000",
          "commitsPerOperation",
          "walBytesPerOperation",
          "allocatedBytesPerOperation",
          "nodeRssBytes");

  Comparison {
    here = List.copyOf(here);
    there = List.copyOf(there);
    if (here.isEmpty() || here.size() != there.size()) {
      throw new IllegalArgumentException(
          "Of %d runs here and %d there no pairs can be made".formatted(here.size(), there.size()));
    }
  }

  /**
   * A figure of both.
   *
   * @param here the median here
   * @param there the median there
   * @param ratio of the medians, here to there; null when there is none
   * @param lowest of the ratios of each pair of runs
   * @param highest of them
   */
  private record Compared(
      double here,
      double there,
      @Nullable Double ratio,
      @Nullable Double lowest,
      @Nullable Double highest) {}

  /** Null where it cannot be seen. */
  private @Nullable Compared compared(String figure) {
    var ours = figures(here, figure);
    var theirs = figures(there, figure);
    if (ours.size() != here.size() || theirs.size() != there.size()) {
      return null;
    }
    double ourMedian = Median.of(ours, each -> each);
    double theirMedian = Median.of(theirs, each -> each);
    if (theirs.contains(0.0)) {
      return new Compared(ourMedian, theirMedian, null, null, null);
    }
    var ratios =
        IntStream.range(0, ours.size())
            .mapToDouble(run -> ours.get(run) / theirs.get(run))
            .summaryStatistics();
    return new Compared(
        ourMedian,
        theirMedian,
        Result.rounded(ourMedian / theirMedian, 3),
        Result.rounded(ratios.getMin(), 3),
        Result.rounded(ratios.getMax(), 3));
  }

  private static List<Double> figures(List<Result> runs, String figure) {
    return runs.stream()
        .map(run -> run.toJson().getDouble(figure))
        .filter(each -> each != null)
        .toList();
  }

  JsonObject toJson() {
    var setup = here.getFirst().setup();
    var json =
        new JsonObject()
            .put("scenario", setup.scenario())
            .put("callers", setup.callers())
            .put("nodes", setup.nodes())
            .put("waiting", setup.waiting())
            .put("runs", here.size())
            .put("comparedTo", other);
    for (var figure : FIGURES) {
      var compared = compared(figure);
      json.put(
          figure,
          compared == null
              ? null
              : new JsonObject()
                  .put("here", compared.here)
                  .put("there", compared.there)
                  .put("ratio", compared.ratio)
                  .put("ratioMin", compared.lowest)
                  .put("ratioMax", compared.highest));
    }
    return json.put("on", here.getFirst().surroundings());
  }

  /** A line for each figure. */
  String table() {
    var setup = here.getFirst().setup();
    var lines = new ArrayList<String>();
    lines.add(
        "%s, %d callers, %d runs of each; there is %s"
            .formatted(setup.scenario(), setup.callers(), here.size(), other));
    lines.add("%-28s%12s%12s%9s  of pairs".formatted("", "here", "there", "ratio"));
    for (var figure : FIGURES) {
      var compared = compared(figure);
      lines.add(
          compared == null
              ? "%-28s%12s%12s".formatted(figure, "-", "-")
              : "%-28s%12s%12s%9s  %s to %s"
                  .formatted(
                      figure,
                      cell(compared.here),
                      cell(compared.there),
                      cell(compared.ratio),
                      cell(compared.lowest),
                      cell(compared.highest)));
    }
    return String.join("\n", lines);
  }

  private static String cell(@Nullable Double value) {
    if (value == null) {
      return "-";
    }
    return value >= 100 ? String.format(Locale.ROOT, "%.0f", value) : value.toString();
  }

  List<String> failures() {
    var told = new ArrayList<String>();
    here.forEach(run -> told.addAll(run.failures()));
    there.forEach(run -> run.failures().forEach(line -> told.add(other + ": " + line)));
    return told;
  }
}
