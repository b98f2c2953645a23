package skein.timers;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.MessageConsumer;
import org.jspecify.annotations.Nullable;
import skein.messages.Addresses;
import skein.messages.ClusterEvent;
import skein.metrics.SchedulerCounts;

/** Takes part in the election and, while it leads, fires what is due. Deploy on an event loop. */
public final class TimersVerticle extends VerticleBase {
  private final TimersParts parts;
  private final SchedulerCounts counts;
  private @Nullable Leadership leadership;
  private @Nullable Scheduler scheduler;
  private @Nullable MessageConsumer<ClusterEvent.TimersMade> nudges;

  /** Counts for nobody. */
  public TimersVerticle(TimersParts parts) {
    this(parts, new SchedulerCounts());
  }

  public TimersVerticle(TimersParts parts, SchedulerCounts counts) {
    this.counts = counts;
    this.parts = parts;
  }

  @Override
  public Future<?> start() {
    var elected =
        new Leadership(
            vertx,
            "scheduler",
            parts.leases(),
            parts.cluster(),
            parts.options().leaseDuration(),
            System::nanoTime,
            this::lead);
    elected.onConfirmed(counts::heartbeat);
    leadership = elected;
    scheduler = new Scheduler(vertx, parts, elected::leads, counts);
    parts.cluster().onChange(() -> context.runOnContext(_ -> elected.membersChanged()));
    elected.start();
    return Future.succeededFuture();
  }

  /** Nudges go to the leader alone: nobody else listens. */
  private void lead(boolean leads) {
    var firing = scheduler;
    if (firing == null) {
      return;
    }
    counts.leads(leads);
    if (leads) {
      nudges = vertx.eventBus().consumer(Addresses.TIMERS, m -> firing.nudged(m.body().timers()));
      firing.begin();
      return;
    }
    firing.end();
    if (nudges != null) {
      nudges.unregister();
      nudges = null;
    }
  }

  @Override
  public Future<?> stop() {
    var elected = leadership;
    return elected == null ? Future.succeededFuture() : elected.stop();
  }
}
