package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import skein.http.ElsaRoutes.Here;
import skein.http.ElsaRoutes.Route;

/**
 * Which routes of Elsa's API are answered here, and how; {@code RolesIT} compares ours with the
 * router.
 */
class ElsaRoutesTest {
  private static final Path MODULE = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
  private static final Path FILE = MODULE.resolve("ELSA-ROUTES.md");

  /** Modules without which there is no Elsa. */
  private static final Set<String> CORE =
      Set.of("Elsa.Workflows.Api", "Elsa.Alterations", "Elsa.Expressions.JavaScript");

  private static final Pattern TEST = Pattern.compile("^  (?:public )?void (\\w+)\\(");

  private static final String INTRODUCTION =
      """
      # Elsa's routes

      The routes of the API of Elsa 3.8.0: what Elsa answers, and what is answered here, below `/elsa/api`. `ElsaRoutesTest` writes
      this page of `elsa-routes.txt`, and compares it with the routes that are served and the tests that there are. What an answer
      has is described at `/openapi.json`: `DescribedAnswersIT` compares both for every route, and `RolesIT` asks for every route as
      every role. Refusals are `application/problem+json` with the members of Elsa's and more ([codes](ERRORS.md)). Studio needs
      more of an answer than its shape: `DesignerDefinitionsIT`, `StudioIT`.

      Features that are off are not in `GET /features/installed`, and their routes are answered with 404, as Elsa does without them;
      with 405 where there is a route with that path and another method.

      """;

  private static final String CLIENT =
      """

      ## Elsa's client library for .NET

      The methods of Elsa.Api.Client 3.8 by their interfaces. `ElsaClientMethodsIT` sends each of them as the library does (names and
      case of parameters, members that are null, bodies in chunks, parts of files) and reads the answers as its types are, refusals
      as its exceptions: `elsa-client.txt` has routes, requests and types. The other methods are those of features that are off, and
      are refused with 404, as Elsa does without them.

      | interface | methods | answered | off |
      |---|---|---|---|
      """;

  private static Set<String> served() {
    return RouteTable.routes().stream()
        .map(route -> route.replaceAll(":[A-Za-z]+", ":"))
        .collect(Collectors.toSet());
  }

