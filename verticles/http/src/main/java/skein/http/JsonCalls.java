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
import io.vertx.core.net.TrustOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;

/**
 * Asks another server for a JSON object, of a bounded size in a bounded time. Redirects are not
 * followed. Thread-safe.
 */
final class JsonCalls {
  private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
  private static final int BYTES_MAX = 1 << 20;

  private final HttpClient client;

  JsonCalls(Vertx vertx) {
    this(vertx, null);
  }

  /** {@code trust}: verifies certificates; null: the authorities that Java knows. */
  JsonCalls(Vertx vertx, @Nullable TrustOptions trust) {
    int millis = (int) ANSWER_MAX.toMillis();
    var options =
        new HttpClientOptions()
            .setKeepAlive(false) // calls are rare: the server would have closed the connection
            .setConnectTimeout(millis)
            .setIdleTimeout(millis)
            .setIdleTimeoutUnit(TimeUnit.MILLISECONDS);
    if (trust != null) {
      options.setTrustOptions(trust);
    }
    this.client = vertx.createHttpClient(options);
  }

  Future<JsonObject> get(String url) {
    return send(to(url, HttpMethod.GET), Buffer.buffer(), Set.of(200));
  }

  static RequestOptions to(String url, HttpMethod method) {
    return new RequestOptions()
        .setAbsoluteURI(url)
        .setMethod(method)
        .setFollowRedirects(false)
        .putHeader("Accept", "application/json");
  }

  /** {@code taken}: the statuses whose body is answered; others are failures. */
  Future<JsonObject> send(RequestOptions options, Buffer body, Set<Integer> taken) {
    return client
        .request(options)
        // Within one another: else a caller off the event loop may come after the answer's end.
        .compose(request -> sent(request, body).compose(response -> body(response, taken)))
        .timeout(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS)
        .map(read -> new JsonObject(JsonText.parseObject(read.getBytes(), JsonLimits.DEFAULT)));
  }

  private static Future<HttpClientResponse> sent(HttpClientRequest request, Buffer body) {
    return body.length() == 0 ? request.send() : request.send(body);
  }

  private static Future<Buffer> body(HttpClientResponse response, Set<Integer> taken) {
    var url = response.request().absoluteURI();
    if (!taken.contains(response.statusCode())) {
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
