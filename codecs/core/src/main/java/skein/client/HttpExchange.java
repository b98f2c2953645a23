package skein.client;

import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/** Requests and answers in JSON, sent again where that is safe. Safe for use by many threads. */
final class HttpExchange {
  /** Until a node has taken a connection; a node that does not answers no request either. */
  private static final Duration CONNECT_MAX = Duration.ofSeconds(5);

  private final HttpClient client;
  private final List<URI> nodes;
  private final Options options;
  private final Supplier<@Nullable String> authorization;
  private final AtomicInteger next = new AtomicInteger();

  HttpExchange(List<URI> nodes, Options options, Supplier<@Nullable String> authorization) {
    this(
        HttpClient.newBuilder().connectTimeout(CONNECT_MAX).build(),
        List.copyOf(nodes),
        options,
        authorization);
    if (nodes.isEmpty()) {
      throw new IllegalArgumentException("There must be a node to send requests to");
    }
  }

  private HttpExchange(
      HttpClient client,
      List<URI> nodes,
      Options options,
      Supplier<@Nullable String> authorization) {
    this.client = client;
    this.nodes = nodes;
    this.options = options;
    this.authorization = authorization;
  }

  HttpExchange authorizedBy(Supplier<@Nullable String> header) {
    return new HttpExchange(client, nodes, options, header);
  }

  CompletableFuture<Map<String, @Nullable Object>> get(String path) {
    return attempt(
        path,
        HttpRequest.newBuilder().GET(),
        code -> code == ErrorCode.NOT_READY || code == ErrorCode.TIMEOUT,
        1);
  }

  CompletableFuture<Map<String, @Nullable Object>> post(
      String path,
      Map<String, @Nullable Object> body,
      @Nullable String key,
      Predicate<ErrorCode> mayRepeat) {
    var request =
        HttpRequest.newBuilder()
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(JsonText.printBytes(body)));
    if (key != null) {
      request.header("Idempotency-Key", key);
    }
    return attempt(path, request, mayRepeat, 1);
  }

  private CompletableFuture<Map<String, @Nullable Object>> attempt(
      String path, HttpRequest.Builder request, Predicate<ErrorCode> mayRepeat, int attempt) {
    return send(path, request)
        .exceptionallyCompose(failure -> {
          var refusal = refusal(failure);
          if (attempt >= options.attempts() || !mayRepeat.test(refusal.code())) {
            return CompletableFuture.failedFuture(refusal);
          }
          return Polling.pause(Repeats.PAUSE_MILLIS * attempt)
              .thenCompose(unused -> attempt(path, request, mayRepeat, attempt + 1));
        });
  }

  private CompletableFuture<Map<String, @Nullable Object>> send(
      String path, HttpRequest.Builder request) {
    var node = nodes.get(Math.floorMod(next.getAndIncrement(), nodes.size()));
    var base = node.toString();
    var copy =
        request
            .copy()
            .uri(
                URI.create(
                    (base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path))
            .timeout(options.timeout())
            .header("Accept", "application/json");
    var credentials = authorization.get();
    if (credentials != null) {
      copy.header("Authorization", credentials);
    }
    return client
        .sendAsync(copy.build(), BodyHandlers.ofByteArray())
        .thenApply(HttpExchange::accepted);
  }

  private static Map<String, @Nullable Object> accepted(HttpResponse<byte[]> answer) {
    if (answer.statusCode() < 300) {
      return HttpAnswers.json(answer.body());
    }
    throw HttpAnswers.refusal(answer.statusCode(), answer.body());
  }

  private static SkeinException refusal(Throwable failure) {
    var cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof SkeinException known) {
      return known;
    }
    if (cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException) {
      return new SkeinException(
          ErrorCode.NOT_READY, "No node takes requests there: " + cause, List.of(), cause);
    }
    if (cause instanceof HttpTimeoutException) {
      return new SkeinException(
          ErrorCode.TIMEOUT, "No answer in time; it may still happen", List.of(), cause);
    }
    return new SkeinException(
        ErrorCode.OUTCOME_UNKNOWN,
        "The connection broke before there was an answer: " + cause,
        List.of(),
        cause);
  }
}
