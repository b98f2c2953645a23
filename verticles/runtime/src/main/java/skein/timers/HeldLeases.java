package skein.timers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import skein.loop.EventLoop;

/**
 * The leases that this node holds, and for how long it may act on them: two thirds of their life
 * after it asked for the last renewal that was confirmed, by a monotonic clock. The last third is a
 * margin for two clocks that differ, and for what was sent at the last moment. Confined to one
 * event loop.
 */
final class HeldLeases {
  private final EventLoop loop;
  private final long actNanos;
  private final TreeMap<Integer, Held> held = new TreeMap<>();

  private record Held(long epoch, long askedNanos) {}

  HeldLeases(EventLoop loop, Duration life) {
    this.loop = loop;
    this.actNanos = life.toNanos() * 2 / 3;
  }

  /** Whether this node may act as the leader of the shard, at this very moment. */
  boolean leads(int shard) {
    loop.check();
    var lease = held.get(shard);
    return lease != null && !isLate(lease);
  }

  private boolean isLate(Held lease) {
    return loop.nanoTime() - lease.askedNanos > actNanos;
  }

  void took(int shard, long epoch, long askedNanos) {
    loop.check();
    held.put(shard, new Held(epoch, askedNanos));
  }

  /**
   * Those of {@code asked} that were renewed are held on; returns those that were not, which are
   * held no longer.
   */
  List<Integer> renewed(Collection<Integer> asked, Set<Integer> renewed, long askedNanos) {
    loop.check();
    var lost = new ArrayList<Integer>();
    for (int shard : asked) {
      var before = held.get(shard);
      if (before != null && renewed.contains(shard)) {
        held.put(shard, new Held(before.epoch(), askedNanos));
      } else if (before != null) {
        held.remove(shard);
        lost.add(shard);
      }
    }
    return lost;
  }

  /** Ends what was not renewed in time; returns it. */
  List<Integer> dropLate() {
    loop.check();
    var late = held.keySet().stream().filter(shard -> !leads(shard)).toList();
    held.keySet().removeAll(late);
    return late;
  }

  void drop(Collection<Integer> shards) {
    loop.check();
    held.keySet().removeAll(shards);
  }

  List<Integer> shards() {
    loop.check();
    return List.copyOf(held.keySet());
  }

  Map<Integer, Long> epochs() {
    loop.check();
    var epochs = new TreeMap<Integer, Long>();
    held.forEach((shard, lease) -> epochs.put(shard, lease.epoch()));
    return epochs;
  }
}
