package skein.identity;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Requests of a node to an OpenID provider. On any thread. */
public interface ProviderCalls {
  /** As its issuer publishes them; it fails when they cannot be read, or are another issuer's. */
  Future<JsonObject> metadata();

  /**
   * Asks for tokens.
   *
   * @param url the token endpoint
   * @param basic name and password of the client, encoded; null: the form has what there is
   * @return what it answers, also when that is an error of OAuth; it fails for anything else
   */
  Future<JsonObject> tokens(String url, Map<String, String> form, @Nullable String basic);
}
