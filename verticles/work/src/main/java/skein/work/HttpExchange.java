package skein.work;

import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import skein.activities.SecretNames;

/** One attempt of one request, with the redirects it leads to. Used once, on one Vert.x context. */
final class HttpExchange {
  private final Vertx vertx;
  private final HttpClient client;
  private final HttpWorkOptions options;
  private final int bytesMax;
  private final Promise<HttpAnswer> ended = Promise.promise();
  private @Nullable HttpClientRequest current;

  HttpExchange(Vertx vertx, HttpClient client, HttpWorkOptions options, int bytesMax) {
    this.vertx = vertx;
    this.client = client;
    this.options = options;
    this.bytesMax = bytesMax;
  }

  /**
   * A request that is about to be sent.
   *
   * @param secret those of the headers that do not go along to another origin, whatever their names
   * @param redirects followed so far
   */
  record Message(
      HttpTarget to,
      String method,
      MultiMap headers,
      HttpBody body,
      SecretHeaders secret,
      int redirects) {
    boolean isSecret(String header, SecretNames names) {
      return names.isHeader(header) || secret.isHeader(header);
    }
  }

  /** Fails with a {@link TimeoutException} and closes the connection when the time is up. */
  Future<HttpAnswer> run(Message message, long timeoutMillis) {
    long timer =
        vertx.setTimer(
            Math.max(1, timeoutMillis),
            _ -> {
              if (ended.tryFail(new TimeoutException("No answer within " + timeoutMillis + " ms"))
                  && current != null) {
                current.reset();
              }
            });
    send(message).onComplete(ended::tryComplete, ended::tryFail);
    return ended.future().onComplete(_ -> vertx.cancelTimer(timer));
  }

  private Future<HttpAnswer> send(Message message) {
    return address(message.to())
        .compose(address -> {
          var request = message.to().options(message.method()).setHeaders(message.headers());
          if (address != null) {
            request.setServer(
                SocketAddress.inetSocketAddress(message.to().port(), address.getHostAddress()));
          }
          return client.request(request);
        })
        .compose(request -> {
          current = request;
          if (ended.future().isComplete()) {
            request.reset();
            return Future.failedFuture(new TimeoutException());
          }
          return sent(request, message).compose(response -> received(message, request, response));
        });
  }

  private static Future<HttpClientResponse> sent(HttpClientRequest request, Message message) {
    boolean bodiless = message.method().equals("GET") || message.method().equals("HEAD");
    return bodiless ? request.send() : request.send(message.body().bytes());
  }

  /** The address to connect to where private ones are denied: no second look-up may differ. */
  private Future<@Nullable InetAddress> address(HttpTarget to) {
    if (options.targets().areAll()) {
      return Future.succeededFuture(null);
    }
    return vertx
        .executeBlocking(() -> InetAddress.getAllByName(to.host()), false)
        .map(addresses -> {
          for (var address : addresses) {
            if (!options.targets().allow(to, address)) {
              throw new WorkRefusedException(
                  "ForbiddenTarget",
                  to.host()
                      + " is in a private network: work.http.deny-private forbids it, and"
                      + " work.http.allow-private has no exception for it");
            }
          }
          return addresses[0];
        });
  }

  private Future<HttpAnswer> received(
      Message message, HttpClientRequest request, HttpClientResponse response) {
    var next = redirected(message, response);
    if (next != null) {
      // What else it says does not matter.
      response.exceptionHandler(_ -> {});
      request.reset();
      return send(next);
    }
    return body(message, request, response);
  }

  /** Null where the answer is not a redirect, or one that is not followed. */
  private @Nullable Message redirected(Message message, HttpClientResponse response) {
    int status = response.statusCode();
    var location = response.getHeader(HttpHeaders.LOCATION);
    boolean redirect =
        switch (status) {
          case 301, 302, 303, 307, 308 -> true;
          default -> false;
        };
    if (!redirect || location == null || message.redirects() >= options.redirectsMax()) {
      return null;
    }
    HttpTarget to;
    try {
      to = message.to().redirected(location);
    } catch (WorkRefusedException e) {
      return null;
    }
    if (message.to().secure() && !to.secure()) {
      return null;
    }
    boolean becomesGet =
        (status == 303 && !message.method().equals("HEAD"))
            || (status <= 302 && message.method().equals("POST"));
    var headers = MultiMap.caseInsensitiveMultiMap().addAll(message.headers());
    if (!to.sameOriginAs(message.to())) {
      headers.names().stream()
          .filter(name -> message.isSecret(name, options.secrets()))
          .toList()
          .forEach(headers::remove);
    }
    if (becomesGet) {
      headers.remove(HttpHeaders.CONTENT_TYPE);
    }
    return new Message(
        to,
        becomesGet ? "GET" : message.method(),
        headers,
        becomesGet ? HttpBody.NONE : message.body(),
        message.secret(),
        message.redirects() + 1);
  }

  private Future<HttpAnswer> body(
      Message message, HttpClientRequest request, HttpClientResponse response) {
    Promise<HttpAnswer> read = Promise.promise();
    var body = Buffer.buffer();
    response
        .exceptionHandler(read::tryFail)
        .handler(chunk -> {
          if (body.length() + chunk.length() <= bytesMax) {
            body.appendBuffer(chunk);
          } else if (read.tryFail(tooLarge())) {
            request.reset();
          }
        })
        .endHandler(_ ->
            read.tryComplete(
                new HttpAnswer(message.to(), response.statusCode(), response.headers(), body)));
    return read.future();
  }

  private WorkRefusedException tooLarge() {
    return new WorkRefusedException(
        "ResponseTooLarge",
        "The answer has more than "
            + bytesMax
            + " bytes: raise work.http.response-bytes-max or work.http.file-bytes-max");
  }

  /** For people: what went wrong on the way. */
  static String reason(Throwable e) {
    return Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName());
  }
}
