package skein.execution;

import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.json.JsonArray;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import skein.loop.Delays;
import skein.loop.VertxDelays;
import skein.messages.Addresses;

/**
 * Announces the types of waiting jobs to all nodes, in messages some milliseconds apart. Each may
 * be lost: waiting requests also poll for jobs from time to time. Thread-safe.
 */
final class JobNudges {
  /** The pause after one message; later nudges are in the next. */
  private static final Duration PAUSE = Duration.ofMillis(5);

  private final EventBus bus;
  private final Delays delays;
  private final Set<String> types = new HashSet<>();

  JobNudges(Vertx vertx) {
    this.bus = vertx.eventBus();
    this.delays = new VertxDelays(vertx);
  }

  void add(String type) {
    boolean first;
    synchronized (types) {
      first = types.isEmpty();
      types.add(type);
    }
    if (first) {
      delays.after(PAUSE).onSuccess(_ -> send());
    }
  }

  private void send() {
    JsonArray waiting;
    synchronized (types) {
      waiting = new JsonArray(List.copyOf(types));
      types.clear();
    }
    bus.publish(Addresses.JOBS, waiting);
  }
}
