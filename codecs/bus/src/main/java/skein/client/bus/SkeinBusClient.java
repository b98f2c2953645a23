package skein.client;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import skein.bus.Answers;
import skein.bus.MessageCodecs;
import skein.bus.Refusals;
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

/**
 * Asks the workflow nodes of the cluster this Vert.x has joined.
 *
 * <p>A future that succeeds means committed. One that fails does so with a {@link SkeinException};
 * nothing was changed then, unless its code is {@code TIMEOUT} or {@code OUTCOME_UNKNOWN}. A
 * request nobody took is repeated; one whose outcome is not known is repeated only when a repeat
 * does no harm: queries, cancellations, starts, which always carry an idempotency key, and whatever
 * is asked for through {@link #once}. Safe for use by many threads.
 */
public final class SkeinClient {
  private static final long PAUSE_MILLIS = 50;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Vertx vertx;
  private final Options options;
  private final @Nullable String key;
  private final @Nullable String actor;

  private SkeinClient(Vertx vertx, Options options, @Nullable String key, @Nullable String actor) {
    this.vertx = vertx;
    this.options = options;
    this.key = key;
    this.actor = actor;
  }

  /** Registers the codecs of the messages as well; may be called more than once. */
  public static SkeinClient create(Vertx vertx, Options options) {
    MessageCodecs.register(vertx);
    return new SkeinClient(vertx, options, null, null);
  }

  /**
   * A client for one request, which is executed once however often it is sent: a repetition with
   * the same key is answered as the first was, for as long as the nodes keep the answer.
   *
   * @param idempotencyKey 1 to 255 characters that no other request has
   */
  public SkeinClient once(String idempotencyKey) {
    return new SkeinClient(
        vertx,
        options,
        StorableText.check(
            "idempotencyKey", idempotencyKey, RequestRules.IDEMPOTENCY_KEY_CHARS_MAX),
        actor);
  }

  /**
   * The same client, whose requests say who sends them: the audit log has it as a claim.
   *
   * @param actor 1 to 255 characters, such as the service's name
   */
  public SkeinClient as(String actor) {
    return new SkeinClient(
        vertx, options, key, StorableText.check("actor", actor, RequestRules.ACTOR_CHARS_MAX));
  }

  /** Starts an instance and answers after its first burst. */
  public Future<Reply.Done> start(String definitionId, Map<String, @Nullable Object> input) {
    return start(new Request.Start(definitionId, input, null, null, null, null, false));
  }

  /** Starts an instance and answers as soon as the start is durable. */
  public Future<Reply.Done> dispatch(String definitionId, Map<String, @Nullable Object> input) {
    return start(new Request.Start(definitionId, input, null, null, null, null, true));
  }

  /** Starts an instance as the request says; makes an idempotency key when it has none. */
  public Future<Reply.Done> start(Request.Start request) {
    return ask(request.idempotencyKey() == null ? withKey(request) : request, Reply.Done.class);
  }

  /** Resumes a bookmark; {@code bookmarkId} null: the only open one. */
  public Future<Reply.Done> resume(
      InstanceId instanceId, @Nullable BookmarkId bookmarkId, Map<String, @Nullable Object> input) {
    return ask(new Request.Resume(instanceId, bookmarkId, input), Reply.Done.class);
  }

  /**
   * Resumes the bookmark a token stands for; {@code actor}: who does it, for the audit log, in
   * place of {@link #as}.
   */
  public Future<Reply.Done> resumeByToken(
      String token, Map<String, @Nullable Object> input, @Nullable String actor) {
    return ask(new Request.ResumeByToken(token, input, actor), Reply.Done.class);
  }

  /** Resumes whoever waits for the event and starts what it triggers. */
  public Future<Reply.Delivered> publishEvent(Request.PublishEvent request) {
    return ask(request, Reply.Delivered.class);
  }

