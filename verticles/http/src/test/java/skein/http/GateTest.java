package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import skein.identity.Requirement;

class GateTest {
  private static final Path CONSOLE = Path.of("../console/src/main/ts");
  private static final Pattern PERMISSION =
      Pattern.compile(
          "\"((?:read|write|run|cancel|create|update|delete|publish|retract|resume|exec):[a-z-]+|ManageWorkflowRuntime)\"");

  private static final Action NOTHING = _ -> Future.succeededFuture(Answer.empty(204));

  private final Gate open = new Gate(new ThisThread(), Security.OPEN, Callers.DEFAULT);

  @Test
  void where_nobody_is_asked_nothing_is_in_the_way_of_a_request() {
    assertThat(open.asks()).isFalse();
    var path = Routes.API + "/workflow-instances/:id/resume";
    assertThat(open.permitted(RouteTable.of("POST", path).permission(), path, NOTHING))
        .isSameAs(NOTHING);
  }

  /** Elsa has names of their own for these; who has one of ours may do it, too. */
  @Test
  void permissions_that_elsa_names_for_a_route_are_enough_for_it() {
    assertThat(RouteTable.of("POST", Routes.API + "/tests/activities").permission())
        .isEqualTo(Requirement.oneOf("exec:workflow-definitions", "exec:tests"));
    for (var action : List.of("refresh", "reload")) {
      assertThat(
              RouteTable.of("POST", Routes.API + "/actions/workflow-definitions/" + action)
                  .permission())
          .isEqualTo(
              Requirement.oneOf(
                  "publish:workflow-definitions", "actions:workflow-definitions:" + action));
    }
  }

  /** The permissions that the console checks are those of the routes. */
  @Test
  void the_console_knows_permissions_by_their_names() throws IOException {
    var known =
        RouteTable.routes().stream()
            .map(route -> route.split(" ", 2))
            .map(route -> RouteTable.of(route[0], route[1]).permission())
            .filter(Requirement.Permitted.class::isInstance)
            .map(Requirement.Permitted.class::cast)
            .flatMap(permitted -> permitted.permissions().stream().flatMap(List::stream))
            .collect(Collectors.toSet());
    var used = new TreeSet<String>();
    try (var sources = Files.walk(CONSOLE)) {
      for (var source : sources.filter(file -> file.toString().endsWith(".tsx")).toList()) {
        used.addAll(
            PERMISSION
                .matcher(Files.readString(source))
                .results()
                .map(one -> one.group(1))
                .toList());
      }
    }

    assertThat(used).hasSizeGreaterThan(15).contains("ManageWorkflowRuntime", "read:user");
    assertThat(known).containsAll(used);
  }
}
