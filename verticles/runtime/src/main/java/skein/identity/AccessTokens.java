package skein.identity;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.auth.JWTOptions;
import io.vertx.ext.auth.jwt.JWTAuth;
import io.vertx.ext.auth.jwt.JWTAuthOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The cluster's own tokens, signed with HMAC-SHA-256 by a key that all nodes share. The claims
 * {@code name} and {@code permissions} are those that Elsa's clients read. Thread-safe.
 */
public final class AccessTokens {
  static final String ISSUER = "skein";
  static final Set<String> ALGORITHMS = Set.of("HS256");
  private static final String TENANT = "tenant";

  /** Of a user of the cluster, as the subject; tokens of others do not have it. */
  private static final String USER_ID = "user_id";

  private static final int KEY_CHARS_MIN = 32;

  private final Vertx vertx;
  private final Duration lifetime;
  private final String audience;
  private volatile Keys keys;

  /**
   * @param texts the keys as they were given
   * @param signing knows the first
   * @param verifying knows all
   * @param version another one for other keys
   */
  private record Keys(List<String> texts, JWTAuth signing, JWTAuth verifying, int version) {
    @Override
    public String toString() {
      return "Keys[version=" + version + "]";
    }
  }

  /**
   * @param keys of 32 characters or more each, which must not be guessable: the first signs, all
   *     are accepted
   * @param cluster whose tokens they are; those of others are refused
   * @throws IllegalArgumentException there is none, or one is shorter
   */
  public AccessTokens(Vertx vertx, List<String> keys, String cluster, Duration lifetime) {
    this.vertx = vertx;
    this.lifetime = lifetime;
    this.audience = "skein:" + cluster;
    this.keys = keys(keys, 0);
  }

  /**
   * The keys from now on; returns false where they are these already.
   *
   * @throws IllegalArgumentException as the constructor; the keys before stay
   */
  synchronized boolean use(List<String> next) {
    if (next.equals(keys.texts())) {
      return false;
    }
    keys = keys(next, keys.version() + 1);
    return true;
  }

  /** The texts of the keys now: the first signs. */
  List<String> keys() {
    return keys.texts();
  }

  /** Changes with the keys: what was verified before was verified with others. */
  int version() {
    return keys.version();
  }

  private Keys keys(List<String> texts, int version) {
    if (texts.isEmpty() || texts.stream().anyMatch(key -> key.length() < KEY_CHARS_MIN)) {
      throw new IllegalArgumentException("A signing key has 32 characters or more");
    }
    return new Keys(List.copyOf(texts), provider(texts.subList(0, 1)), provider(texts), version);
  }

  private JWTAuth provider(List<String> texts) {
    var options =
        new JWTAuthOptions()
            .setJWTOptions(new JWTOptions().setIssuer(ISSUER).addAudience(audience));
    texts.forEach(key -> options.addJwk(jwk(key)));
    return JWTAuth.create(vertx, options);
  }

  private static JsonObject jwk(String key) {
    var bytes = key.getBytes(StandardCharsets.UTF_8);
    return new JsonObject()
        .put("kty", "oct")
        .put("alg", "HS256")
        .put("use", "sig")
        .put("kid", HexFormat.of().formatHex(Secrets.sha256("kid:" + key), 0, 8))
        .put("k", Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  Duration lifetime() {
    return lifetime;
  }

  String issue(String userId, Caller.User user) {
    var claims =
        new JsonObject()
            .put("sub", userId)
            .put("name", user.name())
            .put("roles", new JsonArray(user.roles()))
            .put("permissions", new JsonArray(List.copyOf(user.permissions().names())));
    if (!user.tenant().isEmpty()) {
      claims.put(TENANT, user.tenant());
    }
    if (user.userId() != null) {
      claims.put(USER_ID, user.userId());
    }
    return keys.signing()
        .generateToken(
            claims,
            new JWTOptions()
                .setAlgorithm("HS256")
                .setIssuer(ISSUER)
                .addAudience(audience)
                .setExpiresInSeconds((int) lifetime.toSeconds()));
  }

  /** It fails for a token that is not one of these, or not valid now. */
  Future<Validated> verify(String token) {
    return VerifiedToken.by(keys.verifying(), token)
        .map(verified -> {
          var name = verified.text("name");
          if (name == null) {
            throw new IllegalArgumentException("The token has no name");
          }
          var caller =
              new Caller.User(
                  name,
                  verified.texts("roles"),
                  Permissions.of(Set.copyOf(verified.texts("permissions"))),
                  Objects.requireNonNullElse(verified.text(TENANT), ""),
                  verified.text(USER_ID));
          return new Validated(caller, verified.expiresAt());
        });
  }
}
