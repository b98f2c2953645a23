package skein.http;

import io.vertx.core.http.HttpMethod;
import java.util.Set;
import java.util.regex.Pattern;

/** Where browsers sign in at an OpenID provider, below the API. */
final class SignInPaths {
  static final String BASE = "/identity/oidc";
  static final String PROVIDERS = BASE + "/providers";
  static final String LOGIN = BASE + "/login";
  static final String CALLBACK = BASE + "/callback";
  static final String CALLBACK_OF = CALLBACK + "/";
  static final String SESSION = BASE + "/session";

  private static final Set<String> READ =
      Set.of(Routes.API + PROVIDERS, Routes.API + LOGIN, Routes.API + CALLBACK);

  /** As the configuration names providers. */
  private static final Pattern NAMED =
      Pattern.compile(Pattern.quote(Routes.API + CALLBACK_OF) + "[A-Za-z0-9_-]{1,100}");

  private SignInPaths() {}

  /** Those that people ask who have not signed in. */
  static boolean isOpen(HttpMethod method, String path) {
    return method.equals(HttpMethod.POST)
        ? path.equals(Routes.API + SESSION)
        : (method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD))
            && (READ.contains(path) || NAMED.matcher(path).matches());
  }
}
