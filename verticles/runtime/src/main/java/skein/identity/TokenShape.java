package skein.identity;

import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.model.SkeinException;

/**
 * What a token says before it is verified: used only to choose its verifier, and to refuse what
 * none would accept.
 *
 * @param issuer null: it names none
 * @param keyId null: it names none
 */
record TokenShape(String algorithm, @Nullable String issuer, @Nullable String keyId) {
  private static final int CHARS_MAX = 16_384;

  /** Null for what is not a signed token with one of the algorithms. */
  static @Nullable TokenShape of(String token, Set<String> algorithms) {
    var parts = token.split("\\.", -1);
    if (token.length() > CHARS_MAX || parts.length != 3 || parts[2].isEmpty()) {
      return null;
    }
    var header = object(parts[0]);
    var payload = object(parts[1]);
    if (header == null || payload == null || header.containsKey("crit")) {
      return null;
    }
    return header.getValue("alg") instanceof String algorithm && algorithms.contains(algorithm)
        ? new TokenShape(algorithm, text(payload, "iss"), text(header, "kid"))
        : null;
  }

  private static @Nullable String text(JsonObject json, String name) {
    return json.getValue(name) instanceof String text ? text : null;
  }

  private static @Nullable JsonObject object(String part) {
    try {
      var text = new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8);
      return new JsonObject(JsonText.parseObject(text, JsonLimits.DEFAULT));
    } catch (IllegalArgumentException | SkeinException _) {
      return null;
    }
  }
}
