package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Which roles a caller may grant to users and applications, and take from them: those of which they
 * hold all permissions, and those that are not built in only where they may change roles, too.
 */
class GrantedRolesIT {
  /** The permissions of the clerk; the chief has one more. */
  private static final List<String> CLERK =
      List.of(
          "create:user",
          "update:user",
          "delete:user",
          "read:user",
          "create:application",
          "delete:application",
          "read:application",
          "read:user-tasks",
          "write:user-tasks",
          "read:workflow-instances");

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private static GuardedServer server;
  private static String admin;
  private static String clerk;
  private static String chief;

  /** A role, and what a clerk, who may not change roles, and a chief, who may, are answered. */
  enum Kind {
    BUILT_IN_AND_MORE("admin", 403, 403),
    BUILT_IN_AND_HELD("task-user", 200, 200),
    BUILT_IN_AND_HELD_IN_CAPITALS("TASK-USER", 200, 200),
    ALL_HELD("accounting", 403, 200),
    ALL_HELD_IN_CAPITALS("ACCOUNTING", 403, 200),
    MORE_THAN_HELD("starter", 403, 403),
    WITHOUT_PERMISSIONS("tellers", 403, 200),
    WITHOUT_PERMISSIONS_IN_CAPITALS("TELLERS", 403, 200),
    UNKNOWN("no-such-role", 400, 400);

    final String role;
    final int clerk;
    final int chief;

    Kind(String role, int clerk, int chief) {
      this.role = role;
      this.clerk = clerk;
      this.chief = chief;
    }
  }

