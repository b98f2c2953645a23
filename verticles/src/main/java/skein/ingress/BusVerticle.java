package skein.ingress;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonObject;
import java.util.List;
import skein.codecs.JsonLimits;
import skein.codecs.JsonMessages;
import skein.codecs.JsonText;
import skein.codecs.Refusals;
import skein.messages.Addresses;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.ErrorCode;
import skein.model.SkeinException;

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
  private final JsonLimits limits;

  public BusVerticle(Ingress ingress, JsonLimits limits) {
    this.ingress = ingress;
    this.limits = limits;
  }

  @Override
  public Future<?> start() {
    var registrations =
        ADDRESSES.stream()
            .map(address ->
                vertx
                    .eventBus()
                    .consumer(address, message -> receive(address, message))
                    .completion())
            .toList();
    return Future.all(registrations);
  }

  private void receive(String address, Message<Object> message) {
    boolean json = message.body() instanceof JsonObject;
    read(address, message.body())
        .compose(this::answer)
        .otherwise(Refusals::of)
        .onSuccess(reply ->
            message.reply(
                json ? new JsonObject(JsonText.print(JsonMessages.toJson(reply))) : reply));
  }

  private Future<Request> read(String address, Object body) {
    if (body instanceof Request request) {
      return Future.succeededFuture(request);
    }
    try {
      if (body instanceof JsonObject object) {
        // Through the strict reader: what other services send is checked like what HTTP brings.
        var json = JsonText.parseObject(object.encode(), limits);
        return Future.succeededFuture(JsonMessages.fromJson(address, json));
      }
      throw new SkeinException(
          ErrorCode.INVALID_REQUEST,
          "Send a record of skein-codecs or a JSON object to " + address);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  private Future<Reply> answer(Request request) {
    return switch (request) {
      case Request.Start start -> ingress.start(start).map(done -> done);
      case Request.Resume resume -> ingress.resume(resume).map(done -> done);
      case Request.ResumeByToken token -> ingress.resumeByToken(token).map(done -> done);
      case Request.PublishEvent event -> ingress.publishEvent(event, false).map(done -> done);
      case Request.CompleteTask task -> ingress.completeTask(task).map(done -> done);
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
