package skein.http;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import skein.identity.KeySource;

/** Reads the keys of an issuer where its metadata say that they are, or at a given URL. */
public final class IssuerKeys implements KeySource {
  private final IssuerMetadata metadata;
  private final String url;

  /** {@code url}: of its JWKS; empty: its metadata say it. */
  public IssuerKeys(IssuerMetadata metadata, String url) {
    this.metadata = metadata;
    this.url = url;
  }

  @Override
  public Future<List<JsonObject>> keys() {
    return (url.isEmpty() ? metadata.metadata().map(this::published) : Future.succeededFuture(url))
        .compose(metadata.calls()::get)
        .map(IssuerKeys::listed);
  }

  private String published(JsonObject json) {
    if (!(json.getValue("jwks_uri") instanceof String found)
        || (metadata.issuer().startsWith("https:") && !found.startsWith("https:"))) {
      throw new IllegalArgumentException(
          "The metadata of " + metadata.issuer() + " have no jwks_uri to be trusted");
    }
    return found;
  }

  private static List<JsonObject> listed(JsonObject json) {
    var keys = new ArrayList<JsonObject>();
    if (json.getValue("keys") instanceof Iterable<?> list) {
      list.forEach(key -> {
        if (key instanceof JsonObject one) {
          keys.add(one);
        }
      });
    }
    return keys;
  }
}
