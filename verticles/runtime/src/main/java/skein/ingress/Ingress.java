package skein.ingress;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import skein.activities.Stimuli;
import skein.cluster.Router;
import skein.codecs.ResumeToken;
import skein.events.Deliveries;
import skein.events.Published;
import skein.jobs.Jobs;
import skein.messages.Command;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.Alteration;
import skein.model.BookmarkId;
import skein.model.DerivedIds;
import skein.model.InstanceId;
import skein.model.InstanceRefusals;
import skein.model.Labels;
import skein.model.SkeinException;
import skein.model.StartRequest;
import skein.model.StimulusHash;
import skein.model.Timer;
import skein.model.Ulid;
import skein.model.WorkflowInstance;
import skein.storage.AuditRows;
import skein.storage.InstanceStates;
import skein.storage.JobRows;

/**
 * Turns what arrives from outside into commands for the owners of instances. A success means: it is
 * committed. A failure is a {@link SkeinException}. Thread-safe.
 */
public final class Ingress {
  private final Router router;
  private final InstanceStates instances;
  private final Deliveries deliveries;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final Options options;
  private final EventPublisher events;
  private final TaskBookmarks tasks;
  private final TokenRefusals refusedTokens;
  private final String tenant;
  private final @Nullable Once once;

  /**
   * @param grace until the leader repeats a delivery whose nudge was lost
   * @param tokenLifetime of a token that is made without saying how long it works
   */
  public record Options(Duration grace, Duration tokenLifetime) {}

  /** {@code random}: good enough for secrets. */
  public Ingress(
      Router router,
      InstanceStates instances,
      Deliveries deliveries,
      AuditRows audit,
      InstantSource clock,
      RandomGenerator random,
      Options options) {
    this.router = router;
    this.instances = instances;
    this.deliveries = deliveries;
    this.clock = clock;
    this.random = random;
    this.options = options;
    this.events = new EventPublisher(router, deliveries, options.grace());
    this.tasks = new TaskBookmarks(deliveries);
    this.refusedTokens = new TokenRefusals(audit);
    this.tenant = "";
    this.once = null;
  }

  private Ingress(Ingress other, String tenant, @Nullable Once once) {
    this.router = other.router;
    this.instances = other.instances;
    this.deliveries = other.deliveries;
    this.clock = other.clock;
    this.random = other.random;
    this.options = other.options;
    this.events = other.events;
    this.tasks = other.tasks;
    this.refusedTokens = other.refusedTokens;
    this.tenant = tenant;
    this.once = once;
  }

  /**
   * For a request of a tenant: its events, HTTP requests to workflows and tasks are found among
   * those of the tenant alone, and what it starts has ids of the tenant. Instances and definitions
   * that a request names are not checked: the caller has checked whose they are.
   *
   * @param caller empty: the default tenant
   */
  public Ingress of(String caller) {
    return caller.equals(tenant) ? this : new Ingress(this, caller, once);
  }

  /** For the one command, or the one event, of a request with an idempotency key. */
  public Ingress once(Once given) {
    return new Ingress(this, tenant, given);
  }

  /** The result of an earlier execution of the request; null: there was none. */
  public @Nullable Reply repeated() {
    return once instanceof Once.Again again ? again.reply() : null;
  }

  /**
   * What a start may say beside the request that every face has.
   *
   * @param variables values that variables begin with, by name; not for a start that is dispatched
   */
  public record StartOptions(
      @Nullable String versionId,
      @Nullable String triggerActivityId,
      @Nullable Object stimulus,
      boolean wantState,
      Map<String, @Nullable Object> variables) {
    public static final StartOptions NONE = new StartOptions(null, null, null, false);

    public StartOptions(
        @Nullable String versionId,
        @Nullable String triggerActivityId,
        @Nullable Object stimulus,
        boolean wantState) {
      this(versionId, triggerActivityId, stimulus, wantState, Map.of());
    }
  }

  /** Has a timer done by the owner of its instance, unless it is gone or not due. */
  public Future<Void> fire(Timer timer) {
    return router.send(new Command.Fire(timer)).mapEmpty();
  }

  public Future<Reply.Done> start(Request.Start start) {
    return start(start, StartOptions.NONE);
  }

