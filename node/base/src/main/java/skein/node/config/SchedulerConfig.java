package skein.node.config;

import java.time.Duration;
import skein.storage.TimerShard;

/** Whether a node with the role takes part, and in how many parts timers are shared out. */
public record SchedulerConfig(SchedulerMode mode, int shards, Duration misfireAfter) {
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** Who fires timers: elected leaders, or no node of this cluster. */
  public enum SchedulerMode {
    LEADER,
    NONE
  }

  static SchedulerConfig from(Settings s) {
    return new SchedulerConfig(
        s.choice("scheduler.mode", SchedulerMode.LEADER),
        s.integer("scheduler.shards", "1", 1, TimerShard.COUNT_MAX),
        s.duration("scheduler.misfire-after", "60s", SECOND));
  }
}
