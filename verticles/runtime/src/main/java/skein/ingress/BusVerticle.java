package skein.ingress;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.bus.Answers;
import skein.bus.Refusals;
import skein.codecs.JsonMessages;
import skein.codecs.JsonText;
import skein.codecs.RequestRules;
import skein.codecs.StorableText;
import skein.identity.Caller;
import skein.loop.VertxEventLoop;
import skein.messages.Addresses;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.InstanceId;
import skein.model.JournalEntry;
import skein.model.SkeinException;
import skein.model.StimulusHash;
import skein.storage.ChangeLog;
import skein.storage.JournalStore;

/**
 * Answers other services on the event bus: records get records, JSON objects get JSON objects. A
 * message with the header {@link Addresses#IDEMPOTENCY_KEY} is executed once and answered alike
 * however often it is sent. What has a line in the audit log over HTTP has one here; who sent it is
 * whose credential it brings, and what it says in the header {@link Addresses#ACTOR}, as a claim.
 */
public final class BusVerticle extends VerticleBase {
  private static final List<String> ADDRESSES =
      List.of(
          Addresses.START,
          Addresses.RESUME,
          Addresses.EVENT,
          Addresses.TASK,
          Addresses.CANCEL,
          Addresses.QUERY,
          Addresses.JOURNAL);

  /** The sender of a message that does not name it. */
  private static final String UNNAMED = "event bus";

  private final Ingress ingress;
  private final Answers answers;
  private final Keys keys;
  private final ChangeLog changes;
  private final JournalStore journal;
  private final BusCallers callers;

  public BusVerticle(
      Ingress ingress,
      Answers answers,
      Keys keys,
      ChangeLog changes,
      JournalStore journal,
      BusCallers callers) {
    this.ingress = ingress;
    this.answers = answers;
    this.keys = keys;
    this.changes = changes;
    this.journal = journal;
    this.callers = callers;
  }

  @Override
  public Future<?> start() {
    var gate = new BusGate(callers, new VertxEventLoop(vertx, context));
    var registrations =
        ADDRESSES.stream()
            .map(address ->
                vertx
                    .eventBus()
                    .consumer(
                        address,
                        message ->
                            answers.request(
                                message,
                                request ->
                                    gate.admit(message.headers(), request)
                                        .compose(caller -> answer(message, request, caller))))
                    .completion())
            .toList();
    return Future.all(registrations);
  }

  private Future<Reply> answer(Message<?> message, Request given, Caller caller) {
    var request = signed(given, message.headers().get(Addresses.ACTOR), caller);
    var key = IdempotencyKey.read(message.headers().getAll(Addresses.IDEMPOTENCY_KEY));
    return key == null || given instanceof Request.Query || given instanceof Request.Journal
        ? answer(ingress, request)
        : keys.claim(key, fingerprint(given, caller))
            .compose(verdict ->
                switch (verdict) {
                  case Keys.Verdict.Execute(var claim) -> execute(claim, claim, request);
                  case Keys.Verdict.Continue(var claim, var from) -> execute(claim, from, request);
                  case Keys.Verdict.Committed(var reply) ->
                      reply instanceof Reply.Done
                          ? answer(ingress.once(new Once.Again(reply)), request)
                          : Future.succeededFuture(reply);
                  case Keys.Verdict.Answered _ -> // By another face, so to another request.
                      Future.failedFuture(SkeinException.idempotencyKeyReused());
                });
  }

  /** A request and who sent it, as the audit log has them. */
  private record Signed(Request request, String actor) {}

  /** A resume by token may say it itself. */
  private static Signed signed(Request given, @Nullable String header, Caller caller) {
    var said = given instanceof Request.ResumeByToken(_, _, var own) && own != null ? own : header;
    var known = caller instanceof Caller.Anonymous ? UNNAMED : caller.label();
    if (said == null) {
      return new Signed(given, known);
    }
    var name = StorableText.check("actor", said, RequestRules.ACTOR_CHARS_MAX);
    return new Signed(given, "claimed:" + name + " (" + known + ")");
  }

  /** The same request of another caller is another request. */
  private static String fingerprint(Request request, Caller caller) {
    var what =
        JsonMessages.address(request) + "|" + JsonText.canonical(JsonMessages.toJson(request));
    return StimulusHash.sha256(
        caller instanceof Caller.Anonymous ? what : what + "|" + caller.label());
  }

  private Future<Reply> execute(Once.Claimed claim, Once how, Signed request) {
    return attempt(how, request).otherwise(Refusals::of).compose(reply -> keys.end(claim, reply));
  }

  private Future<Reply> attempt(Once how, Signed request) {
    try {
      return answer(ingress.once(how), request);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  private Future<Reply> answer(Ingress ingress, Signed signed) {
    return switch (signed.request()) {
      case Request.Start start -> ingress.start(start).map(done -> done);
      case Request.Resume resume -> ingress.resume(resume).map(done -> done);
      case Request.ResumeByToken(var token, var input, _) ->
          ingress
              .resumeByToken(new Request.ResumeByToken(token, input, signed.actor()))
              .map(done -> done);
      case Request.PublishEvent event -> ingress.publishEvent(event, false).map(done -> done);
      case Request.CompleteTask task ->
          ingress
              .completeTask(task)
              .map(done -> new Reply.Delivered(1, 0, List.of(done.instanceId())));
      case Request.Cancel(var id) -> cancel(ingress, id, signed.actor());
      case Request.Query(var id) ->
          ingress
              .query(id)
              .map(found ->
                  new Reply.Done(
                      found.id(),
                      found.definition(),
                      found.status(),
                      found.revision(),
                      null,
                      found));
      case Request.Journal(var id, var after, var take) -> journal(ingress, id, after, take);
    };
  }

  /** One that has not run yet has no journal; one that does not exist is refused. */
  private Future<Reply> journal(Ingress ingress, InstanceId id, long after, int take) {
    return journal
        .after(id, JournalStore.Filter.ALL, after, take)
        .compose(
            found -> found.isEmpty() ? ingress.query(id).map(found) : Future.succeededFuture(found))
        .map(found -> new Reply.Journal(id, found.stream().map(BusVerticle::withoutData).toList()));
  }

  private static Reply.Journal.Entry withoutData(JournalEntry entry) {
    return new Reply.Journal.Entry(
        entry.sequence(),
        entry.at(),
        entry.event(),
        entry.activityId(),
        entry.activityType(),
        entry.message());
  }

  /** As over HTTP: without a line nothing is cancelled. What was done before has its line. */
  private Future<Reply> cancel(Ingress ingress, InstanceId id, String actor) {
    if (ingress.repeated() != null) {
      return ingress.cancel(id).map(done -> done);
    }
    return changes
        .beginOfInstance("instance.cancel", id, actor)
        .compose(line ->
            ingress
                .cancel(id)
                .transform(done ->
                    changes
                        .end(line, outcome(done), null)
                        .transform(_ ->
                            done.succeeded()
                                ? Future.succeededFuture(done.result())
                                : Future.failedFuture(done.cause()))));
  }

  private static String outcome(AsyncResult<?> done) {
    return done.succeeded() ? "ok" : Refusals.of(done.cause()).code().name();
  }
}
