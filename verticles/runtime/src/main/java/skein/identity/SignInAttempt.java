package skein.identity;

import io.vertx.core.json.JsonObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The data that a browser keeps, sealed, while a person is at an OpenID provider.
 *
 * @param provider where they are, by its key
 * @param state which the provider gives back
 * @param nonce which its token says
 * @param verifier whose hash was sent to the provider; only its holder can exchange the code
 * @param returnTo the page that the person came from
 * @param until after which it is void
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7636">RFC 7636: PKCE</a>
 */
record SignInAttempt(
    String provider, String state, String nonce, String verifier, String returnTo, Instant until) {
  static SignInAttempt at(String provider, String returnTo, Instant until) {
    return new SignInAttempt(
        provider, Secrets.random(), Secrets.random(), Secrets.random(), returnTo, until);
  }

  String text() {
    return new JsonObject()
        .put("provider", provider)
        .put("state", state)
        .put("nonce", nonce)
        .put("verifier", verifier)
        .put("returnTo", returnTo)
        .put("until", until.getEpochSecond())
        .encode();
  }

  /** {@code text}: what {@link #text} made; null: nothing. */
  static @Nullable SignInAttempt of(@Nullable String text) {
    if (text == null) {
      return null;
    }
    var json = new JsonObject(text);
    return new SignInAttempt(
        json.getString("provider", ""),
        json.getString("state"),
        json.getString("nonce"),
        json.getString("verifier"),
        json.getString("returnTo"),
        Instant.ofEpochSecond(json.getLong("until")));
  }

  @Override
  public String toString() {
    return "SignInAttempt";
  }
}
