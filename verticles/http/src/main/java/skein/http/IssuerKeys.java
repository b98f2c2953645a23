package skein.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.identity.KeySource;

/**
 * Reads the keys of an issuer where its metadata say that they are, or at a given URL. Redirects
 * are not followed. Thread-safe.
 *
 * @see <a href="https://openid.net/specs/openid-connect-discovery-1_0.html">OpenID Connect
 *     Discovery 1.0</a>
 */
public final class IssuerKeys implements KeySource {
  private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
  private static final int BYTES_MAX = 1 << 20;
  private static final String METADATA = "/.well-known/openid-configuration";

  private final HttpClient client;
  private final String issuer;
  private final String url;

  /** {@code url}: of its JWKS; empty: its metadata say it. */
  public IssuerKeys(Vertx vertx, String issuer, String url) {
    int millis = (int) ANSWER_MAX.toMillis();
    this.client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setConnectTimeout(millis)
                .setIdleTimeout(millis)
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS));
    this.issuer = issuer;
    this.url = url;
  }

  @Override
  public Future<List<JsonObject>> keys() {
    return (url.isEmpty() ? published() : Future.succeededFuture(url))
        .compose(this::read)
        .map(IssuerKeys::listed);
  }

  private Future<String> published() {
    var base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
    return read(base + METADATA)
        .map(metadata -> {
          if (!issuer.equals(metadata.getValue("issuer"))) {
            throw new IllegalArgumentException(
                base + METADATA + " is of the issuer " + metadata.getValue("issuer"));
          }
          if (!(metadata.getValue("jwks_uri") instanceof String found)
              || (issuer.startsWith("https:") && !found.startsWith("https:"))) {
            throw new IllegalArgumentException(base + METADATA + " has no jwks_uri to be trusted");
          }
          return found;
        });
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

  private Future<JsonObject> read(String url) {
    var options =
        new RequestOptions()
            .setAbsoluteURI(url)
            .setMethod(HttpMethod.GET)
            .setFollowRedirects(false)
            .putHeader("Accept", "application/json");
    return client
        .request(options)
        .compose(HttpClientRequest::send)
        .compose(response -> body(url, response))
        .timeout(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS)
        .map(body -> new JsonObject(JsonText.parseObject(body.getBytes(), JsonLimits.DEFAULT)));
  }

  private static Future<Buffer> body(String url, HttpClientResponse response) {
    if (response.statusCode() != 200) {
      response.request().reset();
      return Future.failedFuture(
          new IOException(url + " answered with status " + response.statusCode()));
    }
    Promise<Buffer> whole = Promise.promise();
    var read = Buffer.buffer();
    response.exceptionHandler(whole::tryFail);
    response.endHandler(_ -> whole.tryComplete(read));
    response.handler(part -> {
      if (read.length() + part.length() > BYTES_MAX) {
        whole.tryFail(new IOException(url + " answered with more than " + BYTES_MAX + " bytes"));
        response.request().reset();
      } else {
        read.appendBuffer(part);
      }
    });
    return whole.future();
  }
}
