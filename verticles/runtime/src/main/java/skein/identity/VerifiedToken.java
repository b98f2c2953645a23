package skein.identity;

import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.auth.User;
import io.vertx.ext.auth.authentication.TokenCredentials;
import io.vertx.ext.auth.jwt.JWTAuth;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The claims of a token whose signature, issuer, audience and times are right.
 *
 * @param expiresAt it is not valid from then on
 */
record VerifiedToken(JsonObject claims, Instant expiresAt) {
  private static final int ITEMS_MAX = 1_000;

  /** It fails with {@link IllegalArgumentException} for whatever is wrong. */
  static Future<VerifiedToken> by(JWTAuth verifier, String token) {
    try {
      return verifier
          .authenticate(new TokenCredentials(token))
          .map(VerifiedToken::of)
          .recover(VerifiedToken::invalid);
    } catch (RuntimeException e) {
      return invalid(e);
    }
  }

  private static Future<VerifiedToken> invalid(Throwable e) {
    return Future.failedFuture(
        e instanceof IllegalArgumentException
            ? e
            : new IllegalArgumentException("The token is not valid: " + e.getMessage(), e));
  }

  /** A token without an end is none. */
  private static VerifiedToken of(User user) {
    var claims = user.attributes().getJsonObject("accessToken");
    if (!(claims.getValue("exp") instanceof Number seconds)) {
      throw new IllegalArgumentException("The token has no exp");
    }
    return new VerifiedToken(claims, Instant.ofEpochSecond(seconds.longValue()));
  }

  /**
   * Of a claim, or of one within others: {@code realm_access.roles}; null when it is not a text.
   */
  @Nullable String text(String path) {
    return value(path) instanceof String text && !text.isBlank() ? text : null;
  }

  /** Whether there is such a claim, whatever it is. */
  boolean has(String path) {
    return value(path) != null;
  }

  /** The texts of a list, or the words of a text. */
  List<String> texts(String path) {
    var found = new ArrayList<String>();
    if (value(path) instanceof JsonArray list) {
      list.stream()
          .limit(ITEMS_MAX)
          .forEach(item -> {
            if (item instanceof String text) {
              found.add(text);
            }
          });
    } else if (value(path) instanceof String text && !text.isBlank()) {
      found.addAll(List.of(text.strip().split("\\s+", ITEMS_MAX)));
    }
    return found;
  }

  private @Nullable Object value(String path) {
    @Nullable Object at = claims.getValue(path);
    if (at != null) {
      return at; // names with dots in them, as those that are URLs
    }
    at = claims;
    for (var name : path.split("\\.", -1)) {
      at = at instanceof JsonObject object ? object.getValue(name) : null;
    }
    return at;
  }
}
