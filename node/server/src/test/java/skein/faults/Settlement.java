package skein.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import skein.node.Eventually;
import skein.node.Together;

/**
 * Asks again for what has a key and no answer yet, while things are broken and after: every key has
 * to get its answer some day.
 */
final class Settlement {
  private static final int AT_ONCE = 8;
  private static final Duration ASK_AGAIN = Duration.ofMillis(300);

  private final Queue<Caller.Ask> open = new ConcurrentLinkedQueue<>();

  void add(Caller.Ask ask) {
    open.add(ask);
  }

  /** One round; true when nothing is left. */
  private boolean round(Caller caller, SplittableRandom random) {
    var asks = new ArrayList<Caller.Ask>();
    for (var ask = open.poll(); ask != null; ask = open.poll()) {
      asks.add(ask);
    }
    int shift = random.nextInt(FaultCluster.NODES);
    Together.call(
        asks.size(),
        AT_ONCE,
        number -> {
          var ask = asks.get(number);
          if (caller.send(ask, (number + shift) % FaultCluster.NODES).mayRepeat()) {
            add(ask);
          }
          return true;
        });
    return open.isEmpty();
  }

  /** Until it is enough. */
  void run(Caller caller, SplittableRandom random, BooleanSupplier enough) {
    while (!enough.getAsBoolean()) {
      Eventually.pause(ASK_AGAIN);
      if (!open.isEmpty()) {
        round(caller, random);
      }
    }
  }

  /** When none are added any more; false when some have no answer after so long. */
  boolean end(Caller caller, SplittableRandom random, Duration max) {
    return Eventually.isTrue(
        max,
        () -> {
          boolean ended = open.isEmpty() || round(caller, random);
          if (!ended) {
            Eventually.pause(ASK_AGAIN);
          }
          return ended;
        });
  }
}
