package skein.http;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.TrustOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import skein.identity.ProviderCalls;

/**
 * An issuer that says of itself where it is asked for what. Thread-safe.
 *
 * @see <a href="https://openid.net/specs/openid-connect-discovery-1_0.html">OpenID Connect
 *     Discovery 1.0</a>
 */
public final class IssuerMetadata implements ProviderCalls {
  private static final String PATH = "/.well-known/openid-configuration";

  /** Errors of OAuth have one of the latter two; those of others are told by the body's absence. */
  private static final Set<Integer> ANSWERS = Set.of(200, 400, 401);

  private final JsonCalls calls;
  private final String issuer;

  public IssuerMetadata(Vertx vertx, String issuer) {
    this(vertx, issuer, null);
  }

  /** {@code trust}: verifies its certificate; null: the authorities that Java knows. */
  public IssuerMetadata(Vertx vertx, String issuer, @Nullable TrustOptions trust) {
    this.calls = new JsonCalls(vertx, trust);
    this.issuer = issuer;
  }

  JsonCalls calls() {
    return calls;
  }

  String issuer() {
    return issuer;
  }

  @Override
  public Future<JsonObject> metadata() {
    var base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
    return calls
        .get(base + PATH)
        .map(metadata -> {
          if (!issuer.equals(metadata.getValue("issuer"))) {
            throw new IllegalArgumentException(
                base + PATH + " is of the issuer " + metadata.getValue("issuer"));
          }
          return metadata;
        });
  }

  @Override
  public Future<JsonObject> tokens(String url, Map<String, String> form, @Nullable String basic) {
    var options = JsonCalls.to(url, HttpMethod.POST);
    options.putHeader("Content-Type", "application/x-www-form-urlencoded");
    if (basic != null) {
      options.putHeader("Authorization", "Basic " + basic);
    }
    var body =
        form.entrySet().stream()
            .map(entry -> encoded(entry.getKey()) + "=" + encoded(entry.getValue()))
            .collect(Collectors.joining("&"));
    return calls.send(options, Buffer.buffer(body), ANSWERS);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
