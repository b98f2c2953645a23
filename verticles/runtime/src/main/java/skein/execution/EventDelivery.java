package skein.execution;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Function;
import skein.decisions.Payloads;
import skein.events.Deliveries;
import skein.events.Portions;
import skein.events.Published;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.Timer;

/** Delivers an event that an instance published to all that wait for it. */
final class EventDelivery {
  private final Deliveries deliveries;
  private final Duration grace;
  private final Function<Command, Future<Reply>> nudge;

  /**
   * @param grace until the leader serves receivers whose nudge was lost
   * @param nudge serves one of them at once
   */
  EventDelivery(Deliveries deliveries, Duration grace, Function<Command, Future<Reply>> nudge) {
    this.deliveries = deliveries;
    this.grace = grace;
    this.nudge = nudge;
  }

  /** Each receiver becomes a timer of its own, which its burst consumes; then they are nudged. */
  Future<Reply> deliver(Timer timer) {
    var correlationId = Payloads.value(timer, "correlationId");
    var event =
        new Deliveries.Event(
            timer.id(),
            new Deliveries.Topic(Payloads.tenant(timer), Payloads.text(timer, "eventName")),
            correlationId instanceof String text ? text : null,
            null,
            null,
            Payloads.value(timer, "payload"),
            Payloads.causes(timer));
    return deliveries
        .of(event)
        .compose(receivers ->
            Future.succeededFuture(receivers)
                .compose(those -> deliver(timer, those))
                .onFailure(_ -> receivers.close()));
  }

  private Future<Reply> deliver(Timer timer, Deliveries.Receivers receivers) {
    double graceSeconds = grace.toMillis() / 1000.0;
    return deliveries
        .stimuli()
        .deliver(timer.id(), receivers.timers(), graceSeconds)
        .map(_ -> {
          Portions.serve(
                  receivers.timers(),
                  receivers.inFlightMax(),
                  receiver -> receivers.areInTime() ? nudged(receiver) : Future.succeededFuture())
              .onComplete(_ -> receivers.close());
          return Published.accepted(receivers.timers()).reply();
        });
  }

  private Future<Void> nudged(Timer receiver) {
    return nudge.apply(new Command.Fire(receiver)).mapEmpty();
  }
}
