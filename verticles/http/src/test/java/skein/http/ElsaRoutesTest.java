package skein.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which routes of Elsa's API are answered here; {@code RolesIT} compares ours with the router. */
class ElsaRoutesTest {
  /** A line for each route of Elsa 3.8.0: its module, method and path. */
  private static final String ROUTES = "/skein/http/elsa-routes.txt";

  private static final Path FILE =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("ELSA-ROUTES.md");

  /** Modules without which there is no Elsa. */
  private static final Set<String> CORE =
      Set.of("Elsa.Workflows.Api", "Elsa.Alterations", "Elsa.Expressions.JavaScript");

  private record Route(String module, String method, String path) {
    /** Names of parameters do not matter. */
    String key() {
      return method + " " + path.replaceAll("\\{[^}]+}", ":");
    }
  }

  private static List<Route> routes() throws IOException {
    try (var in = requireNonNull(ElsaRoutesTest.class.getResourceAsStream(ROUTES))) {
      return new String(in.readAllBytes(), UTF_8)
          .lines()
          .map(line -> line.split(" ", 3))
          .map(parts -> new Route(parts[0], parts[1], parts[2]))
          .toList();
    }
  }

  private static Set<String> here() {
    var here = new HashSet<String>();
    RoutePermissions.routes().forEach(route -> here.add(route.replaceAll(":[A-Za-z]+", ":")));
    return here;
  }

  /** With {@code -Dskein.reference.write=true} it writes the file instead. */
  @Test
  void the_file_says_which_routes_are_here() throws IOException {
    var page = page();
    if (Boolean.getBoolean("skein.reference.write")) {
      Files.writeString(FILE, page);
    }

    assertThat(Files.readString(FILE))
        .as(
            "Write it again: ./mvnw test -pl verticles/http -am -Dtest=ElsaRoutesTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false -Dskein.reference.write=true")
        .isEqualTo(page);
  }

  private static final String INTRODUCTION =
      """
      # Elsa's routes

      The routes of the API of Elsa 3.8.0, and whether they are answered here, below `/elsa/api`; `ElsaRoutesTest` writes this
      page. What an answer has is described at `/openapi.json`: `DescribedAnswersIT` compares both for every route, and `RolesIT`
      asks for every route as every role. Studio needs more of an answer than its shape: `DesignerDefinitionsIT`, `StudioIT`.

      """;

  private static String page() throws IOException {
    var here = here();
    var modules = new TreeMap<String, List<Route>>();
    for (var route : routes()) {
      modules.computeIfAbsent(route.module(), _ -> new ArrayList<>()).add(route);
    }
    var page =
        new StringBuilder(INTRODUCTION).append("| module | routes | here |\n|---|---|---|\n");
    long found = 0;
    for (var module : modules.entrySet()) {
      var count = module.getValue().stream().filter(route -> here.contains(route.key())).count();
      found += count;
      page.append(
          "| `%s` | %d | %d |\n".formatted(module.getKey(), module.getValue().size(), count));
    }
    page.append("| all | %d | %d |\n".formatted(routes().size(), found));
    for (var module : modules.entrySet()) {
      page.append("\n## %s\n\n| route | here |\n|---|---|\n".formatted(module.getKey()));
      for (var route : module.getValue()) {
        page.append(
            "| `%s %s` | %s |\n"
                .formatted(
                    route.method(), route.path(), here.contains(route.key()) ? "yes" : "no"));
      }
    }
    return page.toString();
  }

  @Test
  void the_core_is_here_in_greater_part() throws IOException {
    var here = here();
    var core = routes().stream().filter(route -> CORE.contains(route.module())).toList();

    assertThat(core).hasSize(102);
    assertThat(core)
        .filteredOn(route -> here.contains(route.key()))
        .hasSizeGreaterThanOrEqualTo(88);
  }
}
