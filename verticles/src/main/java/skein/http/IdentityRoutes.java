package skein.http;

import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;

/**
 * Lets clients in that insist on a login although this server asks for none: everybody who gives a
 * name is who they say. The tokens are not signed, so that nobody can take one for a proof.
 */
final class IdentityRoutes {
  private static final Duration LIFETIME = Duration.ofDays(1);
  private static final String NAME_UNSAID = "anonymous";

  private final InstantSource clock;

  IdentityRoutes(InstantSource clock) {
    this.clock = clock;
  }

  void addTo(Routes routes) {
    routes
        .post("/identity/login", this::login)
        .post("/identity/refresh-token", _ -> welcome(NAME_UNSAID));
  }

  private Future<Answer> login(Call call) {
    var name = call.fields().text("username");
    return welcome(name == null ? NAME_UNSAID : name);
  }

  private Future<Answer> welcome(String name) {
    var token = token(name);
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("isAuthenticated", true);
    json.put("accessToken", token);
    json.put("refreshToken", token);
    return Future.succeededFuture(Answer.ok(json).with("Cache-Control", "no-store"));
  }

  /** RFC 7519, section 6: an unsecured JWT. */
  private String token(String name) {
    var claims = new LinkedHashMap<String, @Nullable Object>();
    claims.put("name", name);
    claims.put("permissions", "*");
    claims.put("exp", clock.instant().plus(LIFETIME).getEpochSecond());
    return base64(Map.of("alg", "none", "typ", "JWT")) + "." + base64(claims) + ".";
  }

  private static String base64(Map<String, ?> json) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(JsonText.print(json).getBytes(StandardCharsets.UTF_8));
  }
}
