package skein.execution;

import io.vertx.core.Future;
import skein.cluster.Deliveries;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.Timer;

/** Hands an event that an instance published to everybody who waits for it. */
final class EventDelivery {
  private final ExecutionParts parts;

  EventDelivery(ExecutionParts parts) {
    this.parts = parts;
  }

  /** Each receiver becomes a timer of its own, which its burst consumes; then they are nudged. */
  Future<Reply> deliver(Timer event) {
    return Deliveries.of(
            parts.stimuli(),
            event.id(),
            Payloads.text(event, "eventName"),
            Payloads.value(event, "correlationId") instanceof String text ? text : null,
            null,
            Payloads.value(event, "payload"))
        .compose(
            deliveries ->
                parts
                    .stimuli()
                    .deliver(event.id(), deliveries, parts.options().grace().toMillis() / 1000.0)
                    .map(
                        _ -> {
                          deliveries.forEach(t -> parts.router().nudge(new Command.Fire(t)));
                          return Deliveries.reply(deliveries);
                        }));
  }
}
