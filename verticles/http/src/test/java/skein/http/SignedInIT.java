package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What those do who have signed in, in the shapes of Elsa's identity module. */
class SignedInIT {
  private static GuardedServer server;
  private static String admin;

  @BeforeAll
  static void start() throws Exception {
    server = new GuardedServer();
    admin = server.admin();
    server.publish(
        """
        {"definitionId":"task","root":{"id":"S","type":"Elsa.Sequence","version":1,"activities":[
         {"id":"T","type":"Skein.UserTask","version":1,
          "title":{"typeName":"String","expression":{"type":"Literal","value":"Look at it"}},
          "assignees":{"typeName":"String[]","expression":{"type":"Object","value":"[\\"kim\\"]"}},
          "groups":{"typeName":"String[]","expression":{"type":"Object","value":"[\\"task-user\\"]"}}}]}}\
        """);
    server.publish(
        """
        {"definitionId":"hers","root":{"id":"S","type":"Elsa.Sequence","version":1,"activities":[
         {"id":"T","type":"Skein.UserTask","version":1,
          "title":{"typeName":"String","expression":{"type":"Literal","value":"Hers alone"}},
          "assignees":{"typeName":"String[]","expression":{"type":"Object","value":"[\\"vera\\"]"}}}]}}\
        """);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static JsonObject json(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return new JsonObject(answer.body());
  }

  @Test
  void a_login_is_answered_as_elsas_clients_expect_it() throws Exception {
    var signedIn = server.login(GuardedServer.ADMIN, GuardedServer.PASSWORD);
    var claims = TokenForge.part(signedIn.getString("accessToken"), 1);

    assertThat(signedIn.fieldNames())
        .containsExactly("isAuthenticated", "accessToken", "refreshToken");
    assertThat(claims.getString("name")).isEqualTo(GuardedServer.ADMIN);
    assertThat(claims.getJsonArray("permissions")).isEqualTo(new JsonArray().add("*"));
    assertThat(claims.getLong("exp") - claims.getLong("iat")).isEqualTo(300);
    var refused = server.login(GuardedServer.ADMIN, "guess");
    assertThat(refused.getBoolean("isAuthenticated")).isFalse();
    assertThat(refused.getString("accessToken")).isNull();
  }

  @Test
  void a_refresh_token_gives_the_next_two_with_what_the_roles_allow_then() throws Exception {
    server.user("grows", "viewer");
    var first = server.login("grows", GuardedServer.PASSWORD).getString("refreshToken");
    var answer =
        server.send("POST", server.api("/identity/refresh-token"), "Bearer " + first, null);
    var next = json(answer);

    assertThat(next.getBoolean("isAuthenticated")).isTrue();
    assertThat(next.getString("refreshToken")).isNotEqualTo(first);
    assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
    assertThat(
            server
                .get("/workflow-instances", "Bearer " + next.getString("accessToken"))
                .statusCode())
        .isEqualTo(200);
  }

  @Test
  void users_roles_and_applications_are_made_and_listed_without_what_is_secret() throws Exception {
    var role =
        new JsonObject()
            .put("name", "starter")
            .put("permissions", List.of("exec:workflow-definitions", "read:*"));
    var roleId = json(server.post("/identity/roles", admin, role)).getString("id");
    var made =
        json(
            server.post(
                "/identity/users",
                admin,
                new JsonObject().put("name", "sam").put("roles", List.of("starter"))));
    var password = made.getString("password");
    assertThat(made.fieldNames()).contains("id", "name", "roles", "hashedPassword");
    assertThat(password).hasSizeGreaterThan(20);
    assertThat(made.getString("hashedPassword")).startsWith("$pbkdf2$it=1000$");

    var sam = server.bearer("sam", password);
    assertThat(server.get("/workflow-definitions", sam).statusCode()).isEqualTo(200);
    assertThat(server.get("/identity/users", admin).body())
        .contains("\"sam\"")
        .doesNotContain("pbkdf2");
    assertThat(server.get("/identity/roles", admin).body()).contains("starter", "task-user");
    assertThat(
            server.post("/identity/users", admin, new JsonObject().put("name", "SAM")).statusCode())
        .isEqualTo(409);
    var changed = new JsonObject().put("permissions", List.of("read:workflow-instances")).encode();
    json(server.send("PUT", server.api("/identity/roles/" + roleId), admin, changed));
    var less = server.bearer("sam", password);
    assertThat(server.get("/workflow-definitions", less).statusCode()).isEqualTo(403);
    assertThat(
            server
                .send("DELETE", server.api("/identity/roles/" + roleId), admin, null)
                .statusCode())
        .isEqualTo(204);
  }

  @Test
  void the_last_use_of_an_api_key_is_shown() throws Exception {
    var body = new JsonObject().put("name", "nightly").put("roles", List.of("viewer"));
    var key = json(server.post("/identity/applications", admin, body)).getString("apiKey");
    server.get("/workflow-instances", "ApiKey " + key);

    var end = System.nanoTime() + 10_000_000_000L;
    while (server.number(
            "select count(*) from identity_applications where name = 'nightly' and last_used_at is"
                + " not null")
        == 0) {
      assertThat(System.nanoTime()).isLessThan(end);
    }
    assertThat(server.get("/identity/applications", admin).body())
        .contains("\"lastUsedAt\":\"2")
        .doesNotContain(key);
  }

  @Test
  void the_audit_log_says_who_it_was() throws Exception {
    var dora = server.user("dora", "designer");
    var model =
        new JsonObject(
            "{\"definitionId\":\"of-dora\",\"root\":{\"id\":\"W\",\"type\":\"Elsa.WriteLine\",\"version\":1}}");
    json(server.post("/workflow-definitions", dora, new JsonObject().put("model", model)));

    assertThat(
            server.rows(
                "select distinct actor from audit_log where action = 'definition.save' and subject"
                    + " = 'of-dora'"))
        .containsExactly("user:dora");
    assertThat(
            server.rows(
                "select actor from audit_log where action = 'identity.login' and outcome = 'ok'"))
        .contains("user:dora");
    assertThat(
            server.rows(
                "select actor from audit_log where action = 'user.create' and subject = 'dora'"))
        .containsExactly("user:" + GuardedServer.ADMIN);
  }

  private static String started(String definitionId) throws Exception {
    var answer =
        server.post(
            "/workflow-instances", admin, new JsonObject().put("definitionId", definitionId));
    return new JsonObject(answer.body()).getString("id") + "-1";
  }

  @Test
  void user_tasks_are_seen_and_done_by_those_whose_they_are_whatever_the_body_says()
      throws Exception {
    var kim = server.user("kim", "task-user");
    var forKim = started("task");
    var forVera = started("hers");

    var list = json(server.get("/user-tasks", kim)).encode();
    assertThat(list).contains(forKim).doesNotContain(forVera);
    assertThat(server.get("/user-tasks/" + forKim, kim).statusCode()).isEqualTo(200);
    assertThat(server.get("/user-tasks/" + forVera, kim).statusCode()).isEqualTo(404);
    assertThat(server.get("/user-tasks?assignee=vera", kim).statusCode()).isEqualTo(403);
    var asVera = new JsonObject().put("user", "vera");
    var claim = "/user-tasks/" + forVera + "/claim";
    assertThat(server.post(claim, kim, asVera).statusCode()).isEqualTo(403);
    assertThat(GuardedServer.code(server.post(claim, kim, new JsonObject())))
        .isEqualTo("TASK_NOT_YOURS");
    json(server.post("/user-tasks/" + forKim + "/claim", kim, new JsonObject()));
    json(server.post("/user-tasks/" + forKim + "/complete", kim, new JsonObject()));
    assertThat(server.rows("select actor from audit_log where action = 'task.complete'").toString())
        .contains("kim");
    json(server.post(claim, admin, asVera));
  }

  @Test
  void links_stay_secrets_for_whoever_has_them() throws Exception {
    var id = started("task").replaceAll("-1$", "");
    var token =
        server.post(
            "/workflow-instances/" + id + "/bookmarks/" + id + "-1/tokens",
            admin,
            new JsonObject());
    assertThat(token.statusCode()).as(token.body()).isLessThan(300);
    var path = "/workflows/resume/" + new JsonObject(token.body()).getString("token");

    assertThat(server.send("GET", server.at(path), null, null).statusCode()).isEqualTo(200);
    assertThat(server.send("POST", server.at(path), null, "{}").statusCode()).isNotIn(401, 403);
  }

  @Test
  void health_is_told_everybody_and_the_first_page_is_not() throws Exception {
    assertThat(server.send("GET", server.at("/health/live"), null, null).statusCode())
        .isEqualTo(200);
    assertThat(server.send("GET", server.at("/health/live"), "Bearer a.b.c", null).statusCode())
        .isEqualTo(200);
    assertThat(server.send("GET", server.at("/"), null, null).statusCode()).isEqualTo(401);
    assertThat(server.send("GET", server.at("/"), admin, null).statusCode()).isEqualTo(200);
  }

  @Test
  void where_nobody_is_asked_there_is_no_login_and_nothing_is_refused() throws Exception {
    var open = server.deploy(Security.OPEN);
    var base = "http://127.0.0.1:" + open.port() + Routes.API;

    var list = server.send("GET", URI.create(base + "/workflow-instances"), "Bearer x", null);
    var login = server.send("POST", URI.create(base + "/identity/login"), null, "{}");

    assertThat(list.statusCode()).isEqualTo(200);
    assertThat(login.statusCode()).isEqualTo(404);
  }
}
