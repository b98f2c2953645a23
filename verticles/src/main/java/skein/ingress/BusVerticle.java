package skein.ingress;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.List;
import skein.codecs.Answers;
import skein.messages.Addresses;
import skein.messages.Reply;
import skein.messages.Request;

/** Answers other services on the event bus: records get records, JSON objects get JSON objects. */
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

  public BusVerticle(Ingress ingress, Answers answers) {
    this.ingress = ingress;
    this.answers = answers;
  }

  @Override
  public Future<?> start() {
    var registrations =
        ADDRESSES.stream()
            .map(address ->
                vertx
                    .eventBus()
                    .consumer(address, message -> answers.request(message, this::answer))
                    .completion())
            .toList();
    return Future.all(registrations);
  }

  private Future<Reply> answer(Request request) {
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
