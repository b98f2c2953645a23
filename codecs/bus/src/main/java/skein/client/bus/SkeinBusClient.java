package skein.client.bus;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import skein.bus.Answers;
import skein.bus.MessageCodecs;
import skein.bus.Refusals;
import skein.client.Delivery;
import skein.client.Instance;
import skein.client.JournalLine;
import skein.client.Options;
import skein.client.Outcome;
import skein.client.Repeats;
import skein.client.SkeinClient;
import skein.codecs.JsonLimits;
import skein.codecs.JsonMessages;
import skein.codecs.RequestRules;
import skein.codecs.StorableText;
import skein.messages.Addresses;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.WorkflowInstance;

/**
 * Asks the workflow nodes of the cluster that a Vert.x has joined. Futures are completed on the
 * context of the caller, where it has one.
 */
public final class SkeinBusClient implements SkeinClient {
  private final Vertx vertx;
  private final Options options;
  private final @Nullable String key;
  private final Sender sender;

  /**
   * Whose requests they are.
   *
   * @param authorization as the header has it; null for none
   */
  private record Sender(@Nullable String actor, Supplier<@Nullable String> authorization) {
    static final Sender UNNAMED = new Sender(null, () -> null);
  }

  private SkeinBusClient(Vertx vertx, Options options, @Nullable String key, Sender sender) {
    this.vertx = vertx;
    this.options = options;
    this.key = key;
    this.sender = sender;
  }

  /** Registers the codecs of the messages as well; may be called more than once. */
  public static SkeinBusClient create(Vertx vertx, Options options) {
    MessageCodecs.register(vertx);
    return new SkeinBusClient(vertx, options, null, Sender.UNNAMED);
  }

  @Override
  public SkeinBusClient once(String idempotencyKey) {
    return new SkeinBusClient(
        vertx,
        options,
        StorableText.check(
            "idempotencyKey", idempotencyKey, RequestRules.IDEMPOTENCY_KEY_CHARS_MAX),
        sender);
  }

  /** With the key of an application: its permissions are needed, where nodes ask for them. */
  public SkeinBusClient withApiKey(String apiKey) {
    return authorizedBy(() -> "ApiKey " + apiKey);
  }

  /** With a token, asked for before each request; so it may be renewed. */
  public SkeinBusClient withBearer(Supplier<String> token) {
    return authorizedBy(() -> "Bearer " + token.get());
  }

  private SkeinBusClient authorizedBy(Supplier<@Nullable String> authorization) {
    return new SkeinBusClient(vertx, options, key, new Sender(sender.actor, authorization));
  }

  /**
   * The same client, whose requests say who sends them: the audit log has it as a claim.
   *
   * @param actor 1 to 255 characters, such as the service's name
   */
  public SkeinBusClient as(String actor) {
    var name = StorableText.check("actor", actor, RequestRules.ACTOR_CHARS_MAX);
    return new SkeinBusClient(vertx, options, key, new Sender(name, sender.authorization));
  }

  @Override
  public CompletableFuture<Outcome> start(Request.Start request) {
    return done(Repeats.keyed(request, key, false)).thenApply(SkeinBusClient::outcome);
  }

  @Override
  public CompletableFuture<InstanceId> dispatch(Request.Start request) {
    return done(Repeats.keyed(request, key, true)).thenApply(Reply.Done::instanceId);
  }

  @Override
  public CompletableFuture<Outcome> resume(
      InstanceId instanceId, @Nullable BookmarkId bookmarkId, Map<String, @Nullable Object> input) {
    return done(new Request.Resume(instanceId, bookmarkId, input))
        .thenApply(SkeinBusClient::outcome);
  }

  @Override
  public CompletableFuture<Outcome> resumeByToken(
      String token, Map<String, @Nullable Object> input) {
    return resumeByToken(token, input, null);
  }

  /** As the other one; {@code actor}: who does it, for the audit log, in place of {@link #as}. */
  public CompletableFuture<Outcome> resumeByToken(
      String token, Map<String, @Nullable Object> input, @Nullable String actor) {
    return done(new Request.ResumeByToken(token, input, actor)).thenApply(SkeinBusClient::outcome);
  }

  @Override
  public CompletableFuture<Delivery> publishEvent(Request.PublishEvent request) {
    return delivered(request)
        .thenApply(reply -> new Delivery(reply.resumed(), reply.started(), reply.instances()));
  }

