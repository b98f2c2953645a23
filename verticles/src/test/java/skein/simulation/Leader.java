package skein.simulation;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import skein.cluster.Cluster;
import skein.cluster.Router;
import skein.loop.SimulatedLoop;
import skein.messages.Command;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.model.Timer;
import skein.storage.SimulatedDatabase;

/**
 * Fires what is due while its node thinks that it leads: the first of those that it sees. Where the
 * views of nodes differ there are two leaders, or none.
 */
final class Leader {
  private static final Duration INTERVAL = Duration.ofMillis(250);
  private static final Duration RETRY = Duration.ofMillis(100);
  private static final Duration RETRY_MAX = Duration.ofSeconds(2);

  private final SimulatedLoop loop;
  private final Cluster cluster;
  private final SimulatedDatabase database;
  private final Router router;
  private final Set<String> firing = new HashSet<>();
  private boolean reading;

  Leader(SimulatedLoop loop, Cluster cluster, SimulatedDatabase database, Router router) {
    this.loop = loop;
    this.cluster = cluster;
    this.database = database;
    this.router = router;
    loop.repeat(INTERVAL, this::read);
  }

  private boolean leads() {
    return cluster.members().getFirst().id().equals(cluster.nodeId());
  }

  /** Told of timers that fall due soon; on any loop. */
  void nudged(List<Timer> soon, Duration delay) {
    soon.forEach(timer -> loop.schedule(delay, () -> fireIfLeading(timer)));
  }

  private void fireIfLeading(Timer timer) {
    if (leads()) {
      fire(timer);
    }
  }

  private void read() {
    if (reading || !leads()) {
      return;
    }
    reading = true;
    database
        .due(100)
        .onComplete(result -> {
          reading = false;
          if (result.succeeded() && leads()) {
            result.result().forEach(this::fire);
          }
        });
  }

  private void fire(Timer timer) {
    if (!firing.add(timer.id())) {
      return;
    }
    router
        .send(new Command.Fire(timer))
        .onComplete(result -> {
          boolean newer =
              result.cause() instanceof SkeinException e && e.code() == ErrorCode.NEWER_FORMAT;
          if (result.succeeded() || newer) {
            firing.remove(timer.id());
          } else {
            database
                .postpone(timer.id(), RETRY, RETRY_MAX)
                .onComplete(_ -> firing.remove(timer.id()));
          }
        });
  }
}
