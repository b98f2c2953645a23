package skein.identity;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints of an OpenID provider.
 *
 * @param authorization where browsers are sent to sign in
 * @param tokens where codes are exchanged
 * @param endSession where browsers are sent to sign out; null: nowhere
 * @param basic whether a client says its secret in {@code Authorization}, and not in the form
 */
record ProviderMetadata(
    String authorization, String tokens, @Nullable String endSession, boolean basic) {
  /**
   * @param issuer whose they are; where that is asked by HTTPS, all is
   * @throws IllegalArgumentException something is missing, or no address that is to be trusted
   */
  static ProviderMetadata of(JsonObject json, String issuer) {
    var endSession = json.getValue("end_session_endpoint");
    return new ProviderMetadata(
        url(json, "authorization_endpoint", issuer),
        url(json, "token_endpoint", issuer),
        endSession == null ? null : url(json, "end_session_endpoint", issuer),
        !(json.getValue("token_endpoint_auth_methods_supported") instanceof JsonArray methods)
            || methods.contains("client_secret_basic")
            || !methods.contains("client_secret_post"));
  }

  private static String url(JsonObject json, String name, String issuer) {
    if (json.getValue(name) instanceof String text) {
      var url = URI.create(text);
      var scheme = url.getScheme();
      boolean trusted =
          "https".equals(scheme) || ("http".equals(scheme) && !issuer.startsWith("https:"));
      if (trusted && url.getHost() != null && url.getRawFragment() == null) {
        return text;
      }
    }
    throw new IllegalArgumentException("The metadata have no " + name + " to be trusted");
  }
}
