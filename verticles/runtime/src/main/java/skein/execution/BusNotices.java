package skein.execution;

import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import java.util.List;
import skein.firing.TimerNudges;
import skein.messages.Addresses;
import skein.model.Effect;
import skein.model.InstanceId;
import skein.model.Timer;

/** Tells others over the event bus. */
public final class BusNotices implements Notices {
  private final EventBus bus;
  private final JobNudges jobs;
  private final int timerShards;

  /** {@code timerShards}: among which the leaders share out the timers. */
  public BusNotices(Vertx vertx, int timerShards) {
    this.bus = vertx.eventBus();
    this.jobs = new JobNudges(vertx);
    this.timerShards = timerShards;
  }

  @Override
  public void taskRequested(InstanceId id, Effect.TaskRequested task) {
    bus.publish(Addresses.TASKS, TaskNotice.of(id, task));
  }

  @Override
  public void jobWaiting(String type) {
    jobs.add(type);
  }

  @Override
  public void timersMade(List<Timer> soon) {
    TimerNudges.send(bus, soon, timerShards);
  }
}
