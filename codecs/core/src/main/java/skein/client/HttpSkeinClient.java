package skein.client;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;
import skein.codecs.RequestRules;
import skein.codecs.StorableText;
import skein.messages.Request;
import skein.model.BookmarkId;
import skein.model.InstanceId;
import skein.model.SkeinException;

/**
 * Asks workflow nodes by HTTP, with the JDK's client. A failure of the transport is a {@link
 * SkeinException} too: {@code NOT_READY} where no node takes requests, {@code TIMEOUT} or {@code
 * OUTCOME_UNKNOWN} where the outcome of a request is unknown.
 */
public final class HttpSkeinClient implements SkeinClient {
  private static final String INSTANCES = "/elsa/api/workflow-instances";

  private final HttpExchange exchange;
  private final @Nullable String key;

  private HttpSkeinClient(HttpExchange exchange, @Nullable String key) {
    this.exchange = exchange;
    this.key = key;
  }

  /**
   * A client without credentials.
   *
   * @param nodes one or more, such as {@code http://localhost:5001}: a request that one of them
   *     does not take goes to the next
   * @param options how long and how often it tries
   */
  public static HttpSkeinClient create(List<URI> nodes, Options options) {
    return new HttpSkeinClient(new HttpExchange(nodes, options, () -> null), null);
  }

  /** A client of one node, or of a load balancer, with {@link Options#DEFAULT}. */
  public static HttpSkeinClient create(URI node) {
    return create(List.of(node), Options.DEFAULT);
  }

  /** With the key of an application. */
  public HttpSkeinClient withApiKey(String apiKey) {
    return new HttpSkeinClient(exchange.authorizedBy(() -> "ApiKey " + apiKey), key);
  }

  /** With a token, asked for before each request; so it may be renewed. */
  public HttpSkeinClient withBearer(Supplier<String> token) {
    return new HttpSkeinClient(exchange.authorizedBy(() -> "Bearer " + token.get()), key);
  }

  @Override
  public HttpSkeinClient once(String idempotencyKey) {
    return new HttpSkeinClient(
        exchange,
        StorableText.check(
            "idempotencyKey", idempotencyKey, RequestRules.IDEMPOTENCY_KEY_CHARS_MAX));
  }

  @Override
  public CompletableFuture<Outcome> start(Request.Start request) {
    var start = Repeats.keyed(request, key, false);
    var body = startBody(start);
    body.put("definitionId", start.definitionId());
    return post(start, INSTANCES, body, start.idempotencyKey()).thenApply(HttpAnswers::outcome);
  }

  @Override
  public CompletableFuture<InstanceId> dispatch(Request.Start request) {
    var start = Repeats.keyed(request, key, true);
    var path = "/elsa/api/workflow-definitions/" + encoded(start.definitionId()) + "/dispatch";
    return post(start, path, startBody(start), start.idempotencyKey())
        .thenApply(HttpAnswers::instanceId);
  }

  private static Map<String, @Nullable Object> startBody(Request.Start start) {
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("input", start.input());
    putIfThere(body, "correlationId", start.correlationId());
    putIfThere(body, "name", start.name());
    putIfThere(body, "instanceId", start.instanceId());
    return body;
  }

  @Override
  public CompletableFuture<Outcome> resume(
      InstanceId instanceId, @Nullable BookmarkId bookmarkId, Map<String, @Nullable Object> input) {
    var body = new LinkedHashMap<String, @Nullable Object>();
    putIfThere(body, "bookmarkId", bookmarkId);
    body.put("input", input);
    var request = new Request.Resume(instanceId, bookmarkId, input);
    return post(request, path(instanceId, "/resume"), body, key).thenApply(HttpAnswers::outcome);
  }

  @Override
  public CompletableFuture<Outcome> resumeByToken(
      String token, Map<String, @Nullable Object> input) {
    var request = new Request.ResumeByToken(token, input, null);
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("input", input);
    return post(request, "/workflows/resume/" + encoded(token), body, key)
        .thenApply(HttpAnswers::outcome);
  }

  @Override
  public CompletableFuture<Delivery> publishEvent(Request.PublishEvent request) {
    var body = new LinkedHashMap<String, @Nullable Object>();
    putIfThere(body, "correlationId", request.correlationId());
    putIfThere(body, "workflowInstanceId", request.instanceId());
    body.put("input", request.payload());
    return post(request, "/elsa/api/events/" + encoded(request.eventName()) + "/trigger", body, key)
        .thenApply(HttpAnswers::delivery);
  }

  @Override
  public CompletableFuture<InstanceId> completeTask(String taskId, @Nullable Object result) {
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("result", result);
    var request = new Request.CompleteTask(taskId, result);
    return post(request, "/elsa/api/tasks/" + encoded(taskId) + "/complete", body, key)
        .thenApply(HttpAnswers::instanceId);
  }

  @Override
  public CompletableFuture<Outcome> cancel(InstanceId instanceId) {
    return post(new Request.Cancel(instanceId), path(instanceId, "/cancel"), Map.of(), key)
        .thenApply(HttpAnswers::outcome);
  }

  @Override
  public CompletableFuture<Instance> query(InstanceId instanceId) {
    return exchange.get(path(instanceId, "")).thenApply(HttpAnswers::instance);
  }

  @Override
  public CompletableFuture<List<JournalLine>> journal(InstanceId instanceId, long after, int take) {
    try {
      var unused =
          RequestRules.checked(new Request.Journal(instanceId, after, take), JsonLimits.DEFAULT);
    } catch (SkeinException e) {
      return CompletableFuture.failedFuture(e);
    }
    return exchange
        .get(path(instanceId, "/journal?after=" + after + "&take=" + take))
        .thenApply(HttpAnswers::journal);
  }

  private CompletableFuture<Map<String, @Nullable Object>> post(
      Request request, String path, Map<String, @Nullable Object> body, @Nullable String sentKey) {
    try {
      var unused = RequestRules.checked(request, JsonLimits.DEFAULT);
    } catch (SkeinException e) {
      return CompletableFuture.failedFuture(e);
    }
    return exchange.post(
        path, body, sentKey, code -> Repeats.isSafe(request, sentKey != null, code));
  }

  private static String path(InstanceId id, String more) {
    return INSTANCES + "/" + encoded(id.value()) + more;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static void putIfThere(
      Map<String, @Nullable Object> body, String member, @Nullable Object value) {
    if (value != null) {
      body.put(member, value.toString());
    }
  }
}
