package skein.timers;

import java.util.LinkedHashSet;
import skein.loop.EventLoop;

/**
 * The memory for large payloads of due timers, in bytes of the heap, which the shards that this
 * node leads share. Confined to one event loop.
 *
 * <p>While less than all of it is taken a shard may read, about an equal part at a time; the
 * payload that reaches it is read, too. Shards that found none wait in the order in which they
 * asked. One that has none at all reads one payload nevertheless, so that no shard waits for the
 * firings of another one alone. So all shards together have at most all of it, and one payload for
 * each shard.
 */
final class PayloadBudget {
  private final EventLoop loop;
  private final long bytesMax;
  private final LinkedHashSet<Share> waiting = new LinkedHashSet<>();
  private long taken;
  private int shares;

  PayloadBudget(EventLoop loop, long bytesMax) {
    this.loop = loop;
    this.bytesMax = bytesMax;
  }

  /** {@code wake}: memory may be free for this shard, which then takes it or withdraws. */
  Share share(Runnable wake) {
    loop.check();
    shares++;
    return new Share(wake);
  }

  /** Bytes that are taken now, of all shards. */
  long taken() {
    loop.check();
    return taken;
  }

  private void add(long bytes) {
    taken += bytes;
    if (taken < bytesMax && !waiting.isEmpty()) {
      waiting.getFirst().wake.run();
    }
  }

  /** What one shard takes. */
  final class Share {
    private final Runnable wake;

    /** Bytes that this shard has taken. */
    private long held;

    private boolean ended;

    private Share(Runnable wake) {
      this.wake = wake;
    }

    /**
     * Takes so many bytes as may be read now, 1 at least if this shard has none; 0: none, and this
     * shard waits.
     */
    long take() {
      loop.check();
      if (ended) {
        return 0;
      }
      boolean isNext = waiting.isEmpty() || waiting.getFirst().equals(this);
      boolean isLeft = isNext && taken < bytesMax;
      if (!isLeft && held > 0) {
        waiting.add(this);
        return 0;
      }
      waiting.remove(this);
      long bytes = isLeft ? Math.min(bytesMax - taken, Math.max(1, bytesMax / shares)) : 1;
      change(bytes);
      return bytes;
    }

    private void change(long bytes) {
      held += bytes;
      add(bytes);
    }

    /** What was read takes so many bytes, in place of those that were {@link #take taken}. */
    void settle(long before, long bytes) {
      loop.check();
      change(bytes - before);
    }

    void giveBack(long bytes) {
      loop.check();
      change(-bytes);
    }

    /** It waits no longer. */
    void withdraw() {
      loop.check();
      if (waiting.remove(this)) {
        add(0);
      }
    }

    /** The shard is led no longer; what it has taken is given back when its firings end. */
    void end() {
      loop.check();
      if (!ended) {
        ended = true;
        shares--;
        withdraw();
      }
    }
  }
}