  @BeforeAll
  static void start() throws Exception {
    server = new GuardedServer();
    admin = server.admin();
    role("accounting", List.of("read:user-tasks"));
    role("starter", List.of("read:workflow-instances", "exec:workflow-definitions"));
    role("tellers", List.of());
    role("clerk", CLERK);
    var more = new ArrayList<>(CLERK);
    more.add("update:role");
    role("chief", more);
    clerk = server.user("clerk", "clerk");
    chief = server.user("chief", "chief");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String role(String name, List<String> permissions) throws Exception {
    var body = new JsonObject().put("name", name).put("permissions", permissions);
    return made(server.post("/identity/roles", admin, body));
  }

  private static String made(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return new JsonObject(answer.body()).getString("id");
  }

  private static String fresh() {
    return "made-" + NUMBERS.incrementAndGet();
  }

  private static JsonObject named(String name, String... roles) {
    return new JsonObject().put("name", name).put("roles", List.of(roles));
  }

  private static HttpResponse<String> put(String user, String caller, JsonObject body)
      throws Exception {
    return server.send("PUT", server.api("/identity/users/" + user), caller, body.encode());
  }

  private static HttpResponse<String> delete(String path, String caller) throws Exception {
    return server.send("DELETE", server.api("/identity/" + path), caller, null);
  }

  private static void assertAnswered(HttpResponse<String> answer, int status) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    if (status == 403) {
      assertThat(GuardedServer.code(answer)).isEqualTo("FORBIDDEN");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_new_user_gets_only_roles_that_the_caller_may_give(Kind kind) throws Exception {
    assertAnswered(server.post("/identity/users", clerk, named(fresh(), kind.role)), kind.clerk);
    assertAnswered(server.post("/identity/users", chief, named(fresh(), kind.role)), kind.chief);
    assertAnswered(
        server.post("/identity/users", clerk, named(fresh(), "task-user", kind.role)), kind.clerk);
  }

  @ParameterizedTest
  @EnumSource
  void a_user_is_given_only_roles_that_the_caller_may_give(Kind kind) throws Exception {
    var user = made(server.post("/identity/users", admin, named(fresh())));
    var roles = new JsonObject().put("roles", List.of(kind.role));

    assertAnswered(put(user, clerk, roles), kind.clerk);
    assertAnswered(put(user, chief, roles), kind.chief);
  }

  @ParameterizedTest
  @EnumSource
  void an_application_gets_only_roles_that_the_caller_may_give(Kind kind) throws Exception {
    var path = "/identity/applications";

    assertAnswered(server.post(path, clerk, named(fresh(), kind.role)), kind.clerk);
    assertAnswered(server.post(path, chief, named(fresh(), kind.role)), kind.chief);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNKNOWN")
  void a_user_is_changed_and_deleted_only_by_those_who_may_give_their_roles(Kind kind)
      throws Exception {
    var user = made(server.post("/identity/users", admin, named(fresh(), kind.role)));
    var password = new JsonObject().put("password", "taken over!");
    var none = new JsonObject().put("roles", List.of());

    assertAnswered(put(user, clerk, password), kind.clerk);
    assertAnswered(put(user, chief, password), kind.chief);
    if (kind.clerk == 403) {
      assertAnswered(put(user, clerk, none), 403);
      assertAnswered(delete("users/" + user, clerk), 403);
    }
    assertAnswered(delete("users/" + user, chief), kind.chief == 200 ? 204 : kind.chief);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNKNOWN")
  void an_application_is_deleted_only_by_those_who_may_give_its_roles(Kind kind) throws Exception {
    var application = made(server.post("/identity/applications", admin, named(fresh(), kind.role)));
    var path = "applications/" + application;

    if (kind.clerk == 403) {
      assertAnswered(delete(path, clerk), 403);
    }
    assertAnswered(delete(path, chief), kind.chief == 200 ? 204 : kind.chief);
  }

  @Test
  void a_role_that_was_deleted_counts_as_one_without_permissions() throws Exception {
    var role = role("seasonal", List.of("read:workflow-instances"));
    var user = made(server.post("/identity/users", admin, named(fresh(), "seasonal")));
    assertThat(delete("roles/" + role, admin).statusCode()).isEqualTo(204);
    var password = new JsonObject().put("password", "taken over!");

    assertAnswered(put(user, clerk, password), 403);
    assertAnswered(put(user, chief, password), 200);
  }

  @Test
  void whoever_may_make_roles_but_not_change_them_gives_none_away_that_they_made()
      throws Exception {
    var more = new ArrayList<>(CLERK);
    more.add("create:role");
    role("founder", more);
    var founder = server.user("founder", "founder");
    var user = made(server.post("/identity/users", admin, named(fresh())));
    for (var permissions : List.of(List.of("read:user-tasks"), List.<String>of())) {
      var group = "auditing-" + fresh();
      var body = new JsonObject().put("name", group).put("permissions", permissions);
      made(server.post("/identity/roles", founder, body));

      assertAnswered(server.post("/identity/users", founder, named(fresh(), group)), 403);
      assertAnswered(server.post("/identity/applications", founder, named(fresh(), group)), 403);
      assertAnswered(put(user, founder, new JsonObject().put("roles", List.of(group))), 403);
    }
  }

  @Test
  void permissions_added_to_a_role_later_reach_no_caller_who_could_not_have_granted_it()
      throws Exception {
    var later = role("later", List.of());
    var puppet = named("puppet", "later").put("password", GuardedServer.PASSWORD);
    assertAnswered(server.post("/identity/users", clerk, puppet), 403);
    var own =
        new JsonObject(server.get("/identity/users", admin).body())
            .getJsonArray("users").stream()
                .map(JsonObject.class::cast)
                .filter(user -> "clerk".equals(user.getString("name")))
                .map(user -> user.getString("id"))
                .findFirst()
                .orElseThrow();
    assertAnswered(put(own, clerk, new JsonObject().put("roles", List.of("clerk", "later"))), 403);
    var all = new JsonObject().put("permissions", List.of("*"));
    var path = server.api("/identity/roles/" + later);
    assertThat(server.send("PUT", path, admin, all.encode()).statusCode()).isEqualTo(200);

    assertThat(server.login("puppet", GuardedServer.PASSWORD).getBoolean("isAuthenticated"))
        .isFalse();
    assertAnswered(server.get("/audit", server.bearer("clerk", GuardedServer.PASSWORD)), 403);
  }
}
