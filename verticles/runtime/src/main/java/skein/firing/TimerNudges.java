package skein.firing;

import io.vertx.core.eventbus.EventBus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import skein.messages.Addresses;
import skein.messages.ClusterEvent.TimersMade;
import skein.model.Timer;
import skein.storage.TimerShard;

/** Tells the leaders about timers that fall due soon, each about those of its shard. */
public final class TimerNudges {
  private TimerNudges() {}

  /** May be lost: the leaders read the rows. */
  public static void send(EventBus bus, List<Timer> soon, int shards) {
    Map<TimerShard, List<Timer>> byShard = new HashMap<>();
    for (var timer : soon) {
      byShard
          .computeIfAbsent(TimerShard.of(timer.instanceId(), shards), _ -> new ArrayList<>())
          .add(timer);
    }
    byShard.forEach((shard, timers) ->
        bus.send(Addresses.timers(shard.number(), shard.count()), new TimersMade(timers)));
  }
}