  /** Starts an instance; with an idempotency key at most one, whatever is repeated. */
  public Future<Reply.Done> start(Request.Start start, StartOptions options) {
    var key = start.idempotencyKey();
    if (key != null && !KeyedStart.isKey(key)) {
      return Future.failedFuture(KeyedStart.refusal());
    }
    var given = start.instanceId();
    if (key == null && given != null && !DerivedIds.mayChoose(tenant, given)) {
      return Future.failedFuture(InstanceRefusals.reservedId(given));
    }
    var chosen = given == null ? newInstanceId() : given;
    var id = key == null ? chosen : startedBy(start.definitionId(), key);
    var request =
        new StartRequest(
            start.input(),
            new Labels(start.name(), start.correlationId(), null),
            options.triggerActivityId(),
            options.stimulus(),
            key == null ? null : KeyedStart.fingerprint(start, options.variables()));
    return done(
        new Command.Start(
            id,
            start.definitionId(),
            options.versionId(),
            request,
            start.dispatch(),
            options.wantState(),
            options.variables()));
  }

  /** {@code PAST_STATE_UNKNOWN}: the journal does not tell the state to begin with. */
  public Future<Reply.Done> fork(Command.Fork fork) {
    return done(fork);
  }

  /** The instance that a start with this key makes, however often it is repeated. */
  public InstanceId startedBy(String definitionId, String key) {
    return DerivedIds.of(tenant, "start|" + definitionId + "|" + key);
  }

  /** The operations of workers on the jobs of these rows. */
  public Jobs jobs(JobRows rows) {
    return new Jobs(router, rows);
  }

  public InstanceId newInstanceId() {
    return new InstanceId(Ulid.of(clock.instant(), random.nextLong(), random.nextLong()));
  }

  public Future<Reply.Done> resume(Request.Resume resume) {
    return done(
        new Command.Resume(
            resume.instanceId(),
            resume.bookmarkId(),
            resume.input(),
            new Command.Via.Api(),
            false));
  }

  /** Resumes a bookmark that an HTTP endpoint waits at; the reply may carry the HTTP answer. */
  public Future<Reply.Done> resumeByHttp(
      BookmarkId bookmarkId, Map<String, @Nullable Object> request) {
    return done(
        new Command.Resume(
            bookmarkId.instanceId(), bookmarkId, request, new Command.Via.Http(), true));
  }

  /** Uses a token up. Every attempt is audited before it is answered. */
  public Future<Reply.Done> resumeByToken(Request.ResumeByToken request) {
    BookmarkId bookmark;
    try {
      bookmark = ResumeToken.bookmark(request.token());
    } catch (SkeinException e) {
      return refusedTokens.refuse(e, null, request.actor(), tenant);
    }
    var via = new Command.Via.Token(StimulusHash.sha256(request.token()), request.actor());
    return done(new Command.Resume(bookmark.instanceId(), bookmark, request.input(), via, false))
        .recover(e -> refusedTokens.refuse(e, bookmark, request.actor(), tenant));
  }

  /**
   * Makes a token; the one the bookmark had before is void.
   *
   * @param lifetime null gives it the usual one
   */
  public Future<Reply.TokenMinted> mintToken(
      BookmarkId bookmark, @Nullable Duration lifetime, @Nullable String actor) {
    var works = lifetime == null ? options.tokenLifetime() : lifetime;
    return router
        .send(
            new Command.MintToken(
                bookmark, works, actor, new UUID(random.nextLong(), random.nextLong())))
        .map(Reply.TokenMinted.class::cast);
  }

  public Future<Reply.Done> revokeToken(BookmarkId bookmark, @Nullable String actor) {
    return done(new Command.RevokeToken(bookmark, actor));
  }

  /** Lets a bookmark fall due at another instant; at once, where that has passed. */
  public Future<Reply.Done> changeDue(BookmarkId bookmark, Instant at, @Nullable String actor) {
    return done(new Command.ChangeDue(bookmark, at, actor));
  }

  /** As {@link #publish}, without what is pending. */
  public Future<Reply.Delivered> publishEvent(Request.PublishEvent request, boolean wait) {
    return publish(request, wait).map(Published::reply);
  }

  /**
   * Delivers an event to all that wait for it and starts what it triggers. One receiver is served
   * directly, and its refusal is the event's; several are made durable first, in one transaction,
   * and served after that: a delivery that is not possible at once is made later, and is pending. A
   * name that looks like another one, and that no instance waits for, is refused with {@code
   * INVALID_ID}.
   *
   * @param wait true answers when all receivers were served, false when their delivery is durable:
   *     then all are pending
   */
  public Future<Published> publish(Request.PublishEvent request, boolean wait) {
    return publish(request, null, wait);
  }

