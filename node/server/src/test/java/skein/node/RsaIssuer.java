package skein.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An OpenID provider on this machine that signs with RSA: its keys, and the secrets that it accepts
 * from the cluster as its client, can be replaced.
 */
final class RsaIssuer implements AutoCloseable {
  static final String AUDIENCE = "skein-api";
  static final String CLIENT = "skein-console";

  private static final Duration LIFETIME = Duration.ofHours(1);
  private static final int KEY_BITS = 2048;
  private static final int NOT_FOUND = 404;
  private static final int UNAUTHORIZED = 401;

  private record Key(String id, KeyPair pair) {}

  private record Reply(int status, JsonObject body) {}

  private final HttpServer server;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger keysMade = new AtomicInteger();
  private final AtomicInteger codesMade = new AtomicInteger();
  private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
  private volatile List<Key> keys = List.of(newKey());
  private volatile Set<String> clientSecrets;

  /** Of clients that were given tokens. */
  final Queue<String> secretsUsed = new ConcurrentLinkedQueue<>();

  RsaIssuer(Set<String> clientSecrets) {
    this.clientSecrets = Set.copyOf(clientSecrets);
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(executor);
    server.createContext("/", this::answer);
    server.start();
  }

  private Key newKey() {
    try {
      var generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(KEY_BITS);
      return new Key("k" + keysMade.incrementAndGet(), generator.generateKeyPair());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  String issuer() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/realm";
  }

  /** Another key signs from now on; the ones before it stay published. */
  synchronized void addKey() {
    var all = new ArrayList<Key>();
    all.add(newKey());
    all.addAll(keys);
    keys = List.copyOf(all);
  }

  /** Publishes the key that signs and no other. */
  synchronized void forgetOldKeys() {
    keys = List.of(keys.getFirst());
  }

  /** The secrets that it accepts from now on. */
  void knows(String... secrets) {
    clientSecrets = Set.of(secrets);
  }

  /** An access token of a person, valid for an hour. */
  String token(String name, String... groups) {
    return signed(claims(name, groups).put("aud", new JsonArray().add(AUDIENCE)), keys.getFirst());
  }

  /** The same, by a key that it has not published. */
  String forged(String name, String... groups) {
    var claims = claims(name, groups).put("aud", new JsonArray().add(AUDIENCE));
    return signed(claims, new Key(keys.getFirst().id(), newKey().pair()));
  }

  /**
   * Signs in a person whose browser was sent to an address.
   *
   * @return where it sends the browser back to
   */
  URI signIn(URI asked, String name) {
    var query = form(asked.getRawQuery());
    query.put("name", name);
    var code = "code-" + codesMade.incrementAndGet();
    codes.put(code, query);
    return URI.create(
        query.getOrDefault("redirect_uri", "")
            + "?state="
            + URLEncoder.encode(query.getOrDefault("state", ""), UTF_8)
            + "&code="
            + code);
  }

  private JsonObject claims(String name, String... groups) {
    var now = Instant.now();
    return new JsonObject()
        .put("iss", issuer())
        .put("sub", "f:" + name)
        .put("preferred_username", name)
        .put("groups", new JsonArray(List.of(groups)))
        .put("iat", now.getEpochSecond())
        .put("exp", now.plus(LIFETIME).getEpochSecond());
  }

  private static String signed(JsonObject claims, Key key) {
    var header = new JsonObject().put("alg", "RS256").put("typ", "JWT").put("kid", key.id());
    var text =
        base64(header.encode().getBytes(UTF_8)) + "." + base64(claims.encode().getBytes(UTF_8));
    try {
      var signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(key.pair().getPrivate());
      signature.update(text.getBytes(UTF_8));
      return text + "." + base64(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      var reply =
          switch (exchange.getRequestURI().getPath()) {
            case "/realm/.well-known/openid-configuration" -> new Reply(200, metadata());
            case "/realm/keys" -> new Reply(200, published());
            case "/realm/token" ->
                tokens(exchange.getRequestHeaders().getFirst("Authorization"), form(body));
            default -> new Reply(NOT_FOUND, new JsonObject());
          };
      var bytes = reply.body().encode().getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(reply.status(), bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private JsonObject metadata() {
    return new JsonObject()
        .put("issuer", issuer())
        .put("jwks_uri", issuer() + "/keys")
        .put("authorization_endpoint", issuer() + "/authorize")
        .put("token_endpoint", issuer() + "/token");
  }

  private JsonObject published() {
    var all = new JsonArray();
    for (var key : keys) {
      var half = (RSAPublicKey) key.pair().getPublic();
      all.add(
          new JsonObject()
              .put("kty", "RSA")
              .put("use", "sig")
              .put("alg", "RS256")
              .put("kid", key.id())
              .put("n", base64(unsigned(half.getModulus())))
              .put("e", base64(unsigned(half.getPublicExponent()))));
    }
    return new JsonObject().put("keys", all);
  }

  private Reply tokens(@Nullable String authorization, Map<String, String> form) {
    var accepted =
        clientSecrets.stream()
            .filter(secret -> basic(secret).equals(authorization))
            .findFirst()
            .orElse("");
    if (accepted.isEmpty()) {
      return new Reply(UNAUTHORIZED, new JsonObject().put("error", "invalid_client"));
    }
    var asked = codes.remove(form.getOrDefault("code", ""));
    if (asked == null) {
      return new Reply(400, new JsonObject().put("error", "invalid_grant"));
    }
    secretsUsed.add(accepted);
    var claims =
        claims(asked.getOrDefault("name", ""), "elsa-operators")
            .put("aud", CLIENT)
            .put("nonce", asked.get("nonce"));
    return new Reply(
        200,
        new JsonObject()
            .put("token_type", "Bearer")
            .put("access_token", "of-the-provider")
            .put("id_token", signed(claims, keys.getFirst())));
  }

  private static String basic(String secret) {
    var both = CLIENT + ":" + URLEncoder.encode(secret, UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(both.getBytes(UTF_8));
  }

  private static Map<String, String> form(String text) {
    var form = new HashMap<String, String>();
    for (var pair : text.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        form.put(
            URLDecoder.decode(pair.substring(0, equals), UTF_8),
            URLDecoder.decode(pair.substring(equals + 1), UTF_8));
      }
    }
    return form;
  }

  private static byte[] unsigned(BigInteger number) {
    var bytes = number.toByteArray();
    return bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
    executor.close();
  }
}