  /** Publishes an event to everybody who waits for it. */
  public Future<Reply.Delivered> publishEvent(String eventName, @Nullable Object payload) {
    return publishEvent(new Request.PublishEvent(eventName, null, null, payload));
  }

  /** Answers a task that a workflow asked for. */
  public Future<Reply.Delivered> completeTask(String taskId, @Nullable Object result) {
    return ask(new Request.CompleteTask(taskId, result), Reply.Delivered.class);
  }

  public Future<Reply.Done> cancel(InstanceId instanceId) {
    return ask(new Request.Cancel(instanceId), Reply.Done.class);
  }

  /** The instance as it is stored, in {@link Reply.Done#state}. */
  public Future<Reply.Done> query(InstanceId instanceId) {
    return ask(new Request.Query(instanceId), Reply.Done.class);
  }

  private <T extends Reply> Future<T> ask(Request request, Class<T> type) {
    Request checked;
    try {
      checked = RequestRules.checked(request, JsonLimits.DEFAULT);
    } catch (SkeinException e) {
      return Future.failedFuture(e);
    }
    return attempt(checked, 1).map(reply -> expect(type, reply));
  }

  private Future<Reply> attempt(Request request, int attempt) {
    var delivery =
        Answers.asked(new DeliveryOptions().setSendTimeout(options.timeout().toMillis()));
    if (key != null) {
      delivery.addHeader(Addresses.IDEMPOTENCY_KEY, key);
    }
    if (actor != null) {
      delivery.addHeader(Addresses.ACTOR, actor);
    }
    return vertx
        .eventBus()
        .<Object>request(JsonMessages.address(request), request, delivery)
        .map(message -> accepted(message.body()))
        .recover(failure -> again(request, attempt, failure));
  }

  private Future<Reply> again(Request request, int attempt, Throwable failure) {
    var refused = Refusals.toException(Refusals.of(failure));
    if (attempt >= options.attempts() || !mayRepeat(request, refused.code())) {
      return Future.failedFuture(refused);
    }
    return vertx
        .timer(PAUSE_MILLIS * attempt, TimeUnit.MILLISECONDS)
        .compose(_ -> attempt(request, attempt + 1));
  }

  private boolean mayRepeat(Request request, ErrorCode code) {
    return switch (code) {
      case NOT_READY, NEWER_FORMAT, IDEMPOTENCY_KEY_IN_USE -> true;
      case TIMEOUT, OUTCOME_UNKNOWN -> key != null || isHarmlessTwice(request);
      default -> false;
    };
  }

  private static boolean isHarmlessTwice(Request request) {
    return switch (request) {
      case Request.Start r -> r.idempotencyKey() != null;
      case Request.Cancel _, Request.Query _ -> true;
      case Request.Resume _,
          Request.ResumeByToken _,
          Request.PublishEvent _,
          Request.CompleteTask _ ->
          false;
    };
  }

  private static Reply accepted(@Nullable Object body) {
    return switch (body) {
      case Reply.Refused refused -> throw Refusals.toException(refused);
      case Reply reply -> reply;
      case null, default ->
          throw new SkeinException(
              ErrorCode.INTERNAL, "The answer is not a reply of a workflow node");
    };
  }

  private static <T extends Reply> T expect(Class<T> type, Reply reply) {
    if (!type.isInstance(reply)) {
      throw new SkeinException(
          ErrorCode.INTERNAL,
          "The answer is " + reply.getClass().getSimpleName() + " and not " + type.getSimpleName());
    }
    return type.cast(reply);
  }

  private Request.Start withKey(Request.Start r) {
    return new Request.Start(
        r.definitionId(),
        r.input(),
        r.correlationId(),
        r.name(),
        r.instanceId(),
        key == null ? newKey() : key,
        r.dispatch());
  }

  private static String newKey() {
    var key = new byte[16];
    RANDOM.nextBytes(key);
    return HexFormat.of().formatHex(key);
  }
}