  /** With {@code -Dskein.reference.write=true} it writes the file instead. */
  @Test
  void the_page_is_what_is_declared() throws IOException {
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

  @Test
  void every_route_that_is_served_is_declared_and_every_other_one_is_not_served()
      throws IOException {
    var declared = new TreeSet<String>();
    var absent = new TreeSet<String>();
    for (var route : ElsaRoutes.all()) {
      (route.isServed() ? declared : absent).add(route.key());
    }

    assertThat(declared).isEqualTo(new TreeSet<>(served()));
    assertThat(absent).doesNotContainAnyElementsOf(served());
  }

  @Test
  void no_route_is_declared_twice() throws IOException {
    var seen = new HashSet<String>();
    for (var route : ElsaRoutes.all()) {
      assertThat(seen.add(route.method() + " " + route.path())).as("%s", route).isTrue();
    }
  }

  @Test
  void every_route_of_elsa_that_is_here_names_a_test_that_there_is() throws IOException {
    var tests = tests();
    for (var route : ElsaRoutes.all()) {
      if (route.isOurs() || !route.isServed()) {
        assertThat(route.tests()).as("%s", route).isEmpty();
        continue;
      }
      assertThat(route.contract()).as("%s", route).isNotEmpty();
      assertThat(route.tests()).as("%s", route).isNotEmpty().isSubsetOf(tests);
    }
  }

  /** Of this module, as {@code Class.method}. */
  private static Set<String> tests() throws IOException {
    var tests = new HashSet<String>();
    try (var files = Files.walk(MODULE.resolve("src/test/java"))) {
      for (var file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        var name = file.getFileName().toString().replace(".java", "");
        boolean marked = false;
        for (var line : Files.readAllLines(file)) {
          var method = TEST.matcher(line);
          marked |= line.startsWith("  @Test") || line.startsWith("  @ParameterizedTest");
          if (method.find()) {
            if (marked) {
              tests.add(name + "." + method.group(1));
            }
            marked = false;
          }
        }
      }
    }
    return tests;
  }

  @Test
  void the_core_is_here_in_greater_part() throws IOException {
    var core = ElsaRoutes.all().stream().filter(route -> CORE.contains(route.module())).toList();

    assertThat(core).hasSize(102);
    assertThat(core).filteredOn(Route::isServed).hasSizeGreaterThanOrEqualTo(93);
    assertThat(core).extracting(Route::here).doesNotHaveAnyElementsOfTypes(Here.Off.class);
  }

  /** Elsa's client library asks for no route that is not on the page. */
  @Test
  void the_methods_of_elsas_client_are_answered_where_their_routes_are() throws IOException {
    var here = new TreeMap<String, Boolean>();
    ElsaRoutes.all().forEach(route -> here.put(route.key(), route.isServed()));
    var methods = ElsaClientTable.read().methods.values();

    assertThat(methods)
        .hasSize(95)
        .allSatisfy(
            method -> assertThat(here).containsEntry(method.routeKey(), method.isAnswered()));
    assertThat(methods).filteredOn(ElsaClientTable.Method::isAnswered).hasSize(69);
  }

  private static String page() throws IOException {
    var modules = new TreeMap<String, List<Route>>();
    var ours = new ArrayList<Route>();
    var elsas = new ArrayList<Route>();
    for (var route : ElsaRoutes.all()) {
      if (route.isOurs()) {
        ours.add(route);
      } else {
        elsas.add(route);
        modules.computeIfAbsent(route.module(), _ -> new ArrayList<>()).add(route);
      }
    }
    var page = new StringBuilder(INTRODUCTION);
    page.append("| module | routes | same | differs harmlessly | differs | off | not there |\n");
    page.append("|---|---|---|---|---|---|---|\n");
    modules.forEach((module, routes) -> page.append(totals("`" + module + "`", routes)));
    page.append(totals("all", elsas));
    page.append(client());
    modules.forEach((module, routes) -> page.append(section(module, routes)));
    page.append("\n## Routes that Elsa does not have\n\n");
    ours.forEach(route -> page.append("- `%s %s`\n".formatted(route.method(), route.path())));
    return page.toString();
  }

  private static String client() throws IOException {
    var apis = new TreeMap<String, List<ElsaClientTable.Method>>();
    var all = new ArrayList<>(ElsaClientTable.read().methods.values());
    all.forEach(method -> apis.computeIfAbsent(method.api(), _ -> new ArrayList<>()).add(method));
    var section = new StringBuilder(CLIENT);
    apis.forEach((api, methods) -> section.append(answered("`" + api + "`", methods)));
    return section.append(answered("all", all)).toString();
  }

  private static String answered(String name, List<ElsaClientTable.Method> methods) {
    long answered = methods.stream().filter(ElsaClientTable.Method::isAnswered).count();
    return "| %s | %d | %d | %d |\n"
        .formatted(name, methods.size(), answered, methods.size() - answered);
  }

  private static String totals(String name, List<Route> routes) {
    return "| %s | %d | %d | %d | %d | %d | %d |\n"
        .formatted(
            name,
            routes.size(),
            count(routes, Here.Same.class::isInstance),
            count(routes, Here.Harmless.class::isInstance),
            count(routes, Here.Differs.class::isInstance),
            count(routes, Here.Off.class::isInstance),
            count(routes, Here.Missing.class::isInstance));
  }

  private static long count(List<Route> routes, Predicate<Here> kind) {
    return routes.stream().map(Route::here).filter(kind).count();
  }

  private static String section(String module, List<Route> routes) {
    var section =
        new StringBuilder(
            "\n## %s\n\n| route | Elsa answers | here | tested by |\n|---|---|---|---|\n"
                .formatted(module));
    for (var route : routes) {
      section.append(
          "| `%s %s` | %s | %s | %s |\n"
              .formatted(
                  route.method(),
                  route.path(),
                  route.contract(),
                  route.here().text(),
                  route.tests().stream()
                      .map(test -> "`" + test + "`")
                      .collect(Collectors.joining(", "))));
    }
    return section.toString();
  }
}
