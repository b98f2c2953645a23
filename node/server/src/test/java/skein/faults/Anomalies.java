package skein.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What is wrong, by invariant and name: {@code S1 start-lost}. */
final class Anomalies {
  private final Map<String, List<String>> found = new TreeMap<>();

  void add(String name, Object... facts) {
    found.computeIfAbsent(name, _ -> new ArrayList<>()).add(List.of(facts).toString());
  }

  void addIf(boolean wrong, String name, Object... facts) {
    if (wrong) {
      add(name, facts);
    }
  }

  Map<String, List<String>> all() {
    return found;
  }
}
