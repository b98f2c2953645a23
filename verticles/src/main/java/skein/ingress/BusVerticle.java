package skein.ingress;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import java.util.List;
import skein.codecs.Answers;
import skein.codecs.JsonMessages;
import skein.codecs.JsonText;
import skein.codecs.Refusals;
import skein.messages.Addresses;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.SkeinException;
import skein.model.StimulusHash;

/**
 * Answers other services on the event bus: records get records, JSON objects get JSON objects. A
 * message with the header {@link Addresses#IDEMPOTENCY_KEY} is executed once and answered alike
 * however often it is sent.
 */
public final class BusVerticle extends VerticleBase {
  private static final List<String> ADDRESSES =
      List.of(
          Addresses.START,
          Addresses.RESUME,
          Addresses.EVENT,
          Addresses.TASK,
          Addresses.CANCEL,
          Addresses.QUERY);

  private final Ingress ingress;
  private final Answers answers;
  private final Keys keys;

  public BusVerticle(Ingress ingress, Answers answers, Keys keys) {
    this.ingress = ingress;
    this.answers = answers;
    this.keys = keys;
  }

  @Override
  public Future<?> start() {
    var registrations =
        ADDRESSES.stream()
            .map(address ->
                vertx
                    .eventBus()
                    .consumer(
                        address,
                        message -> answers.request(message, request -> answer(message, request)))
                    .completion())
            .toList();
    return Future.all(registrations);
  }

  private Future<Reply> answer(Message<?> message, Request request) {
    var key = IdempotencyKey.read(message.headers().getAll(Addresses.IDEMPOTENCY_KEY));
    return key == null || request instanceof Request.Query
        ? answer(ingress, request)
        : keys.claim(key, fingerprint(request))
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

  private static String fingerprint(Request request) {
    return StimulusHash.sha256(
        JsonMessages.address(request) + "|" + JsonText.canonical(JsonMessages.toJson(request)));
  }

  private Future<Reply> execute(Once.Claimed claim, Once how, Request request) {
    return attempt(how, request).otherwise(Refusals::of).compose(reply -> keys.end(claim, reply));
  }

  private Future<Reply> attempt(Once how, Request request) {
    try {
      return answer(ingress.once(how), request);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  private static Future<Reply> answer(Ingress ingress, Request request) {
    return switch (request) {
      case Request.Start start -> ingress.start(start).map(done -> done);
      case Request.Resume resume -> ingress.resume(resume).map(done -> done);
      case Request.ResumeByToken token -> ingress.resumeByToken(token).map(done -> done);
      case Request.PublishEvent event -> ingress.publishEvent(event, false).map(done -> done);
      case Request.CompleteTask task ->
          ingress
              .completeTask(task)
              .map(done -> new Reply.Delivered(1, 0, List.of(done.instanceId())));
      case Request.Cancel(var id) -> ingress.cancel(id).map(done -> done);
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
    };
  }
}
