package skein.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.URLDecoder;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import skein.identity.ClientSecret;
import skein.identity.Identity;
import skein.identity.Issuer;
import skein.identity.OpenIdClient;

/** An OpenID provider that signs in whom a test says, and can be made to misbehave. */
final class FakeProvider implements AutoCloseable {
  static final String CLIENT = "skein-console";
  static final String SECRET = "a secret: of the client";
  static final String KEY_ID = "k1";

  private final KeyPair keys = TokenForge.keys();
  private final HttpServer server;
  private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
  private final AtomicInteger issued = new AtomicInteger();

  /** Forms that were sent to the token endpoint. */
  final ConcurrentLinkedQueue<Map<String, String>> exchanges = new ConcurrentLinkedQueue<>();

  /** How often its keys were asked for. */
  final AtomicInteger keyReads = new AtomicInteger();

  volatile boolean away;

  /** Whether a code is good more than once, for any bearer. */
  volatile boolean careless;

  /** Instead of tokens; empty: tokens. */
  volatile String junk = "";

  /** Changes of the claims of a token, and of the token. */
  volatile UnaryOperator<JsonObject> claims = same -> same;

  volatile UnaryOperator<String> token = same -> same;

  volatile UnaryOperator<JsonObject> metadata = same -> same;

  FakeProvider(Vertx vertx) {
    server = vertx.createHttpServer().requestHandler(this::handle).listen(0, "127.0.0.1").await();
  }

  String issuer() {
    return "http://127.0.0.1:" + server.actualPort() + "/realm";
  }

  void behave() {
    away = false;
    careless = false;
    junk = "";
    claims = same -> same;
    token = same -> same;
    metadata = same -> same;
    exchanges.clear();
  }

  /** The one that the configuration does not name. */
  Identity.External external(Vertx vertx) {
    return external(vertx, "", "Example", "skein-api");
  }

  /**
   * @param key by which the configuration names it; it precedes the names of its people
   * @param name on the button
   */
  Identity.External external(Vertx vertx, String key, String name, String audience) {
    return external(vertx, key, name, audience, Issuer.Tenants.DEFAULT_ONLY);
  }

  /** As {@link #external(Vertx, String, String, String)}, with people of these tenants. */
  Identity.External external(
      Vertx vertx, String key, String name, String audience, Issuer.Tenants tenants) {
    var known =
        new Issuer(
            issuer(),
            audience,
            new Issuer.Claims(
                "permissions",
                "groups",
                Map.of("elsa-operators", "operator"),
                Issuer.Claims.NAMES,
                key.isEmpty() ? "" : key + ":",
                tenants),
            Duration.ofSeconds(5));
    var calls = new IssuerMetadata(vertx, issuer());
    var client =
        new OpenIdClient(
            key, name, CLIENT, ClientSecret.fixed(SECRET), List.of("openid"), Duration.ofHours(12));
    return new Identity.External(
        known, new IssuerKeys(calls, ""), new Identity.Provider(client, calls));
  }

  /** What a holder of its private key can sign. */
  String signed(JsonObject claims) {
    return TokenForge.rs256(KEY_ID, claims, keys.getPrivate());
  }

  private void handle(HttpServerRequest request) {
    if (away) {
      request.connection().close();
      return;
    }
    switch (String.valueOf(request.path())) {
      case "/realm/.well-known/openid-configuration" ->
          request.response().end(metadata.apply(published()).encode());
      case "/realm/keys" -> {
        keyReads.incrementAndGet();
        request.response().end(TokenForge.jwks(KEY_ID, keys).encode());
      }
      case "/realm/token" -> request.body().onSuccess(body -> exchange(request, body.toString()));
      default -> request.response().setStatusCode(404).end();
    }
  }

  private JsonObject published() {
    return new JsonObject()
        .put("issuer", issuer())
        .put("jwks_uri", issuer() + "/keys")
        .put("authorization_endpoint", issuer() + "/authorize?theme=dark")
        .put("token_endpoint", issuer() + "/token")
        .put("end_session_endpoint", issuer() + "/logout");
  }

  /** What a user who signs in here comes back with; {@code asked}: where they were sent. */
  String code(URI asked) {
    var code = "code-" + issued.incrementAndGet();
    codes.put(code, form(asked.getRawQuery()));
    return code;
  }

  static Map<String, String> form(String text) {
    var form = new HashMap<String, String>();
    for (var pair : text.split("&", -1)) {
      int equals = pair.indexOf('=');
      form.put(
          URLDecoder.decode(pair.substring(0, equals), UTF_8),
          URLDecoder.decode(pair.substring(equals + 1), UTF_8));
    }
    return form;
  }

  private void exchange(HttpServerRequest request, String body) {
    var form = form(body);
    exchanges.add(form);
    var asked = careless ? codes.get(form.get("code")) : codes.remove(form.get("code"));
    var basic =
        Base64.getEncoder().encodeToString((CLIENT + ":a+secret%3A+of+the+client").getBytes(UTF_8));
    if (!junk.isEmpty()) {
      request.response().end(junk);
    } else if (!("Basic " + basic).equals(request.getHeader("Authorization"))) {
      refuse(request, 401, "invalid_client");
    } else if (asked == null || !isOf(asked, form)) {
      refuse(request, 400, "invalid_grant");
    } else {
      var made = signed(claims.apply(claims(asked)));
      request
          .response()
          .end(
              new JsonObject()
                  .put("token_type", "Bearer")
                  .put("access_token", "of-the-provider")
                  .put("id_token", token.apply(made))
                  .encode());
    }
  }

  private static void refuse(HttpServerRequest request, int status, String error) {
    request.response().setStatusCode(status).end(new JsonObject().put("error", error).encode());
  }

  private boolean isOf(Map<String, String> asked, Map<String, String> form) {
    var verifier = form.getOrDefault("code_verifier", "");
    return careless
        || (Objects.equals(form.get("redirect_uri"), asked.get("redirect_uri"))
            && challenge(verifier).equals(asked.get("code_challenge")));
  }

  static String challenge(String verifier) {
    try {
      return TokenForge.base64(
          MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private JsonObject claims(Map<String, String> asked) {
    long now = Instant.now().getEpochSecond();
    return new JsonObject()
        .put("iss", issuer())
        .put("aud", CLIENT)
        .put("sub", "f:1")
        .put("preferred_username", "kim")
        .put("groups", new JsonArray().add("elsa-operators").add("everybody"))
        .put("nonce", asked.get("nonce"))
        .put("iat", now)
        .put("exp", now + 300);
  }

  @Override
  public void close() {
    server.close().await();
  }
}
