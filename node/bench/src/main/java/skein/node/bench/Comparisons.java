package skein.node.bench;

import java.util.List;
import java.util.stream.Collectors;

/** Measurements of this build beside those of another one. */
record Comparisons(List<Comparison> all) implements Report {
  Comparisons {
    all = List.copyOf(all);
  }

  @Override
  public String json() {
    return Report.pretty(all.stream().map(Comparison::toJson).toList());
  }

  @Override
  public String table() {
    return all.stream().map(Comparison::table).collect(Collectors.joining("\n\n"));
  }

  @Override
  public List<String> failures() {
    return all.stream().flatMap(comparison -> comparison.failures().stream()).toList();
  }
}