  @Override
  public CompletableFuture<InstanceId> completeTask(String taskId, @Nullable Object result) {
    return delivered(new Request.CompleteTask(taskId, result))
        .thenApply(reply -> {
          if (reply.instances().isEmpty()) {
            throw new SkeinException(ErrorCode.INTERNAL, "The answer names no instance");
          }
          return reply.instances().get(0);
        });
  }

  @Override
  public CompletableFuture<Outcome> cancel(InstanceId instanceId) {
    return done(new Request.Cancel(instanceId)).thenApply(SkeinBusClient::outcome);
  }

  @Override
  public CompletableFuture<Instance> query(InstanceId instanceId) {
    return done(new Request.Query(instanceId))
        .thenApply(reply -> {
          if (reply.state() == null) {
            throw new SkeinException(ErrorCode.INTERNAL, "The answer has no instance");
          }
          return instance(outcome(reply), reply.state());
        });
  }

  @Override
  public CompletableFuture<List<JournalLine>> journal(InstanceId instanceId, long after, int take) {
    return ask(new Request.Journal(instanceId, after, take), Reply.Journal.class)
        .thenApply(reply ->
            reply.entries().stream()
                .map(each ->
                    new JournalLine(
                        each.sequence(),
                        each.at(),
                        each.event(),
                        each.activityId(),
                        each.activityType(),
                        each.message()))
                .toList());
  }

  private static Outcome outcome(Reply.Done reply) {
    return new Outcome(
        reply.instanceId(),
        reply.definition().definitionId(),
        reply.definition().version(),
        reply.status(),
        reply.revision());
  }

  private static Instance instance(Outcome outcome, WorkflowInstance state) {
    return new Instance(
        outcome,
        state.labels().correlationId(),
        state.input(),
        state.output(),
        state.bookmarks().stream()
            .map(each ->
                new Instance.Bookmark(
                    each.id(), each.name(), each.activityId(), each.payload(), each.dueAt()))
            .toList(),
        state.incidents().stream()
            .map(each ->
                new Instance.Incident(
                    each.activityId(), each.activityType(), each.message(), each.at()))
            .toList());
  }

  private CompletableFuture<Reply.Done> done(Request request) {
    return ask(request, Reply.Done.class);
  }

  private CompletableFuture<Reply.Delivered> delivered(Request request) {
    return ask(request, Reply.Delivered.class);
  }

  private <T extends Reply> CompletableFuture<T> ask(Request request, Class<T> type) {
    Request checked;
    try {
      checked = RequestRules.checked(request, JsonLimits.DEFAULT);
    } catch (SkeinException e) {
      return CompletableFuture.failedFuture(e);
    }
    return attempt(checked, 1)
        .map(reply -> expect(type, reply))
        .toCompletionStage()
        .toCompletableFuture();
  }

  private Future<Reply> attempt(Request request, int attempt) {
    var delivery =
        Answers.asked(new DeliveryOptions().setSendTimeout(options.timeout().toMillis()));
    if (key != null) {
      delivery.addHeader(Addresses.IDEMPOTENCY_KEY, key);
    }
    if (sender.actor != null) {
      delivery.addHeader(Addresses.ACTOR, sender.actor);
    }
    var authorization = sender.authorization.get();
    if (authorization != null) {
      delivery.addHeader(Addresses.AUTHORIZATION, authorization);
    }
    return vertx
        .eventBus()
        .<Object>request(JsonMessages.address(request), request, delivery)
        .map(message -> accepted(message.body()))
        .recover(failure -> again(request, attempt, failure));
  }

  private Future<Reply> again(Request request, int attempt, Throwable failure) {
    var refused = Refusals.toException(Refusals.of(failure));
    if (attempt >= options.attempts() || !Repeats.isSafe(request, key != null, refused.code())) {
      return Future.failedFuture(refused);
    }
    return vertx
        .timer(Repeats.PAUSE_MILLIS * attempt, TimeUnit.MILLISECONDS)
        .compose(unused -> attempt(request, attempt + 1));
  }

  private static Reply accepted(@Nullable Object body) {
    if (body instanceof Reply.Refused refused) {
      throw Refusals.toException(refused);
    }
    if (body instanceof Reply reply) {
      return reply;
    }
    throw new SkeinException(ErrorCode.INTERNAL, "The answer is not a reply of a workflow node");
  }

  private static <T extends Reply> T expect(Class<T> type, Reply reply) {
    if (!type.isInstance(reply)) {
      throw new SkeinException(
          ErrorCode.INTERNAL,
          "The answer is " + reply.getClass().getSimpleName() + " and not " + type.getSimpleName());
    }
    return type.cast(reply);
  }
}
