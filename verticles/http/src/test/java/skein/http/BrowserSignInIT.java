package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import skein.identity.Identity;
import skein.metrics.SecurityMetrics;
import skein.storage.TestDatabase;

/** Signing in at an OpenID provider, and what is tried on the way. */
@TestMethodOrder(OrderAnnotation.class)
class BrowserSignInIT {
  private static FakeProvider provider;
  private static GuardedServer server;

  @BeforeAll
  static void start() throws Exception {
    var vertx = TestDatabase.vertx();
    provider = new FakeProvider(vertx);
    int port;
    try (var free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    server =
        new GuardedServer(GuardedServer.PATIENT, List.of(provider.external(vertx)), true, port);
  }

  @AfterAll
  static void stop() {
    server.close();
    provider.close();
  }

  @BeforeEach
  void behave() {
    provider.behave();
  }

  private static HttpResponse<String> ask(String method, URI at, String cookie, String... headers)
      throws Exception {
    var request = HttpRequest.newBuilder(at).method(method, BodyPublishers.noBody());
    if (!cookie.isEmpty()) {
      request.header("Cookie", "other=1; " + cookie);
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    return GuardedServer.CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  private static String header(HttpResponse<?> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  private static String cookie(HttpResponse<?> answer) {
    return header(answer, "Set-Cookie").replaceAll(";.*", "");
  }

  private static HttpResponse<String> login(String returnTo) throws Exception {
    var at = server.api("/identity/oidc/login?returnTo=" + encoded(returnTo));
    return ask("GET", at, "");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** {@code at}: where the provider wanted the browser. */
  private static URI back(URI at, String code) {
    var asked = FakeProvider.form(at.getRawQuery());
    return URI.create(
        asked.get("redirect_uri")
            + "?state="
            + asked.get("state")
            + "&session_state=x&iss="
            + encoded(provider.issuer())
            + "&code="
            + code);
  }

  /** A user who signs in, up to the answer to their return. */
  private record Attempt(String cookie, URI asked, URI back) {
    static Attempt begin() throws Exception {
      var login = login("/console/instances?status=Faulted");
      assertThat(login.statusCode()).as(login.body()).isEqualTo(303);
      var asked = URI.create(header(login, "Location"));
      return new Attempt(
          BrowserSignInIT.cookie(login), asked, BrowserSignInIT.back(asked, provider.code(asked)));
    }

    HttpResponse<String> finish() throws Exception {
      return ask("GET", back, cookie);
    }
  }

  private static void assertRefused(HttpResponse<String> answer, int status, String code) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(GuardedServer.code(answer)).isEqualTo(code);
    assertThat(header(answer, "Set-Cookie")).isEmpty();
  }

  private static HttpResponse<String> session(String cookie) throws Exception {
    return ask("POST", server.api("/identity/oidc/session"), cookie);
  }

  private static JsonObject signedIn() throws Exception {
    var arrived = Attempt.begin().finish();
    assertThat(arrived.statusCode()).as(arrived.body()).isEqualTo(303);
    return new JsonObject(session(cookie(arrived)).body());
  }

  @Test
  void a_person_is_sent_to_the_provider_and_comes_back_signed_in() throws Exception {
    var login = login("/console/instances?status=Faulted");
    var asked = FakeProvider.form(URI.create(header(login, "Location")).getRawQuery());
    assertThat(header(login, "Location")).startsWith(provider.issuer() + "/authorize?theme=dark&");
    assertThat(asked)
        .containsEntry("response_type", "code")
        .containsEntry("client_id", FakeProvider.CLIENT)
        .containsEntry("scope", "openid")
        .containsEntry("code_challenge_method", "S256")
        .containsEntry("redirect_uri", server.api("/identity/oidc/callback").toString());
    assertThat(asked.get("state")).hasSizeGreaterThan(40).isNotEqualTo(asked.get("nonce"));
    assertThat(header(login, "Set-Cookie"))
        .contains("; HttpOnly; SameSite=Lax", "; Path=/elsa/api/identity/oidc; Max-Age=600;")
        .doesNotContain(asked.get("state"), asked.get("nonce"));

    var arrived = Attempt.begin().finish();

    assertThat(arrived.statusCode()).as(arrived.body()).isEqualTo(303);
    assertThat(header(arrived, "Location"))
        .isEqualTo("/console/instances?status=Faulted#signed-in");
    assertThat(header(arrived, "Cache-Control")).isEqualTo("no-store");
    assertThat(header(arrived, "Set-Cookie")).contains("; HttpOnly; SameSite=Lax", "Max-Age=60;");
    var session = session(cookie(arrived));
    var tokens = new JsonObject(session.body());
    assertThat(header(session, "Set-Cookie")).startsWith("skein-oidc=;").contains("Max-Age=0;");
    assertThat(tokens.getString("name")).isEqualTo("kim");
    assertThat(session.body()).doesNotContain("of-the-provider");
    var bearer = "Bearer " + tokens.getString("accessToken");
    var me = new JsonObject(server.get("/identity/me", bearer).body());
    assertThat(me.getJsonArray("roles")).contains("operator", "everybody");
    var cancel = server.api("/workflow-instances/none/cancel");
    assertThat(server.send("POST", cancel, bearer, null).statusCode()).isEqualTo(404);
    assertThat(server.get("/identity/users", bearer).statusCode()).isEqualTo(403);
    assertThat(
            server.rows(
                "select actor from audit_log where action = 'identity.login' and outcome = 'ok'"))
        .contains("user:kim");
  }

  @Test
  void tokens_are_fetched_once_and_by_no_page_of_another_site() throws Exception {
    var cookie = cookie(Attempt.begin().finish());

    var foreign =
        ask("POST", server.api("/identity/oidc/session"), cookie, "Sec-Fetch-Site", "cross-site");
    assertThat(GuardedServer.code(foreign)).isEqualTo("CROSS_SITE");
    assertThat(session(cookie).statusCode()).isEqualTo(200);
    assertRefused(session(cookie), 400, "SIGN_IN_INVALID");
    assertRefused(session(""), 400, "SIGN_IN_INVALID");
  }

  @Test
  void another_node_takes_the_person_back() throws Exception {
    var identity =
        Identity.start(
                server.vertx(),
                server.node.database,
                GuardedServer.options(GuardedServer.PATIENT),
                List.of(provider.external(server.vertx())),
                new SecurityMetrics())
            .await();
    var other = server.deploy(new Security.Authenticated(identity, true));
    var attempt = Attempt.begin();
    var back =
        URI.create(attempt.back().toString().replace(":" + server.port(), ":" + other.port()));

    var arrived = ask("GET", back, attempt.cookie());

    assertThat(arrived.statusCode()).as(arrived.body()).isEqualTo(303);
    assertThat(session(cookie(arrived)).statusCode()).isEqualTo(200);
  }

  @Test
  void what_is_no_answer_to_an_attempt_of_the_browser_is_refused() throws Exception {
    var attempt = Attempt.begin();
    var other = Attempt.begin();

    assertRefused(ask("GET", attempt.back(), ""), 400, "SIGN_IN_INVALID");
    assertRefused(ask("GET", attempt.back(), other.cookie()), 400, "SIGN_IN_INVALID");
    assertRefused(ask("GET", attempt.back(), "skein-oidc=junk"), 400, "SIGN_IN_INVALID");
    var wrongState = attempt.back().toString().replace("state=", "state=x");
    assertRefused(ask("GET", URI.create(wrongState), attempt.cookie()), 400, "SIGN_IN_INVALID");
    var otherIssuer = attempt.back().toString().replace("iss=http", "iss=https");
    assertRefused(ask("GET", URI.create(otherIssuer), attempt.cookie()), 400, "SIGN_IN_INVALID");
    var noCode = attempt.back().toString().replaceAll("&code=.*", "");
    assertRefused(ask("GET", URI.create(noCode), attempt.cookie()), 400, "SIGN_IN_INVALID");
    var denied = URI.create(noCode + "&error=access_denied&error_description=%3Cb%3E");
    var refusal = ask("GET", denied, attempt.cookie());
    assertRefused(refusal, 400, "SIGN_IN_INVALID");
    assertThat(refusal.body()).contains("access_denied").doesNotContain("<b>");
    assertThat(provider.exchanges).isEmpty();
    assertThat(attempt.finish().statusCode()).isEqualTo(303);
  }

  @Test
  void a_code_of_another_session_is_refused() throws Exception {
    var theirs = Attempt.begin();
    var own = Attempt.begin();
    var injected =
        URI.create(
            own.back().toString().replaceAll("code=.*", "")
                + theirs.back().toString().replaceAll(".*&(code=)", "$1"));

    assertRefused(ask("GET", injected, own.cookie()), 400, "SIGN_IN_INVALID");
  }

  @Test
  void an_answer_that_comes_again_signs_nobody_in_even_where_the_provider_does() throws Exception {
    provider.careless = true;
    var attempt = Attempt.begin();

    assertThat(attempt.finish().statusCode()).isEqualTo(303);
    assertRefused(attempt.finish(), 400, "SIGN_IN_INVALID");
    assertThat(provider.exchanges).hasSize(2);
  }

  static Stream<Arguments> untrusted() {
    return Stream.of(
        Arguments.of("no nonce", Map.of("nonce", "")),
        Arguments.of("another nonce", Map.of("nonce", "n")),
        Arguments.of("another audience", Map.of("aud", "skein-api")),
        Arguments.of(
            "of another party", Map.of("aud", new JsonArray().add("skein-console"), "azp", "x")),
        Arguments.of(
            "of nobody in particular",
            Map.of("aud", new JsonArray().add("skein-console").add("x"))),
        Arguments.of("another issuer", Map.of("iss", "https://evil.example/realm")),
        Arguments.of("no subject", Map.of("sub", "")),
        Arguments.of("expired", Map.of("exp", Instant.now().getEpochSecond() - 60)));
  }

  @ParameterizedTest
  @MethodSource("untrusted")
  void a_token_that_is_not_for_this_sign_in_is_refused(String what, Map<String, Object> changed)
      throws Exception {
    provider.claims = claims -> claims.mergeIn(new JsonObject(changed));
    var answer = Attempt.begin().finish();

    assertThat(what).isNotEmpty();
    assertRefused(answer, 503, "PROVIDER_UNAVAILABLE");
  }

  @Test
  void a_token_that_the_provider_has_not_signed_is_refused() throws Exception {
    var other = TokenForge.keys();
    provider.token = token -> TokenForge.rs256("k1", TokenForge.part(token, 1), other.getPrivate());
    assertRefused(Attempt.begin().finish(), 503, "PROVIDER_UNAVAILABLE");

    var header = new JsonObject().put("alg", "none");
    provider.token = token -> TokenForge.unsigned(header, TokenForge.part(token, 1)) + ".";
    assertRefused(Attempt.begin().finish(), 503, "PROVIDER_UNAVAILABLE");

    var secret = FakeProvider.SECRET.getBytes(StandardCharsets.UTF_8);
    provider.token = token -> TokenForge.hs256(new JsonObject(), TokenForge.part(token, 1), secret);
    assertRefused(Attempt.begin().finish(), 503, "PROVIDER_UNAVAILABLE");
  }

  /** The first one: of refused sign-ins ten a minute are audited. */
  @Order(1)
  @Test
  void somebody_without_a_role_here_is_told_so() throws Exception {
    provider.claims = claims -> claims.put("groups", new JsonArray().add("everybody"));
    var answer = Attempt.begin().finish();

    assertRefused(answer, 403, "FORBIDDEN");
    assertThat(answer.body()).contains("kim", "security.oidc.roles");
    assertThat(
            server.rows(
                "select outcome from audit_log where action = 'identity.login' and outcome <>"
                    + " 'ok'"))
        .contains("FORBIDDEN");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://evil.example/",
        "//evil.example/console",
        "/\\evil.example",
        "/workflows/page",
        "/console/../workflows/page"
      })
  void nobody_is_sent_to_another_place(String returnTo) throws Exception {
    assertRefused(login(returnTo), 400, "INVALID_REQUEST");
  }

  @Test
  void an_unknown_provider_is_not_asked() throws Exception {
    var at = server.api("/identity/oidc/login?issuer=" + encoded("https://evil.example/realm"));

    assertRefused(ask("GET", at, ""), 404, "NOT_FOUND");
  }

  @Test
  void a_provider_that_does_not_answer_is_named_on_a_page_with_a_way_back() throws Exception {
    var attempt = Attempt.begin();
    provider.away = true;
    assertRefused(attempt.finish(), 503, "PROVIDER_UNAVAILABLE");

    var page = ask("GET", attempt.back(), attempt.cookie(), "Accept", "text/html");
    assertThat(page.statusCode()).isEqualTo(503);
    assertThat(header(page, "Content-Type")).startsWith("text/html");
    assertThat(page.body())
        .contains("Example does not answer", "<code>PROVIDER_UNAVAILABLE</code>");
    assertThat(page.body()).contains("<a href=\"/console\">");
    provider.away = false;
    assertThat(attempt.finish().statusCode())
        .isEqualTo(303); // of the same attempt: nothing is lost
  }

  @Test
  void junk_and_answers_without_an_end_are_refused() throws Exception {
    var answers =
        List.of(
            "<html>",
            "[]",
            "{\"id_token\":7}",
            "{\"error\":\"<script>\"}",
            "{\"id_token\":\"a.b.c\"}",
            "{\"x\":\"" + "y".repeat(2 << 20) + "\"}");
    for (var junk : answers) {
      provider.junk = junk;
      var answer = Attempt.begin().finish();
      assertRefused(answer, 503, "PROVIDER_UNAVAILABLE");
      assertThat(answer.body()).doesNotContain("<script>");
    }
  }

  @Test
  void metadata_of_another_issuer_or_with_other_addresses_are_not_used() throws Exception {
    var vertx = server.vertx();
    for (var change :
        List.of(
            Map.<String, Object>of("issuer", "https://evil.example"),
            Map.<String, Object>of("token_endpoint", "file:///etc/passwd"),
            Map.<String, Object>of("authorization_endpoint", "javascript:alert(1)"),
            Map.<String, Object>of("end_session_endpoint", "javascript:alert(1)"))) {
      provider.metadata = metadata -> metadata.mergeIn(new JsonObject(change));
      var identity =
          Identity.start(
                  vertx,
                  server.node.database,
                  GuardedServer.options(GuardedServer.PATIENT),
                  List.of(provider.external(vertx)),
                  new SecurityMetrics())
              .await();
      var fresh = server.deploy(new Security.Authenticated(identity, true));
      var at = "http://127.0.0.1:" + fresh.port() + Routes.API + "/identity/oidc/login";

      assertRefused(ask("GET", URI.create(at), ""), 503, "PROVIDER_UNAVAILABLE");
    }
  }

  @Test
  void the_session_goes_on_without_the_provider_until_its_end_and_no_longer() throws Exception {
    var first = signedIn().getString("refreshToken");
    provider.away = true;
    var refresh = server.api("/identity/refresh-token");

    var next = server.send("POST", refresh, "Bearer " + first, null);

    assertThat(next.statusCode()).as(next.body()).isEqualTo(200);
    var tokens = new JsonObject(next.body());
    var bearer = "Bearer " + tokens.getString("accessToken");
    assertThat(server.get("/workflow-instances", bearer).statusCode()).isEqualTo(200);
    server.rows(
        "update identity_sessions set ends_at = clock_timestamp() - interval '1 second' where"
            + " person_name is not null returning person_name");
    var second = "Bearer " + tokens.getString("refreshToken");
    var last = new JsonObject(server.send("POST", refresh, second, null).body());
    var third = "Bearer " + last.getString("refreshToken");
    assertThat(server.send("POST", refresh, third, null).statusCode()).isEqualTo(401);
  }

  @Test
  void whoever_signs_out_is_signed_out_and_told_where_to_do_so_at_the_provider() throws Exception {
    var refresh = "Bearer " + signedIn().getString("refreshToken");
    var logout = server.api("/identity/logout");

    var answer = new JsonObject(server.send("POST", logout, refresh, null).body());

    assertThat(answer.getBoolean("ended")).isTrue();
    assertThat(answer.getString("providerUrl"))
        .startsWith(provider.issuer() + "/logout?")
        .contains("client_id=skein-console", "post_logout_redirect_uri=");
    assertThat(
            server.send("POST", server.api("/identity/refresh-token"), refresh, null).statusCode())
        .isEqualTo(401);
    assertThat(
            new JsonObject(server.send("POST", logout, refresh, null).body()).getBoolean("ended"))
        .isFalse();
    assertThat(server.rows("select actor from audit_log where action = 'identity.logout'"))
        .contains("user:kim");
    var admin = server.login(GuardedServer.ADMIN, GuardedServer.PASSWORD);
    var own = server.send("POST", logout, "Bearer " + admin.getString("refreshToken"), null).body();
    assertThat(new JsonObject(own).getString("providerUrl")).isNull();
  }

  @Test
  void pages_ask_how_people_sign_in() throws Exception {
    var ways = new JsonObject(server.get("/identity/oidc/providers", null).body());

    assertThat(ways.getBoolean("passwords")).isTrue();
    assertThat(ways.getJsonArray("providers"))
        .isEqualTo(
            new JsonArray()
                .add(new JsonObject().put("name", "Example").put("issuer", provider.issuer())));
  }
}
