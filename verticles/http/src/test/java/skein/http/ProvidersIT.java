package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import skein.identity.Identity;
import skein.identity.SignIn;
import skein.metrics.SecurityMetrics;
import skein.storage.TestDatabase;
import skein.storage.UserStore;

/** Several OpenID providers: each signs for its own people, and for no others. */
class ProvidersIT {
  private static final String STAFF_AUDIENCE = "skein-staff";
  private static final String PARTNERS_AUDIENCE = "skein-partners";

  private static FakeProvider staff;
  private static FakeProvider partners;
  private static GuardedServer server;

  @BeforeAll
  static void start() throws Exception {
    var vertx = TestDatabase.vertx();
    staff = new FakeProvider(vertx);
    partners = new FakeProvider(vertx);
    int port;
    try (var free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    var externals =
        List.of(
            staff.external(vertx, "", "Staff", STAFF_AUDIENCE),
            partners.external(vertx, "partners", "Partners", PARTNERS_AUDIENCE));
    server = new GuardedServer(GuardedServer.PATIENT, externals, true, port);
  }

  @AfterAll
  static void stop() {
    server.close();
    staff.close();
    partners.close();
  }

  @BeforeEach
  void behave() {
    staff.behave();
    partners.behave();
  }

  private static JsonObject claims(FakeProvider issuer, String audience, String... groups) {
    long now = Instant.now().getEpochSecond();
    return new JsonObject()
        .put("iss", issuer.issuer())
        .put("aud", audience)
        .put("sub", "f:1")
        .put("preferred_username", "kim")
        .put("groups", new JsonArray(List.of(groups)))
        .put("iat", now)
        .put("exp", now + 300);
  }

  private static JsonObject ofStaff(String... groups) {
    return claims(staff, STAFF_AUDIENCE, groups);
  }

  private static JsonObject ofPartners(String... groups) {
    return claims(partners, PARTNERS_AUDIENCE, groups);
  }

  private static HttpResponse<String> with(String token) throws Exception {
    return server.get("/identity/me", "Bearer " + token);
  }

  private static void assertRefused(String token) throws Exception {
    var answer = with(token);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(401);
    assertThat(GuardedServer.code(answer)).isEqualTo("UNAUTHENTICATED");
  }

  @Test
  void a_token_is_verified_by_the_provider_that_it_names_and_people_of_one_name_differ()
      throws Exception {
    var one = new JsonObject(with(staff.signed(ofStaff("elsa-operators"))).body());
    var other = new JsonObject(with(partners.signed(ofPartners("viewer"))).body());

    assertThat(one.getString("name")).isEqualTo("kim");
    assertThat(one.getJsonArray("roles")).containsExactly("operator");
    assertThat(other.getString("name")).isEqualTo("partners:kim");
    assertThat(other.getJsonArray("roles")).containsExactly("viewer");
  }

  @Test
  void nobody_takes_a_name_that_people_of_another_provider_have() throws Exception {
    assertRefused(staff.signed(ofStaff("admin").put("preferred_username", "partners:kim")));
    assertRefused(staff.signed(ofStaff("admin").put("preferred_username", "application:kim")));
    assertRefused(staff.signed(ofStaff("admin").put("preferred_username", "certificate:kim")));
    assertThat(
            with(staff.signed(ofStaff("viewer").put("preferred_username", "partner"))).statusCode())
        .isEqualTo(200);

    staff.claims = claims -> claims.put("preferred_username", "partners:kim");
    var answer = finished(staff, begin(staff));

    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).contains("partners:kim", "security.oidc.name-prefix");
  }

  @Test
  void no_user_with_a_password_has_a_name_that_people_of_a_provider_have() throws Exception {
    for (var name : List.of("partners:kim", "Partners:lee")) {
      var user = new JsonObject().put("name", name);

      var refused = server.post("/identity/users", server.admin(), user);

      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
      assertThat(GuardedServer.code(refused)).isEqualTo("INVALID_ID");
    }
  }

