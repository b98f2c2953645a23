package skein.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.metrics.SecurityMetrics.Refusal;

/** Attempts of unauthenticated callers, and of callers without a permission; each is a test. */
class AttacksIT {
  private static final String LIST = "/workflow-instances";

  /** Its body is announced, and does not come. */
  private static final String UNSENT =
      """
      POST /elsa/api/workflow-definitions HTTP/1.1\r
      Host: localhost\r
      Content-Type: application/json\r
      Content-Length: 90000\r
      \r
      """;

  private static GuardedServer server;
  private static String admin;
  private static String viewer;

  @BeforeAll
  static void start() throws Exception {
    server = new GuardedServer();
    admin = server.admin();
    viewer = server.user("sends-much", "viewer");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void assertRefused(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(GuardedServer.code(answer)).isEqualTo("UNAUTHENTICATED");
    assertThat(answer.headers().firstValue("WWW-Authenticate").orElse("")).contains("Bearer");
  }

  private static HttpResponse<String> with(@Nullable String authorization) throws Exception {
    return server.get(LIST, authorization);
  }

  private static JsonObject claims() {
    long now = Instant.now().getEpochSecond();
    return new JsonObject()
        .put("sub", "1")
        .put("name", "mallory")
        .put("permissions", new JsonArray().add("*"))
        .put("iat", now)
        .put("exp", now + 300)
        .put("iss", "skein")
        .put("aud", "skein:tests");
  }

  private static HttpResponse<String> signed(JsonObject claims, String key) throws Exception {
    return with("Bearer " + TokenForge.hs256(new JsonObject(), claims, key.getBytes(UTF_8)));
  }

  @Test
  void no_credential_is_not_enough() throws Exception {
    assertRefused(with(null));
  }

  @Test
  void a_bearer_that_is_no_token_is_refused() throws Exception {
    assertRefused(with("Bearer anything"));
    assertRefused(with("Bearer a.b.c"));
    assertRefused(with("Bearer " + ".".repeat(1_000)));
  }

  @Test
  void other_schemes_and_malformed_headers_are_refused() throws Exception {
    for (var header : List.of("Basic cm9vdDpyb290", "Bearer", "ApiKey", "bearer ", "x")) {
      assertRefused(with(header));
    }
  }

  @Test
  void two_authorization_headers_are_refused() throws IOException {
    var answer =
        raw(
            "GET /elsa/api/workflow-instances HTTP/1.1\r\nHost: localhost\r\nAuthorization: "
                + admin
                + "\r\nAuthorization: Bearer x\r\nConnection: close\r\n\r\n");

    assertThat(answer).startsWith("HTTP/1.1 401 ");
  }

  @Test
  void the_forger_makes_tokens_as_they_should_be() throws Exception {
    assertThat(signed(claims(), GuardedServer.KEY).statusCode()).isEqualTo(200);
  }

  @Test
  void an_unsigned_token_is_refused() throws Exception {
    for (var algorithm : List.of("none", "None", "NONE", "nOnE")) {
      var header = new JsonObject().put("alg", algorithm).put("typ", "JWT");
      var unsigned = TokenForge.unsigned(header, claims());
      assertRefused(with("Bearer " + unsigned));
      assertRefused(with("Bearer " + unsigned + "."));
      assertRefused(with("Bearer " + unsigned + ".AAAA"));
    }
  }

  @Test
  void a_token_without_its_signature_is_refused() throws Exception {
    var token = admin.substring("Bearer ".length());
    int last = token.lastIndexOf('.');

    assertRefused(with("Bearer " + token.substring(0, last)));
    assertRefused(with("Bearer " + token.substring(0, last + 1)));
  }

  @Test
  void a_token_whose_claims_were_changed_is_refused() throws Exception {
    var viewer = server.user("changes-claims", "viewer").substring("Bearer ".length());
    var parts = viewer.split("\\.", -1);
    var more = TokenForge.part(viewer, 1).put("permissions", new JsonArray().add("*"));

    assertRefused(
        with(
            "Bearer "
                + parts[0]
                + "."
                + TokenForge.base64(more.encode().getBytes(UTF_8))
                + "."
                + parts[2]));
  }

  @Test
  void a_token_of_another_key_is_refused() throws Exception {
    assertRefused(signed(claims(), "another-key-that-is-long-enough-for-it"));
    assertRefused(signed(claims(), "\0"));
  }

  @Test
  void a_token_with_the_id_of_another_key_is_refused() throws Exception {
    for (var kid : List.of("other", "", "../../dev/null", "' or '1'='1")) {
      var header = new JsonObject().put("kid", kid);
      assertRefused(
          with("Bearer " + TokenForge.hs256(header, claims(), GuardedServer.KEY.getBytes(UTF_8))));
    }
  }

  @Test
  void an_expired_token_is_refused() throws Exception {
    long now = Instant.now().getEpochSecond();

    assertRefused(signed(claims().put("iat", now - 600).put("exp", now - 1), GuardedServer.KEY));
  }

  @Test
  void a_token_of_the_future_is_refused() throws Exception {
    long now = Instant.now().getEpochSecond();

    assertRefused(signed(claims().put("nbf", now + 60), GuardedServer.KEY));
    assertRefused(signed(claims().put("iat", now + 60), GuardedServer.KEY));
  }

  @Test
  void a_token_without_an_end_is_refused() throws Exception {
    var endless = claims();
    endless.remove("exp");

    assertRefused(signed(endless, GuardedServer.KEY));
    assertRefused(signed(claims().put("exp", "tomorrow"), GuardedServer.KEY));
  }

  @Test
  void a_token_for_another_audience_is_refused() throws Exception {
    assertRefused(signed(claims().put("aud", "skein:other"), GuardedServer.KEY));
    var without = claims();
    without.remove("aud");
    assertRefused(signed(without, GuardedServer.KEY));
  }

  @Test
  void a_token_of_another_issuer_is_refused() throws Exception {
    assertRefused(signed(claims().put("iss", "https://evil.example"), GuardedServer.KEY));
    var without = claims();
    without.remove("iss");
    assertRefused(signed(without, GuardedServer.KEY));
  }

  @Test
  void a_token_that_demands_what_nobody_knows_is_refused() throws Exception {
    var header = new JsonObject().put("crit", new JsonArray().add("b64")).put("b64", false);

    assertRefused(
        with("Bearer " + TokenForge.hs256(header, claims(), GuardedServer.KEY.getBytes(UTF_8))));
  }

  @Test
  void a_token_in_the_query_or_the_path_or_a_cookie_is_not_looked_at() throws Exception {
    var token = admin.substring("Bearer ".length());

    assertRefused(server.get(LIST + "?access_token=" + token, null));
    assertRefused(server.get(LIST + "?api_key=" + token, null));
    assertRefused(server.get(LIST + "/" + token.substring(0, 30), null));
    assertThat(
            raw(
                "GET /elsa/api/workflow-instances HTTP/1.1\r\nHost: localhost\r\nCookie: access_token="
                    + token
                    + "\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 401 ");
  }

  @Test
  void a_refresh_token_is_no_access_token() throws Exception {
    var signedIn = server.login(GuardedServer.ADMIN, GuardedServer.PASSWORD);

    assertRefused(with("Bearer " + signedIn.getString("refreshToken")));
  }

  @Test
  void an_access_token_is_no_refresh_token() throws Exception {
    assertRefused(server.send("POST", server.api("/identity/refresh-token"), admin, null));
  }

  private static HttpResponse<String> refresh(@Nullable String token) throws Exception {
    return server.send("POST", server.api("/identity/refresh-token"), "Bearer " + token, null);
  }

  @Test
  void a_refresh_token_that_comes_again_ends_the_session_of_both_who_have_it() throws Exception {
    var stolen =
        server.login(GuardedServer.ADMIN, GuardedServer.PASSWORD).getString("refreshToken");
    var next = refresh(stolen);
    assertThat(next.statusCode()).isEqualTo(200);
    assertThat(with("Bearer " + new JsonObject(next.body()).getString("accessToken")).statusCode())
        .isEqualTo(200);

    assertRefused(refresh(stolen));

    assertRefused(refresh(new JsonObject(next.body()).getString("refreshToken")));
  }

  @Test
  void of_many_uses_of_one_refresh_token_at_once_one_succeeds_at_most_and_none_goes_on()
      throws Exception {
    var token = server.login(GuardedServer.ADMIN, GuardedServer.PASSWORD).getString("refreshToken");
    var answers = new ConcurrentLinkedQueue<HttpResponse<String>>();
    var threads =
        IntStream.range(0, 6)
            .mapToObj(_ ->
                Thread.ofVirtual()
                    .start(() -> {
                      try {
                        answers.add(refresh(token));
                      } catch (Exception e) {
                        throw new IllegalStateException(e);
                      }
                    }))
            .toList();
    for (var thread : threads) {
      thread.join();
    }

    var done = answers.stream().filter(a -> a.statusCode() == 200).toList();
    assertThat(answers).hasSize(6);
    assertThat(done).hasSize(1);
    var next = new JsonObject(done.getFirst().body()).getString("refreshToken");
    assertThat(refresh(next).statusCode()).isEqualTo(401);
  }

  @Test
  void a_deleted_user_cannot_go_on_with_a_refresh_token() throws Exception {
    server.user("leaver", "viewer");
    var token = server.login("leaver", GuardedServer.PASSWORD).getString("refreshToken");
    var id = idOf("leaver");

    var deleted = server.send("DELETE", server.api("/identity/users/" + id), admin, null);

    assertThat(deleted.statusCode()).isEqualTo(204);
    assertRefused(refresh(token));
    assertThat(server.login("leaver", GuardedServer.PASSWORD).getBoolean("isAuthenticated"))
        .isFalse();
  }

  @Test
  void a_new_password_ends_the_sessions_of_the_old_one() throws Exception {
    server.user("forgetful", "viewer");
    var token = server.login("forgetful", GuardedServer.PASSWORD).getString("refreshToken");
    var body = new JsonObject().put("password", "another password").encode();

    server.send("PUT", server.api("/identity/users/" + idOf("forgetful")), admin, body);

    assertRefused(refresh(token));
    assertThat(server.login("forgetful", GuardedServer.PASSWORD).getBoolean("isAuthenticated"))
        .isFalse();
    assertThat(server.login("forgetful", "another password").getBoolean("isAuthenticated"))
        .isTrue();
  }

  private static String idOf(String name) throws Exception {
    var users = new JsonObject(server.get("/identity/users", admin).body()).getJsonArray("users");
    return users.stream()
        .map(JsonObject.class::cast)
        .filter(user -> name.equals(user.getString("name")))
        .map(user -> user.getString("id"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_wrong_password_says_no_more_than_a_wrong_name() throws Exception {
    var wrong = new JsonObject().put("username", GuardedServer.ADMIN).put("password", "guess");
    var nobody = new JsonObject().put("username", "nobody").put("password", "guess");

    var first = server.post("/identity/login", null, wrong);
    var second = server.post("/identity/login", null, nobody);

    assertThat(first.body()).isEqualTo(second.body()).contains("\"isAuthenticated\":false");
    assertThat(first.statusCode()).isEqualTo(second.statusCode());
  }

  @Test
  void names_and_passwords_of_any_size_and_kind_are_refused() throws Exception {
    for (var password : List.of("", " ", "x".repeat(5_000), "' or ''='", "\u0000")) {
      var body = new JsonObject().put("username", GuardedServer.ADMIN).put("password", password);
      var answer = server.post("/identity/login", null, body);
      assertThat(answer.body()).doesNotContain("\"isAuthenticated\":true");
      assertThat(answer.statusCode()).isLessThan(500);
    }
    var typed = new JsonObject().put("username", GuardedServer.ADMIN).put("password", true);
    assertThat(server.post("/identity/login", null, typed).statusCode()).isEqualTo(400);
  }

  private static JsonObject application(JsonObject body) throws Exception {
    var answer = server.post("/identity/applications", admin, body);
    assertThat(answer.statusCode()).isEqualTo(200);
    return new JsonObject(answer.body());
  }

  @Test
  void an_api_key_that_was_guessed_changed_or_deleted_is_refused() throws Exception {
    var made = application(new JsonObject().put("name", "app").put("roles", List.of("viewer")));
    var key = made.getString("apiKey");
    assertThat(with("ApiKey " + key).statusCode()).isEqualTo(200);

    assertRefused(with("ApiKey " + key + "x"));
    assertRefused(with("ApiKey " + key.substring(0, key.length() - 1)));
    assertRefused(with("ApiKey " + UUID.randomUUID()));
    assertRefused(with("Bearer " + key));
    server.send(
        "DELETE", server.api("/identity/applications/" + made.getString("id")), admin, null);
    assertRefused(with("ApiKey " + key));
  }

  @Test
  void an_expired_api_key_is_refused() throws Exception {
    var made =
        application(
            new JsonObject()
                .put("name", "short")
                .put("permissions", List.of("read:workflow-instances"))
                .put("expiresAt", Instant.now().plus(Duration.ofMillis(1_500)).toString()));
    assertThat(with("ApiKey " + made.getString("apiKey")).statusCode()).isEqualTo(200);

    var end = Instant.now().plus(Duration.ofSeconds(10));
    while (with("ApiKey " + made.getString("apiKey")).statusCode() == 200) {
      assertThat(Instant.now()).isBefore(end);
      Thread.onSpinWait();
    }
    assertRefused(with("ApiKey " + made.getString("apiKey")));
  }

  @Test
  void an_api_key_may_do_what_its_scopes_say_and_no_more() throws Exception {
    var made =
        application(
            new JsonObject()
                .put("name", "scoped")
                .put("permissions", List.of("read:workflow-instances")));
    var key = "ApiKey " + made.getString("apiKey");

    assertThat(server.get(LIST, key).statusCode()).isEqualTo(200);
    assertThat(server.get("/workflow-definitions", key).statusCode()).isEqualTo(403);
    assertThat(server.get("/identity/users", key).statusCode()).isEqualTo(403);
  }

  @Test
  void no_key_and_no_password_is_in_the_database_in_clear() throws Exception {
    var made = application(new JsonObject().put("name", "hashed").put("roles", List.of("viewer")));
    var refresh =
        server.login(GuardedServer.ADMIN, GuardedServer.PASSWORD).getString("refreshToken");

    for (var table :
        List.of(
            "identity_users",
            "identity_applications",
            "identity_sessions",
            "identity_refresh_tokens",
            "idempotency_keys",
            "audit_log")) {
      var rows = server.rows("select t::text from " + table + " t");
      assertThat(String.valueOf(rows))
          .doesNotContain(made.getString("apiKey"))
          .doesNotContain(refresh)
          .doesNotContain(GuardedServer.PASSWORD)
          .doesNotContain(GuardedServer.KEY);
    }
  }

  @Test
  void nobody_gives_others_or_themselves_more_than_they_have() throws Exception {
    var role =
        new JsonObject()
            .put("name", "user-admin")
            .put(
                "permissions",
                List.of(
                    "create:user",
                    "update:user",
                    "delete:user",
                    "create:role",
                    "create:application",
                    "read:user"));
    assertThat(server.post("/identity/roles", admin, role).statusCode()).isEqualTo(200);
    var clerk = server.user("clerk", "user-admin");
    var root = idOf(GuardedServer.ADMIN);

    var user = new JsonObject().put("name", "puppet").put("roles", List.of("admin"));
    assertForbidden(server.post("/identity/users", clerk, user));
    var more = new JsonObject().put("name", "more").put("permissions", List.of("*"));
    assertForbidden(server.post("/identity/roles", clerk, more));
    assertForbidden(server.post("/identity/applications", clerk, more));
    var password = new JsonObject().put("password", "taken over!").encode();
    assertForbidden(server.send("PUT", server.api("/identity/users/" + root), clerk, password));
    assertForbidden(server.send("DELETE", server.api("/identity/users/" + root), clerk, null));
    var own = new JsonObject().put("roles", List.of("admin")).encode();
    assertForbidden(server.send("PUT", server.api("/identity/users/" + idOf("clerk")), clerk, own));
  }

  @Test
  void a_token_that_outlives_the_rights_of_its_user_gives_them_to_nothing_else() throws Exception {
    var boss = server.user("boss", "admin");
    var key = new JsonObject().put("name", "key-of-boss").put("permissions", List.of("*"));
    assertThat(server.post("/identity/applications", boss, key).statusCode()).isEqualTo(200);
    var path = "/identity/users/" + idOf("boss");
    var less = new JsonObject().put("roles", List.of("viewer")).encode();
    assertThat(server.send("PUT", server.api(path), admin, less).statusCode()).isEqualTo(200);

    assertThat(with(boss).statusCode()).as("until its token ends").isEqualTo(200);
    var own = new JsonObject().put("roles", List.of("admin")).encode();
    assertForbidden(server.send("PUT", server.api(path), boss, own));
    for (int i = 0; i < 2; i++) {
      assertForbidden(server.post("/identity/applications", boss, key));
      var user = new JsonObject().put("name", "of-boss" + i).put("roles", List.of("admin"));
      assertForbidden(server.post("/identity/users", boss, user));
      var role = new JsonObject().put("name", "by-boss" + i).put("permissions", List.of("*"));
      assertForbidden(server.post("/identity/roles", boss, role));
      var root = server.api("/identity/users/" + idOf(GuardedServer.ADMIN));
      var password = new JsonObject().put("password", "taken over!").encode();
      assertForbidden(server.send("PUT", root, boss, password));
      server.send("DELETE", server.api(path), admin, null); // and once more when they are deleted
    }
  }

  private static void assertForbidden(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
    assertThat(GuardedServer.code(answer)).isEqualTo("FORBIDDEN");
  }

  @Test
  void a_name_that_looks_like_another_one_is_refused() throws Exception {
    for (var name : List.of("r\u043e\u043et", "root\u200b", "\u202etoor", " ")) {
      var answer = server.post("/identity/users", admin, new JsonObject().put("name", name));
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    }
  }

  @Test
  void a_built_in_role_cannot_be_replaced_or_taken_away() throws Exception {
    var other = new JsonObject().put("name", "Viewer").put("permissions", List.of("*"));

    assertThat(server.post("/identity/roles", admin, other).statusCode()).isEqualTo(409);
    assertForbidden(server.send("DELETE", server.api("/identity/roles/admin"), admin, null));
  }

  @Test
  void saving_does_not_publish_and_listing_does_not_start_what_one_may_not() throws Exception {
    var writer =
        application(
            new JsonObject()
                .put("name", "writer")
                .put("permissions", List.of("write:workflow-definitions")));
    var key = "ApiKey " + writer.getString("apiKey");
    var model =
        new JsonObject(
            "{\"definitionId\":\"w\",\"root\":{\"id\":\"W\",\"type\":\"Elsa.WriteLine\",\"version\":1}}");
    var published = new JsonObject().put("model", model).put("publish", true);

    assertForbidden(server.post("/workflow-definitions", key, published));
    assertThat(
            server.post("/workflow-definitions", key, published.put("publish", false)).statusCode())
        .isEqualTo(200);
    var viewer = server.user("looks-only", "viewer");
    assertForbidden(server.post(LIST, viewer, new JsonObject().put("definitionId", "w")));
    assertThat(server.post(LIST, viewer, new JsonObject().put("page", 0)).statusCode())
        .isEqualTo(200);
  }

  @Test
  void an_idempotency_key_of_somebody_else_gives_nobody_their_answer() throws Exception {
    server.publish(
        "{\"definitionId\":\"keyed\",\"root\":{\"id\":\"W\",\"type\":\"Elsa.WriteLine\",\"version\":1}}");
    var first = server.user("first-caller", "operator");
    var second = server.user("second-caller", "operator");
    var body = new JsonObject().put("definitionId", "keyed").encode();

    var started = keyed(first, body);
    var repeated = keyed(first, body);
    var other = keyed(second, body);
    var viewer = keyed(server.user("third-caller", "viewer"), body);

    assertThat(started.statusCode()).isEqualTo(201);
    assertThat(repeated.body()).isEqualTo(started.body());
    assertThat(GuardedServer.code(other)).isEqualTo("IDEMPOTENCY_KEY_REUSED");
    assertThat(GuardedServer.code(viewer)).isEqualTo("IDEMPOTENCY_KEY_REUSED");
  }

  private static HttpResponse<String> keyed(String caller, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(server.api(LIST))
            .header("Content-Type", "application/json")
            .header("Authorization", caller)
            .header("Idempotency-Key", "\"one-key-of-two-callers\"")
            .POST(BodyPublishers.ofString(body));
    return GuardedServer.CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  @Test
  void no_spelling_of_a_path_leads_past_the_gate() throws IOException {
    for (var path :
        List.of(
            "/workflows/../elsa/api/workflow-instances",
            "/workflows/%2e%2e/elsa/api/workflow-instances",
            "/health/live/../../elsa/api/workflow-instances",
            "//elsa/api/workflow-instances",
            "/elsa//api/workflow-instances",
            "/%65lsa/api/workflow-instances",
            "/elsa/api/identity/login/../../workflow-instances",
            "/elsa/api/bookmarks/resume/../../workflow-instances",
            "/elsa/api/workflow-instances/",
            "/elsa/api/workflow-instances;x=/workflows/",
            "/ELSA/api/workflow-instances")) {
      for (var method : List.of("GET", "HEAD", "POST")) {
        var answer =
            raw(
                method
                    + " "
                    + path
                    + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        assertThat(answer).as(method + " " + path).matches("(?s)HTTP/1.1 (400|401|404|405) .*");
        assertThat(answer).doesNotContain("totalCount");
      }
    }
  }

  @Test
  void nobody_who_is_unknown_has_a_body_waited_for() throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(5_000);
      socket.getOutputStream().write(UNSENT.getBytes(UTF_8));

      var head = new String(socket.getInputStream().readNBytes(13), UTF_8);

      assertThat(head).isEqualTo("HTTP/1.1 401 ");
    }
  }

  /** Such bodies take room that there is for a few at a time. */
  @ParameterizedTest
  @CsvSource({
    "POST, /workflow-definitions, application/json",
    "POST, /workflow-definitions/, application/json",
    "PUT, /workflow-definitions, application/json",
    "POST, /workflow-definitions/import, application/json",
    "PUT, /workflow-definitions/x, application/json",
    "PUT, /workflow-definitions/validate, application/json",
    "POST, /workflow-definitions/x/import, application/json",
    "POST, /workflow-definitions/import-files, multipart/form-data; boundary=b",
    "POST, /bulk-actions/import/workflow-instances, multipart/form-data; boundary=b"
  })
  void nobody_who_may_not_send_a_large_body_has_it_waited_for(
      String method, String path, String type) throws Exception {
    var head =
        """
        %s %s%s HTTP/1.1\r
        Host: localhost\r
        Authorization: %s\r
        Content-Type: %s\r
        Content-Length: 9000000\r
        \r
        """
            .formatted(method, Routes.API, path, viewer, type);
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(5_000);
      socket.getOutputStream().write(head.getBytes(UTF_8));

      var answer = new String(socket.getInputStream().readNBytes(13), UTF_8);

      assertThat(answer).isEqualTo("HTTP/1.1 403 ");
    }
  }

  @Test
  void refusals_are_counted() throws Exception {
    long before = server.metrics.refusals(Refusal.BEARER);
    long keys = server.metrics.refusals(Refusal.API_KEY);
    long passwords = server.metrics.refusals(Refusal.PASSWORD);

    assertRefused(with("Bearer no.such.token"));
    assertRefused(with("ApiKey no-such-key"));
    server.login(GuardedServer.ADMIN, "guess");

    assertThat(server.metrics.refusals(Refusal.BEARER)).isEqualTo(before + 1);
    assertThat(server.metrics.refusals(Refusal.API_KEY)).isEqualTo(keys + 1);
    assertThat(server.metrics.refusals(Refusal.PASSWORD)).isEqualTo(passwords + 1);
  }

  @Test
  void guesses_of_passwords_fill_the_audit_log_with_ten_lines_a_minute_for_each_event_loop()
      throws Exception {
    for (int i = 0; i < 40; i++) {
      server.login("guessed-" + i, "guess");
    }

    var lines =
        server.number(
            "select count(*) from audit_log where action = 'identity.login' and outcome <> 'ok'");
    assertThat(lines).isBetween(1L, 30L);
  }

  private static String raw(String request) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(15_000);
      socket.getOutputStream().write(request.getBytes(UTF_8));
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }
  }
}
