package skein.ingress;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.cluster.Router;
import skein.codecs.ReplyBytes;
import skein.events.Deliveries;
import skein.events.DeliveryList;
import skein.events.Portions;
import skein.events.Published;
import skein.messages.Command;
import skein.messages.Reply;
import skein.messages.Request;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.model.Transition;

/**
 * Delivers events from outside: finds the receivers, makes their deliveries durable where there are
 * several or the request has a key, and sends each to the owner of its instance. Thread-safe.
 */
final class EventPublisher {
  private final Router router;
  private final Deliveries deliveries;
  private final Duration grace;

  /** {@code grace}: until the leader repeats a delivery whose nudge was lost. */
  EventPublisher(Router router, Deliveries deliveries, Duration grace) {
    this.router = router;
    this.deliveries = deliveries;
    this.grace = grace;
  }

  /**
   * @param wait as in {@link Ingress#publish(Request.PublishEvent, boolean)}
   * @param claim of the idempotency key of the request; null: it has none
   */
  Future<Published> publish(Deliveries.Event event, boolean wait, Once.@Nullable Claimed claim) {
    return deliveries
        .ofOutside(event)
        .compose(receivers ->
            Future.succeededFuture(receivers)
                .compose(those -> publish(event, those, wait, claim))
                .onFailure(_ -> receivers.close()));
  }

  /** Asks the owners of the receivers again, who know what they have committed of the event. */
  Future<Published> again(
      Request.PublishEvent request, String tenant, boolean wait, Once.Again before) {
    var written = before.deliveries();
    if (written != null) {
      var timers = DeliveryList.read(written, tenant, request.correlationId(), request.payload());
      var topic = new Deliveries.Topic(tenant, request.eventName());
      var receivers = deliveries.again(topic, request.correlationId(), timers);
      return receivers == null
          ? Future.succeededFuture(Published.accepted(timers))
          : serveDurable(receivers, wait);
    }
    return before.reply() instanceof Reply.Delivered delivered
        ? Future.succeededFuture(new Published(delivered, 0))
        : Future.failedFuture(new IllegalStateException("Unexpected reply " + before.reply()));
  }

  private Future<Published> publish(
      Deliveries.Event event,
      Deliveries.Receivers receivers,
      boolean wait,
      Once.@Nullable Claimed claim) {
    var timers = receivers.timers();
    if (timers.isEmpty()) {
      Deliveries.requireDistinct(event.name());
    }
    return timers.isEmpty() || (timers.size() == 1 && claim == null)
        ? serve(receivers, false).onComplete(_ -> receivers.close())
        : makeDurable(event.id(), timers, claim).compose(_ -> serveDurable(receivers, wait));
  }

  private Future<Published> serveDurable(Deliveries.Receivers receivers, boolean wait) {
    var timers = receivers.timers();
    var served = serve(receivers, true).onComplete(_ -> receivers.close());
    return wait || timers.size() == 1 ? served : Future.succeededFuture(Published.accepted(timers));
  }

  /**
   * @param durable a receiver that does not answer, or refuses, is served later; false: fails then
   */
  private Future<Published> serve(Deliveries.Receivers receivers, boolean durable) {
    var timers = receivers.timers();
    return Portions.serve(
            timers,
            receivers.inFlightMax(),
            delivery ->
                durable && !receivers.areInTime()
                    ? Future.succeededFuture(Published.Outcome.PENDING)
                    : serve(delivery, durable))
        .compose(served ->
            Future.all(served)
                .map(_ -> Published.of(timers, served.stream().map(Future::result).toList())));
  }

  private Future<Published.Outcome> serve(Timer delivery, boolean durable) {
    var outcome = router.send(new Command.Fire(delivery)).map(Published.Outcome::of);
    return durable ? outcome.otherwise(Published.Outcome.PENDING) : outcome;
  }

  /** Tries again once: a broken connection leaves the outcome of its statement unknown. */
  private Future<Void> makeDurable(
      String eventId, List<Timer> receivers, Once.@Nullable Claimed claim) {
    return store(eventId, receivers, claim)
        .recover(e -> isUnanswered(e) ? store(eventId, receivers, claim) : Future.failedFuture(e))
        .recover(e ->
            Future.failedFuture(
                isUnanswered(e)
                    ? new SkeinException(
                        ErrorCode.OUTCOME_UNKNOWN,
                        "The database did not say whether the event is to be delivered",
                        List.of(),
                        e)
                    : e));
  }

  private static boolean isUnanswered(Throwable e) {
    return e instanceof SkeinException refusal && refusal.code() == ErrorCode.STORAGE_UNAVAILABLE;
  }

  private Future<Void> store(String eventId, List<Timer> receivers, Once.@Nullable Claimed claim) {
    double graceSeconds = grace.toMillis() / 1000.0;
    if (claim == null) {
      return deliveries.stimuli().deliver("", receivers, graceSeconds);
    }
    var accepted = ReplyBytes.encode(Published.accepted(receivers).reply());
    var kept = new Transition.Kept(claim.key(), accepted, false);
    return deliveries
        .stimuli()
        .deliverOnce(
            kept, claim.id(), receivers, DeliveryList.write(eventId, receivers), graceSeconds)
        .compose(held ->
            held
                ? Future.succeededFuture()
                : Future.failedFuture(SkeinException.idempotencyKeyInUse()));
  }
}
