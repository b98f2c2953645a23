package skein.timers;

import java.util.List;
import java.util.function.Consumer;
import skein.loop.EventLoop.Cancellable;
import skein.model.Timer;

/** Messages between the schedulers of the nodes. Confined to one event loop. */
interface TimersBus {
  /** Says to the other nodes that leases have changed hands, or that this node takes part. */
  void announce();

  /** Told of timers of the shard that fall due soon, on the loop, until it is cancelled. */
  Cancellable nudges(int shard, Consumer<List<Timer>> listener);
}