  @Test
  void a_user_with_such_a_name_from_before_the_provider_signs_in_no_more() throws Exception {
    var password = GuardedServer.PASSWORD;
    var options = GuardedServer.options(GuardedServer.PATIENT);
    var before =
        Identity.start(
                server.vertx(), server.node.database, options, List.of(), new SecurityMetrics())
            .await();
    var hash = before.passwords().hash(password).await();
    var roles = List.of("task-user");
    before.users().insert(new UserStore.User("p-1", "Partners:ann", hash, roles, "")).await();
    var session = before.signIn().withPassword("partners:ann", password, "192.0.2.1").await();
    assertThat(session).isNotNull();
    var lines = new ListAppender<ILoggingEvent>();
    lines.start();
    var log = (Logger) LoggerFactory.getLogger(SignIn.class);
    log.addAppender(lines);
    try {
      var refused = server.login("partners:ann", password);
      assertThat(refused).isEqualTo(server.login("partners:ann", "a wrong one"));
      assertThat(refused.getBoolean("isAuthenticated")).isFalse();
      assertThat(lines.list)
          .singleElement()
          .satisfies(line -> {
            assertThat(line.getMessage()).isEqualTo("signIn.nameReserved");
            assertThat(line.getKeyValuePairs().toString()).contains("Partners:ann", "partners:");
          });

      var prolonged =
          server.post("/identity/refresh-token", "Bearer " + session.refresh(), new JsonObject());
      assertThat(prolonged.statusCode()).as(prolonged.body()).isEqualTo(401);
      assertThat(lines.list).hasSize(2);
    } finally {
      log.detachAppender(lines);
    }
  }

  @Test
  void a_key_of_one_provider_signs_for_no_other() throws Exception {
    assertRefused(partners.signed(ofStaff("admin")));
    assertRefused(staff.signed(ofPartners("admin")));
    assertRefused(partners.signed(ofPartners("admin").put("aud", STAFF_AUDIENCE)));
    assertRefused(staff.signed(ofStaff("admin").put("aud", PARTNERS_AUDIENCE)));
    assertRefused(
        partners.signed(
            ofStaff("admin").put("iss", new JsonArray().add(staff.issuer()).add("partners"))));
    assertRefused(partners.signed(ofPartners("admin").put("iss", "skein")));
  }

  @Test
  void an_issuer_that_is_not_configured_is_refused_and_nobody_is_asked() throws Exception {
    int before = staff.keyReads.get() + partners.keyReads.get();

    assertRefused(partners.signed(ofPartners("admin").put("iss", "https://evil.example/realm")));
    assertRefused(partners.signed(ofPartners("admin").put("iss", partners.issuer() + "/")));
    var nobodys = ofPartners("admin");
    nobodys.remove("iss");
    assertRefused(partners.signed(nobodys));

    assertThat(staff.keyReads.get() + partners.keyReads.get()).isEqualTo(before);
  }

  @Test
  void the_keys_of_a_provider_are_read_again_for_its_own_tokens_alone_and_not_often()
      throws Exception {
    assertThat(with(staff.signed(ofStaff("viewer"))).statusCode()).isEqualTo(200);
    assertThat(with(partners.signed(ofPartners("viewer"))).statusCode()).isEqualTo(200);
    int ofStaff = staff.keyReads.get();
    int ofPartners = partners.keyReads.get();
    var forger = TokenForge.keys();

    for (int i = 0; i < 50; i++) {
      assertRefused(TokenForge.rs256("invented-" + i, ofPartners("admin"), forger.getPrivate()));
    }

    assertThat(staff.keyReads.get()).isEqualTo(ofStaff);
    assertThat(partners.keyReads.get() - ofPartners).isLessThanOrEqualTo(1);
  }

  @Test
  void while_one_provider_is_away_people_of_others_come_in() throws Exception {
    partners.away = true;

    assertThat(with(staff.signed(ofStaff("viewer").put("jti", "away"))).statusCode())
        .isEqualTo(200);
    assertThat(finished(staff, begin(staff)).statusCode()).isEqualTo(303);
  }

