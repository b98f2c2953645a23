package skein.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.security.KeyPair;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import skein.identity.Identity;
import skein.identity.Issuer;
import skein.storage.TestDatabase;

/** Tokens of an OpenID provider, and what is tried with them. */
class IssuerIT {
  private static final String AUDIENCE = "skein-api";
  private static final KeyPair KEYS = TokenForge.keys();
  private static final AtomicInteger READ = new AtomicInteger();
  private static volatile JsonObject jwks = TokenForge.jwks("k1", KEYS);
  private static volatile boolean away;
  private static HttpServer provider;
  private static String issuer;
  private static GuardedServer server;

  @BeforeAll
  static void start() {
    var vertx = TestDatabase.vertx();
    provider =
        vertx
            .createHttpServer()
            .requestHandler(request -> {
              if (away) {
                request.connection().close();
              } else if ("/realm/keys".equals(request.path())) {
                READ.incrementAndGet();
                request.response().end(jwks.encode());
              } else {
                request
                    .response()
                    .end(
                        new JsonObject()
                            .put("issuer", issuer)
                            .put("jwks_uri", issuer + "/keys")
                            .encode());
              }
            })
            .listen(0, "127.0.0.1")
            .await();
    issuer = "http://127.0.0.1:" + provider.actualPort() + "/realm";
    var known =
        new Issuer(
            issuer,
            AUDIENCE,
            new Issuer.Claims(
                "permissions",
                "realm_access.roles",
                Map.of("elsa-operators", "operator"),
                Issuer.Claims.NAMES,
                ""),
            Duration.ofSeconds(5));
    server =
        new GuardedServer(
            GuardedServer.PATIENT,
            List.of(
                new Identity.External(
                    known, new IssuerKeys(new IssuerMetadata(vertx, issuer), ""))));
  }

  @AfterAll
  static void stop() {
    server.close();
    provider.close().await();
  }

  private static JsonObject claims(String... roles) {
    long now = Instant.now().getEpochSecond();
    return new JsonObject()
        .put("iss", issuer)
        .put("aud", new JsonArray().add("account").add(AUDIENCE))
        .put("sub", "f:1")
        .put("preferred_username", "kim")
        .put("realm_access", new JsonObject().put("roles", new JsonArray(List.of(roles))))
        .put("iat", now)
        .put("exp", now + 300);
  }

  private static String token(JsonObject claims) {
    return TokenForge.rs256("k1", claims, KEYS.getPrivate());
  }

  private static HttpResponse<String> with(String token) throws Exception {
    return server.get("/workflow-instances", "Bearer " + token);
  }

  private static void assertRefused(String token) throws Exception {
    var answer = with(token);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(401);
    assertThat(GuardedServer.code(answer)).isEqualTo("UNAUTHENTICATED");
  }

  @Test
  void roles_of_the_issuer_are_mapped_and_those_of_the_same_name_are_themselves() throws Exception {
    var operator = token(claims("elsa-operators"));
    var viewer = token(claims("viewer", "offline_access"));

    assertThat(with(operator).statusCode()).isEqualTo(200);
    assertThat(with(viewer).statusCode()).isEqualTo(200);
    var cancel = server.api("/workflow-instances/none/cancel");
    assertThat(server.send("POST", cancel, "Bearer " + operator, null).statusCode()).isEqualTo(404);
    assertThat(server.send("POST", cancel, "Bearer " + viewer, null).statusCode()).isEqualTo(403);
  }

  @Test
  void what_a_role_allows_no_longer_is_refused_though_the_token_is_valid_for_long()
      throws Exception {
    var admin = server.admin();
    var role =
        new JsonObject()
            .put("name", "reader")
            .put("permissions", List.of("read:workflow-instances"));
    var made = server.post("/identity/roles", admin, role);
    assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
    var token = token(claims("reader"));
    assertThat(with(token).statusCode()).isEqualTo(200);
    assertThat(with(token).statusCode()).as("remembered").isEqualTo(200);

    var id = new JsonObject(made.body()).getString("id");
    var less = new JsonObject().put("permissions", List.of("read:schedules")).encode();
    server.send("PUT", server.api("/identity/roles/" + id), admin, less);

    assertThat(with(token).statusCode()).isEqualTo(403);
  }

  @Test
  void permissions_of_the_issuer_count_and_what_is_no_permission_does_not() throws Exception {
    var some =
        token(
            claims()
                .put(
                    "permissions",
                    new JsonArray().add("read:workflow-instances").add("drop table").add(7)));

    assertThat(with(some).statusCode()).isEqualTo(200);
    assertThat(server.get("/workflow-definitions", "Bearer " + some).statusCode()).isEqualTo(403);
  }

