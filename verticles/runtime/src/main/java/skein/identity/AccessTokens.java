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
import java.util.Set;

/**
 * The cluster's own tokens, signed with HMAC-SHA-256 by a key that all nodes share. The claims
 * {@code name} and {@code permissions} are those that Elsa's clients read. Thread-safe.
 */
public final class AccessTokens {
  static final String ISSUER = "skein";
  static final Set<String> ALGORITHMS = Set.of("HS256");
  private static final int KEY_CHARS_MIN = 32;

  private final JWTAuth provider;
  private final Duration lifetime;
  private final String audience;

  /**
   * @param key 32 characters or more, of which nobody can guess any
   * @param cluster whose tokens they are; those of others are refused
   * @throws IllegalArgumentException the key is shorter
   */
  public AccessTokens(Vertx vertx, String key, String cluster, Duration lifetime) {
    if (key.length() < KEY_CHARS_MIN) {
      throw new IllegalArgumentException("A signing key has 32 characters or more");
    }
    this.lifetime = lifetime;
    this.audience = "skein:" + cluster;
    var bytes = key.getBytes(StandardCharsets.UTF_8);
    var jwk =
        new JsonObject()
            .put("kty", "oct")
            .put("alg", "HS256")
            .put("use", "sig")
            .put("kid", HexFormat.of().formatHex(Secrets.sha256("kid:" + key), 0, 8))
            .put("k", Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    this.provider =
        JWTAuth.create(
            vertx,
            new JWTAuthOptions()
                .addJwk(jwk)
                .setJWTOptions(new JWTOptions().setIssuer(ISSUER).addAudience(audience)));
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
    return provider.generateToken(
        claims,
        new JWTOptions()
            .setAlgorithm("HS256")
            .setIssuer(ISSUER)
            .addAudience(audience)
            .setExpiresInSeconds((int) lifetime.toSeconds()));
  }

  /** It fails for a token that is not one of these, or not valid now. */
  Future<Validated> verify(String token) {
    return VerifiedToken.by(provider, token)
        .map(verified -> {
          var name = verified.text("name");
          if (name == null) {
            throw new IllegalArgumentException("The token has no name");
          }
          var caller =
              new Caller.User(
                  name,
                  verified.texts("roles"),
                  Permissions.of(Set.copyOf(verified.texts("permissions"))));
          return new Validated(caller, verified.expiresAt());
        });
  }
}
