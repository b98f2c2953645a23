package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What nodes tell Prometheus. */
final class Scrapes {
  /** As the format of Prometheus has it: a name, labels, a number. */
  private static final Pattern SAMPLE =
      Pattern.compile(
          "[a-zA-Z_:][a-zA-Z0-9_:]*(\\{([a-zA-Z_][a-zA-Z0-9_]*=\"[^\"]*\",?)*\\})?"
              + " (-?[0-9.]+(E-?[0-9]+)?|NaN|[+-]Inf)");

  private Scrapes() {}

  /** Each sample by its name with its labels. */
  static Map<String, Double> of(ServerProcess node) {
    var values = new HashMap<String, Double>();
    node.http()
        .get("/metrics")
        .orThrow()
        .body()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(line -> {
          assertThat(line).matches(SAMPLE);
          int space = line.lastIndexOf(' ');
          var number = line.substring(space + 1).replace("Inf", "Infinity");
          values.put(line.substring(0, space), Double.parseDouble(number));
        });
    return values;
  }

  /** Over the nodes that are alive, and over all labels. */
  static double sum(List<ServerProcess> nodes, String name) {
    return nodes.stream()
        .filter(ServerProcess::isAlive)
        .flatMap(node -> of(node).entrySet().stream())
        .filter(e -> e.getKey().equals(name) || e.getKey().startsWith(name + "{"))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }
}