  @Test
  void a_token_without_a_role_or_a_permission_may_do_nothing() throws Exception {
    assertThat(with(token(claims("unknown"))).statusCode()).isEqualTo(403);
  }

  @Test
  void the_public_key_is_no_password() throws Exception {
    var key = KEYS.getPublic().getEncoded();
    var pem =
        "-----BEGIN PUBLIC KEY-----\n"
            + Base64.getMimeEncoder(64, "\n".getBytes(UTF_8)).encodeToString(key)
            + "\n-----END PUBLIC KEY-----\n";
    var header = new JsonObject().put("kid", "k1");
    var modulus = TokenForge.unsigned(((RSAPublicKey) KEYS.getPublic()).getModulus());

    for (var secret :
        List.of(
            key,
            pem.getBytes(UTF_8),
            pem.strip().getBytes(UTF_8),
            modulus,
            jwks.encode().getBytes(UTF_8))) {
      assertRefused(TokenForge.hs256(header, claims("admin"), secret));
    }
  }

  @Test
  void an_unsigned_token_is_refused() throws Exception {
    var header = new JsonObject().put("alg", "none").put("kid", "k1");
    var unsigned = TokenForge.unsigned(header, claims("admin"));

    assertRefused(unsigned);
    assertRefused(unsigned + ".");
    assertRefused(unsigned + ".AAAA");
  }

  @Test
  void a_key_that_the_token_brings_along_is_not_used() throws Exception {
    var own = TokenForge.keys();
    var token = TokenForge.rs256("k1", claims("admin"), own.getPrivate());
    assertRefused(token);
    var header =
        TokenForge.part(token, 0)
            .put("jwk", TokenForge.jwks("k1", own).getJsonArray("keys").getJsonObject(0))
            .put("jku", issuer + "/keys");
    var parts = token.split("\\.", -1);

    assertRefused(
        TokenForge.base64(header.encode().getBytes(UTF_8)) + "." + parts[1] + "." + parts[2]);
  }

  @Test
  void expired_not_yet_valid_and_endless_tokens_are_refused() throws Exception {
    long now = Instant.now().getEpochSecond();

    assertRefused(token(claims("admin").put("exp", now - 6)));
    assertRefused(token(claims("admin").put("nbf", now + 60)));
    assertRefused(token(claims("admin").put("iat", now + 60)));
    var endless = claims("admin");
    endless.remove("exp");
    assertRefused(token(endless));
  }

  @Test
  void clocks_may_differ_by_as_much_as_was_said() throws Exception {
    long now = Instant.now().getEpochSecond();

    assertThat(with(token(claims("viewer").put("nbf", now + 3).put("exp", now + 60))).statusCode())
        .isEqualTo(200);
  }

  @Test
  void tokens_for_another_audience_or_of_another_issuer_are_refused() throws Exception {
    assertRefused(token(claims("admin").put("aud", "account")));
    assertRefused(token(claims("admin").put("aud", new JsonArray())));
    assertRefused(token(claims("admin").put("iss", "https://evil.example/realm")));
    assertRefused(token(claims("admin").put("iss", issuer + "/")));
    assertRefused(token(claims("admin").put("iss", "skein").put("aud", "skein:tests")));
  }

  @Test
  void a_token_that_names_nobody_is_refused() throws Exception {
    var nobody = claims("admin");
    nobody.remove("preferred_username");
    nobody.remove("sub");

    assertRefused(token(nobody));
  }

  @Test
  void a_new_key_is_found_and_invented_ids_of_keys_cause_no_reads() throws Exception {
    assertThat(with(token(claims("viewer"))).statusCode()).isEqualTo(200);
    int before = READ.get();

    for (int i = 0; i < 50; i++) {
      assertRefused(TokenForge.rs256("invented-" + i, claims("admin"), KEYS.getPrivate()));
    }

    assertThat(READ.get() - before).isLessThanOrEqualTo(2);
  }

  @Test
  void what_is_known_goes_on_while_the_issuer_is_away() throws Exception {
    var first = token(claims("viewer").put("jti", "before"));
    assertThat(with(first).statusCode()).isEqualTo(200);
    away = true;
    try {
      assertThat(with(first).statusCode()).isEqualTo(200);
      assertThat(with(token(claims("viewer").put("jti", "after"))).statusCode()).isEqualTo(200);
    } finally {
      away = false;
    }
  }
}
