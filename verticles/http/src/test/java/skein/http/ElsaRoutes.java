package skein.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The routes of Elsa's API, and ours, as {@code elsa-routes.txt} declares them: below the name of a
 * module in brackets a line for each route, with its contract in few words, what it is here, and
 * the tests that ask it.
 *
 * <pre>
 * [Elsa.Workflows.Api]
 * GET /package/version | 200 {packageVersion} | same | ElsaApiIT.what_is_not_there_is_no_feature
 * </pre>
 *
 * The third column is {@code same}, {@code harmless: how}, {@code differs: how}, {@code off}, or
 * {@code missing}; our own routes have the first column alone.
 */
final class ElsaRoutes {
  /** Of those that Elsa does not have. */
  static final String OURS = "Skein";

  private static final String FILE = "/skein/http/elsa-routes.txt";

  private ElsaRoutes() {}

  /** What a route of Elsa is here. */
  sealed interface Here {
    /** A client of Elsa sees no difference. */
    record Same() implements Here {}

    /** It differs where a client does not look, or has more. */
    record Harmless(String how) implements Here {}

    record Differs(String how) implements Here {}

    /** Of a feature that Elsa can do without, too; refused as if it were off there. */
    record Off() implements Here {}

    record Missing() implements Here {}

    private static Here parse(String text) {
      var parts = text.split(": ", 2);
      return switch (parts[0]) {
        case "same" -> new Same();
        case "harmless" -> new Harmless(parts[1]);
        case "differs" -> new Differs(parts[1]);
        case "off" -> new Off();
        case "missing" -> new Missing();
        default -> throw new IllegalArgumentException(text);
      };
    }

    /** As the page has it. */
    default String text() {
      return switch (this) {
        case Same() -> "same";
        case Harmless(var how) -> "differs harmlessly: " + how;
        case Differs(var how) -> "differs: " + how;
        case Off() -> "refused as when the feature is off";
        case Missing() -> "not there";
      };
    }

    default boolean isServed() {
      return !(this instanceof Off || this instanceof Missing);
    }
  }

  /**
   * @param contract status and shape of Elsa's answer; empty for ours
   * @param tests {@code Class.method}
   */
  record Route(
      String module, String method, String path, String contract, Here here, List<String> tests) {
    /** Names of parameters do not matter. */
    String key() {
      return method + " " + path.replaceAll("\\{[^}]+}|:[A-Za-z]+", ":");
    }

    boolean isOurs() {
      return module.equals(OURS);
    }

    boolean isServed() {
      return here.isServed();
    }
  }

  static List<Route> all() throws IOException {
    try (var in = requireNonNull(ElsaRoutes.class.getResourceAsStream(FILE))) {
      var routes = new ArrayList<Route>();
      var module = "";
      for (var line : new String(in.readAllBytes(), UTF_8).lines().toList()) {
        if (line.startsWith("[")) {
          module = line.substring(1, line.length() - 1);
        } else if (!line.isEmpty()) {
          routes.add(route(module, line));
        }
      }
      return routes;
    }
  }

  private static Route route(String module, String line) {
    var cells = line.split(" \\| ", -1);
    int space = cells[0].indexOf(' ');
    return new Route(
        module,
        cells[0].substring(0, space),
        cells[0].substring(space + 1),
        cells.length > 1 ? cells[1] : "",
        cells.length > 2 ? Here.parse(cells[2]) : new Here.Same(),
        cells.length > 3 ? List.of(cells[3].split(" ")) : List.of());
  }
}
