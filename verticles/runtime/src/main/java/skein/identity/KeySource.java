package skein.identity;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** Where an issuer publishes the keys that its tokens are signed with. */
@FunctionalInterface
public interface KeySource {
  /** As RFC 7517 has them; it fails when they cannot be read. On any thread. */
  Future<List<JsonObject>> keys();
}