  /**
   * As {@link #publish(Request.PublishEvent, boolean)}, but of the instance that the request names
   * only these bookmarks hear the event.
   */
  public Future<Published> publish(
      Request.PublishEvent request, @Nullable Set<BookmarkId> bookmarks, boolean wait) {
    if (once instanceof Once.Again before) {
      return events.again(request, tenant, wait, before);
    }
    var paused = router.quiescence().refusal();
    if (paused != null) {
      return Future.failedFuture(paused);
    }
    var event =
        new Deliveries.Event(
            "event-" + newInstanceId(),
            new Deliveries.Topic(tenant, request.eventName()),
            request.correlationId(),
            request.instanceId(),
            bookmarks,
            request.payload(),
            0);
    return events.publish(event, wait, once instanceof Once.Claimed claim ? claim : null);
  }

  /**
   * A task's id is the id of the bookmark that waits for it, but for tasks that Elsa asked for in
   * an instance that was imported: theirs are found by their hash.
   */
  public Future<Reply.Done> completeTask(Request.CompleteTask request) {
    var input = new HashMap<String, @Nullable Object>();
    input.put("result", request.result());
    return tasks
        .findAlsoImported(request.taskId(), tenant)
        .compose(bookmark ->
            done(
                new Command.Resume(
                    bookmark.instanceId(), bookmark, input, new Command.Via.Task(), false)))
        .recover(e -> TaskBookmarks.refuse(request.taskId(), e));
  }

  /**
   * Does something to a user task.
   *
   * @param user who acts, as the caller claims; null: no user is named
   * @param groups that the user is in, as the caller claims
   */
  public Future<Reply.Done> task(
      String taskId,
      Command.TaskAction action,
      @Nullable String user,
      List<String> groups,
      @Nullable String actor) {
    return TaskBookmarks.find(taskId)
        .compose(bookmark -> done(new Command.Task(bookmark, action, user, groups, actor)))
        .recover(e -> TaskBookmarks.refuse(taskId, e));
  }

  public Future<Reply.Done> cancel(InstanceId id) {
    return done(new Command.Cancel(id));
  }

  /** Changes an instance from outside; {@code ALTERATION_REFUSED} changes nothing. */
  public Future<Reply.Done> alter(
      InstanceId id, List<Alteration> alterations, @Nullable String actor) {
    return done(new Command.Alter(id, alterations, actor));
  }

  public Future<Reply.Done> delete(InstanceId id) {
    return done(new Command.Delete(id));
  }

  /** The instance as it was last committed. */
  public Future<WorkflowInstance> query(InstanceId id) {
    return instances
        .state(id)
        .compose(found ->
            found == null
                ? Future.failedFuture(InstanceRefusals.instanceNotFound(id))
                : Future.succeededFuture(found.instance()));
  }

  /**
   * Bookmarks that wait at one path template.
   *
   * @param guarded callers must be known
   */
  public record HttpWaiting(int template, boolean guarded, List<BookmarkId> bookmarks) {}

  /** The first of these templates with waiting bookmarks, those without authentication first. */
  public Future<HttpWaiting> waitingForHttp(
      List<String> templates,
      String method,
      @Nullable String correlationId,
      @Nullable InstanceId instanceId) {
    var hashes = new ArrayList<String>();
    templates.forEach(template -> hashes.add(hash(Stimuli.httpEndpoint(template, method))));
    templates.forEach(template -> hashes.add(hash(Stimuli.guardedHttpEndpoint(template, method))));
    int count = templates.size();
    return deliveries
        .stimuli()
        .firstWaiting(hashes, correlationId, instanceId, 2)
        .map(first ->
            new HttpWaiting(first.place() % count, first.place() >= count, first.bookmarks()));
  }

  private String hash(String stimulus) {
    return StimulusHash.of(tenant, stimulus);
  }

  private Future<Reply.Done> done(Command command) {
    return switch (once) {
      case null ->
          router.send(command, new UUID(random.nextLong(), random.nextLong())).map(Ingress::done);
      case Once.Claimed(var key, var id) -> router.send(command, id, key).map(Ingress::done);
      case Once.Again(var reply, _) -> Future.succeededFuture(done(reply));
    };
  }

  private static Reply.Done done(Reply reply) {
    if (reply instanceof Reply.Done done) {
      return done;
    }
    throw new IllegalStateException("Unexpected reply " + reply);
  }
}