  @Test
  void people_are_offered_each_provider_by_its_name() throws Exception {
    var ways = new JsonObject(server.get("/identity/oidc/providers", null).body());

    assertThat(ways.getJsonArray("providers"))
        .isEqualTo(
            new JsonArray()
                .add(new JsonObject().put("name", "Staff").put("issuer", staff.issuer()))
                .add(new JsonObject().put("name", "Partners").put("issuer", partners.issuer())));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static HttpResponse<String> ask(String method, URI at, String cookie) throws Exception {
    var request =
        HttpRequest.newBuilder(at)
            .method(method, HttpRequest.BodyPublishers.noBody())
            .header("Cookie", "other=1; " + cookie);
    return GuardedServer.CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  private static String header(HttpResponse<?> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  private static String cookie(HttpResponse<?> answer) {
    return header(answer, "Set-Cookie").replaceAll(";.*", "");
  }

  /** A browser on its way: what it keeps, and where it was sent. */
  private record Begun(String cookie, URI asked) {
    String of(String name) {
      return FakeProvider.form(asked.getRawQuery()).getOrDefault(name, "");
    }
  }

  private static Begun begin(FakeProvider at) throws Exception {
    var login =
        ask(
            "GET",
            server.api("/identity/oidc/login?returnTo=%2Fconsole&issuer=" + encoded(at.issuer())),
            "");
    assertThat(login.statusCode()).as(login.body()).isEqualTo(303);
    return new Begun(cookie(login), URI.create(header(login, "Location")));
  }

  private static URI back(String callback, Begun begun, String code) {
    return URI.create(callback + "?state=" + begun.of("state") + "&code=" + code);
  }

  private static HttpResponse<String> finished(FakeProvider at, Begun begun) throws Exception {
    var back = back(begun.of("redirect_uri"), begun, at.code(begun.asked()));
    return ask("GET", back, begun.cookie());
  }

  private static void assertInvalid(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(GuardedServer.code(answer)).isEqualTo("SIGN_IN_INVALID");
    assertThat(header(answer, "Set-Cookie")).isEmpty();
  }

  @Test
  void people_sign_in_and_out_at_the_provider_that_they_choose() throws Exception {
    for (var provider : List.of(staff, partners)) {
      var begun = begin(provider);
      assertThat(begun.asked().toString()).startsWith(provider.issuer() + "/authorize");

      var arrived = finished(provider, begun);

      assertThat(arrived.statusCode()).as(arrived.body()).isEqualTo(303);
      var session = ask("POST", server.api("/identity/oidc/session"), cookie(arrived));
      var tokens = new JsonObject(session.body());
      assertThat(tokens.getString("name")).isEqualTo(provider == staff ? "kim" : "partners:kim");
      var refresh = "Bearer " + tokens.getString("refreshToken");
      var logout = server.send("POST", server.api("/identity/logout"), refresh, null);
      assertThat(new JsonObject(logout.body()).getString("providerUrl"))
          .startsWith(provider.issuer() + "/logout?");
    }
  }

  @Test
  void each_provider_sends_browsers_to_an_address_of_its_own() throws Exception {
    var callback = server.api("/identity/oidc/callback").toString();

    assertThat(begin(staff).of("redirect_uri")).isEqualTo(callback);
    assertThat(begin(partners).of("redirect_uri")).isEqualTo(callback + "/partners");
    var unknown = ask("GET", server.api("/identity/oidc/callback/evil?state=x&code=y"), "");
    assertThat(unknown.statusCode()).isEqualTo(404);
  }

  /** A provider that means harm sends the browser on to another one, to get the code of that. */
  @Test
  void a_code_of_one_provider_is_told_to_no_other() throws Exception {
    var atPartners = begin(partners);
    var code = staff.code(atPartners.asked());

    assertInvalid(
        ask(
            "GET",
            back(server.api("/identity/oidc/callback").toString(), atPartners, code),
            atPartners.cookie()));

    assertThat(partners.exchanges).isEmpty();
    assertThat(staff.exchanges).isEmpty();
  }

  @Test
  void an_answer_that_says_another_issuer_is_refused() throws Exception {
    var begun = begin(partners);
    var back =
        back(begun.of("redirect_uri"), begun, partners.code(begun.asked()))
            + "&iss="
            + encoded(staff.issuer());

    assertInvalid(ask("GET", URI.create(back), begun.cookie()));
    assertThat(partners.exchanges).isEmpty();
  }

  @Test
  void a_provider_signs_nobody_in_as_somebody_of_another() throws Exception {
    partners.claims = claims -> claims.put("iss", staff.issuer());
    assertThat(GuardedServer.code(finished(partners, begin(partners))))
        .isEqualTo("PROVIDER_UNAVAILABLE");

    partners.claims = same -> same;
    partners.token = token -> staff.signed(TokenForge.part(token, 1));
    assertThat(GuardedServer.code(finished(partners, begin(partners))))
        .isEqualTo("PROVIDER_UNAVAILABLE");
  }

  @Test
  void whoever_has_no_role_here_is_told_of_the_setting_of_their_provider() throws Exception {
    partners.claims = claims -> claims.put("groups", new JsonArray());

    var answer = finished(partners, begin(partners));

    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).contains("partners:kim", "security.oidc.providers.partners.roles");
  }
}
