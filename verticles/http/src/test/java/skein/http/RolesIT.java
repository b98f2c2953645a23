package skein.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import skein.identity.BuiltInRole;

/** Who may do what: every route of the router with every role, over a real connection. */
class RolesIT {
  /** A line for each route: {@code GET /timers = viewer operator designer admin}. */
  private static final String TABLE = "/skein/http/roles.txt";

  /** Who is known by a refresh token, which is no access token. */
  private static final String NOBODY = "-";

  private static GuardedServer server;
  private static final Map<String, String> CALLERS = new LinkedHashMap<>();
  private static List<String> routes;

  @BeforeAll
  static void start() throws Exception {
    var started = RouterRoutes.of(() -> new GuardedServer(GuardedServer.PATIENT, List.of(), false));
    server = started.server();
    routes = started.all();
    for (var role : BuiltInRole.values()) {
      CALLERS.put(role.wireName(), server.user("a-" + role.wireName(), role.wireName()));
    }
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Map<String, String> table() throws IOException {
    var table = new TreeMap<String, String>();
    try (var in = requireNonNull(RolesIT.class.getResourceAsStream(TABLE))) {
      new String(in.readAllBytes(), UTF_8)
          .lines()
          .forEach(line -> {
            int equals = line.indexOf(" = ");
            table.put(line.substring(0, equals), line.substring(equals + 3));
          });
    }
    return table;
  }

  @Test
  void every_route_of_the_router_says_what_it_needs_and_the_table_names_no_other() {
    assertThat(routes).hasSizeGreaterThan(150);
    var needed = new TreeSet<String>();
    for (var route : routes) {
      int space = route.indexOf(' ');
      var path = route.substring(space + 1);
      assertThat(RouteTable.of(route.substring(0, space), path).permission()).as(route).isNotNull();
      var method = route.substring(0, space);
      needed.add(
          (method.equals("HEAD") ? "GET" : method)
              + " "
              + (path.startsWith(Routes.API) ? path.substring(Routes.API.length()) : path));
    }
    needed.add("GET /metrics"); // not shown by a server without metrics
    assertThat(needed).isEqualTo(new TreeSet<>(RouteTable.routes()));
  }

  /** Every role tries every route; permitted requests fail for other reasons. */
  @Test
  void every_role_may_do_on_every_route_what_the_table_says_and_nothing_else() throws Exception {
    var found = new TreeMap<String, String>();
    for (var route : routes) {
      found.put(route, String.join(" ", letIn(route)));
    }

    assertThat(found).isEqualTo(table());
  }

  private static List<String> letIn(String route) throws Exception {
    int space = route.indexOf(' ');
    var method = route.substring(0, space).replace("*", "GET");
    var path = route.substring(space + 1).replaceAll(":[A-Za-z]+", "none").replace("*", "none");
    var body = method.equals("GET") || method.equals("HEAD") ? null : "{}";
    var letIn = new ArrayList<String>();
    var nobody = server.send(method, server.at(path), null, body);
    if (nobody.statusCode() != 401) {
      letIn.add("anybody");
    } else {
      assertThat(nobody.headers().firstValue("WWW-Authenticate")).as(route).isPresent();
    }
    for (var caller : CALLERS.entrySet()) {
      var answer = server.send(method, server.at(path), caller.getValue(), body);
      assertThat(answer.statusCode()).as(route).isNotEqualTo(500);
      if (answer.statusCode() == 403) {
        assertThat(method.equals("HEAD") ? "\"FORBIDDEN\"" : answer.body())
            .as(route)
            .contains("\"FORBIDDEN\"");
      } else if (answer.statusCode() != 401) {
        letIn.add(caller.getKey());
      }
    }
    return letIn.isEmpty() ? List.of(NOBODY) : letIn;
  }
}
