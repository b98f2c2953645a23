package skein.execution;

import io.vertx.core.Future;
import skein.decisions.Payloads;
import skein.events.Deliveries;
import skein.events.Portions;
import skein.events.Published;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.Timer;

/** Hands an event that an instance published to everybody who waits for it. */
final class EventDelivery {
  private final ExecutionDependencies dependencies;
  private final Deliveries deliveries;

  EventDelivery(ExecutionDependencies dependencies) {
    this.dependencies = dependencies;
    this.deliveries = dependencies.rows().deliveries();
  }

  /** Each receiver becomes a timer of its own, which its burst consumes; then they are nudged. */
  Future<Reply> deliver(Timer timer) {
    var correlationId = Payloads.value(timer, "correlationId");
    var event =
        new Deliveries.Event(
            timer.id(),
            Payloads.text(timer, "eventName"),
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
    double graceSeconds = dependencies.options().timers().grace().toMillis() / 1000.0;
    return deliveries
        .stimuli()
        .deliver(timer.id(), receivers.timers(), graceSeconds)
        .map(_ -> {
          Portions.serve(
                  receivers.timers(),
                  Deliveries.IN_FLIGHT_MAX,
                  receiver -> dependencies.router().send(new Command.Fire(receiver)))
              .onComplete(_ -> receivers.close());
          return Published.accepted(receivers.timers()).reply();
        });
  }
}
