package skein.work;

import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.PoolOptions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;
import skein.activities.WorkOrder;
import skein.activities.WorkResult;
import skein.model.Effect;

/**
 * Sends HTTP requests. Every attempt carries the same {@code Idempotency-Key}, unless the
 * definition gives one of its own.
 */
public final class HttpWorker implements Worker {
  static final String KEY = "Idempotency-Key";
  private static final int HEADERS_MAX = 100;

  /** Belong to the connection or follow from the body: not the definition's business. */
  private static final Set<String> OURS =
      Set.of(
          "connection",
          "content-length",
          "expect",
          "host",
          "keep-alive",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private final Vertx vertx;
  private final HttpWorkOptions options;
  private final HttpClient client;
  private final SecretSource secrets;

  /** Without secrets. */
  public HttpWorker(Vertx vertx, HttpWorkOptions options) {
    this(vertx, options, SecretSource.NONE);
  }

  /** {@code secrets}: that headers may contain, by name. */
  public HttpWorker(Vertx vertx, HttpWorkOptions options, SecretSource secrets) {
    this.vertx = vertx;
    this.options = options;
    this.secrets = secrets;
    this.client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setConnectTimeout(Math.toIntExact(options.timeouts().connect().toMillis()))
                .setTcpNoDelay(true)
                .setTcpKeepAlive(true),
            new PoolOptions().setHttp1MaxSize(options.connectionsMax()));
  }

  @Override
  public String kind() {
    return WorkOrder.HTTP;
  }

  @Override
  public Future<WorkResult> perform(Effect.Work order) {
    var named = Json.object(order.request().get("secrets"));
    return named == null || named.isEmpty()
        ? perform(order, SecretHeaders.NONE)
        : vertx
            .executeBlocking(() -> SecretHeaders.of(named, secrets), false)
            .compose(found -> perform(order, Objects.requireNonNull(found)))
            .recover(e ->
                e instanceof WorkRefusedException refused
                    ? Future.succeededFuture(refused.result())
                    : Future.failedFuture(e));
  }

  private Future<WorkResult> perform(Effect.Work order, SecretHeaders secret) {
    var request = order.request();
    boolean file = Boolean.TRUE.equals(request.get("file"));
    HttpExchange.Message message;
    try {
      message = message(order, secret);
    } catch (WorkRefusedException e) {
      return Future.succeededFuture(e.result());
    }
    long timeout = Math.min(order.timeout().toMillis(), options.timeouts().attempt().toMillis());
    int bytesMax = file ? options.answers().fileBytesMax() : options.answers().valueBytesMax();
    Promise<HttpAnswer> answered = Promise.promise();
    // An answer may come before a caller of another thread has said who takes it.
    vertx.runOnContext(_ ->
        new HttpExchange(vertx, client, options, bytesMax)
            .run(message, timeout)
            .onComplete(answered));
    return answered
        .future()
        .map(answer -> done(secret.hiddenIn(answer), secret.used(), file))
        .recover(
            e -> Future.succeededFuture(secret.used().hiddenInFailure(failed(message.to(), e))));
  }

  /** Also in what has another form after it was read, and in where redirects led. */
  private WorkResult done(HttpAnswer answer, UsedSecrets used, boolean file) {
    var json = file ? answer.toFileJson(options) : answer.toJson(options);
    var hidden = used.isNone() ? json : Json.object(used.hiddenInJson(json));
    return new WorkResult.Done(hidden == null ? json : hidden, answer.passing());
  }

  private static WorkResult failed(HttpTarget to, Throwable e) {
    return switch (e) {
      case WorkRefusedException refused -> refused.result();
      case TimeoutException timeout ->
          new WorkResult.Failed("Timeout", HttpExchange.reason(timeout), true);
      case IllegalArgumentException wrong ->
          new WorkResult.Failed("InvalidRequest", HttpExchange.reason(wrong), false);
      default ->
          new WorkResult.Failed(
              "FailedToConnect",
              "No answer from " + to.host() + ":" + to.port() + ": " + HttpExchange.reason(e),
              true);
    };
  }

  private static HttpExchange.Message message(Effect.Work order, SecretHeaders secret) {
    var request = order.request();
    var to = HttpTarget.parse(text(request, "url"));
    var method = text(request, "method");
    if (!method.matches("[A-Z]{1,20}") || method.equals("CONNECT")) {
      throw new WorkRefusedException("InvalidRequest", "\"" + method + "\" is not a method");
    }
    boolean bodiless = method.equals("GET") || method.equals("HEAD");
    var body =
        bodiless
            ? HttpBody.NONE
            : HttpBody.of(request.get("content"), Json.text(request, "contentType"));
    var headers = headers(Json.object(request.get("headers")));
    var authorization = Json.text(request, "authorization");
    if (authorization != null && !authorization.isBlank()) {
      headers.set(HttpHeaders.AUTHORIZATION, checked("Authorization", authorization.strip()));
    }
    secret
        .byName()
        .forEach((name, value) -> {
          if (OURS.contains(name.toLowerCase(Locale.ROOT))) {
            throw new WorkRefusedException(
                "InvalidRequest", "The header " + name + " cannot be a secret");
          }
          headers.set(token(name), checked(name, value));
        });
    var type = body.contentType();
    if (type != null) {
      headers.set(HttpHeaders.CONTENT_TYPE, checked("Content-Type", type));
    }
    if (!headers.contains(HttpHeaders.USER_AGENT)) {
      headers.set(HttpHeaders.USER_AGENT, "Skein");
    }
    if (!headers.contains(KEY)) {
      headers.set(KEY, order.key());
    }
    return new HttpExchange.Message(to, method, headers, body, secret, 0);
  }

  private static String text(Map<String, @Nullable Object> request, String member) {
    var text = Json.text(request, member);
    return text == null ? "" : text;
  }

  private static MultiMap headers(@Nullable Map<String, @Nullable Object> given) {
    var headers = MultiMap.caseInsensitiveMultiMap();
    if (given == null) {
      return headers;
    }
    if (given.size() > HEADERS_MAX) {
      throw new WorkRefusedException(
          "InvalidRequest", "There are more than " + HEADERS_MAX + " headers");
    }
    given.forEach((name, value) -> {
      if (OURS.contains(name.toLowerCase(Locale.ROOT))) {
        return;
      }
      for (var item : value instanceof List<?> list ? list : Json.list(value)) {
        if (item != null) {
          headers.add(token(name), checked(name, item.toString()));
        }
      }
    });
    return headers;
  }

  private static String token(String name) {
    if (!name.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,256}")) {
      throw new WorkRefusedException("InvalidRequest", "\"" + name + "\" is not a header's name");
    }
    return name;
  }

  /** No line break gets through: it could inject a header or a body. */
  private static String checked(String name, String value) {
    if (!value.chars().allMatch(c -> c == '\t' || (c >= 32 && c < 127) || (c > 159 && c < 256))) {
      throw new WorkRefusedException(
          "InvalidRequest", "The header " + name + " has a character that cannot be sent");
    }
    return value;
  }
}
