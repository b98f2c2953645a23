package skein.timers;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.loop.EventLoop;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.storage.DeferredPayload;

/**
 * The due timers of a shard whose payloads must be read before they are fired, and those of the
 * same instances that are due after them. Payloads are read one at a time while those that are
 * being fired take less than a bound, one of each instance, so that an instance which is slow keeps
 * no other waiting. Timers of one instance keep their order; those of others pass by. Confined to
 * one event loop.
 */
final class LargePayloads {
  private final EventLoop loop;
  private final long bytesMax;
  private final Map<InstanceId, Queue> queues = new LinkedHashMap<>();

  /** Instances whose next timer is to be read. */
  private final LinkedHashSet<InstanceId> toRead = new LinkedHashSet<>();

  /** Instances whose next timer was waiting behind one that was read. */
  private final LinkedHashSet<InstanceId> ready = new LinkedHashSet<>();

  /** The size of each payload that is being fired, by timer. */
  private final Map<String, Long> fired = new HashMap<>();

  private @Nullable InstanceId reading;
  private long bytes;
  private int waiting;

  private static final class Queue {
    private final ArrayDeque<Timer> timers = new ArrayDeque<>();
    private boolean firing;
  }

  /** {@code bytesMax}: on the heap; the payload that reaches it is read, the next one is not. */
  LargePayloads(EventLoop loop, long bytesMax) {
    this.loop = loop;
    this.bytesMax = bytesMax;
  }

  /** Whether a timer that is due cannot be fired as it is. */
  boolean mustWait(Timer timer) {
    loop.check();
    var queue = queues.get(timer.instanceId());
    return DeferredPayload.isIn(timer)
        || timer.instanceId().equals(reading)
        || (queue != null && !queue.timers.isEmpty());
  }

  void add(Timer timer) {
    loop.check();
    queues.computeIfAbsent(timer.instanceId(), _ -> new Queue()).timers.add(timer);
    waiting++;
    settle(timer.instanceId());
  }

  /** The timers that wait. */
  int size() {
    loop.check();
    return waiting;
  }

  /** The next one to be read, until it {@link #wasRead}; null: none may be read now. */
  @Nullable Timer nextToRead() {
    loop.check();
    if (reading != null || bytes >= bytesMax || toRead.isEmpty()) {
      return null;
    }
    reading = toRead.iterator().next();
    return take(reading);
  }

  /** The next one that can be fired as it is. */
  @Nullable Timer nextReady() {
    loop.check();
    return ready.isEmpty() ? null : take(ready.iterator().next());
  }

  private @Nullable Timer take(InstanceId instance) {
    var queue = queues.get(instance);
    var timer = queue == null ? null : queue.timers.poll();
    waiting -= timer == null ? 0 : 1;
    settle(instance);
    return timer;
  }

  /** The timer that was to be read is fired with this payload, or {@link #over}. */
  void wasRead(Timer timer) {
    loop.check();
    long size = DeferredPayload.heapBytes(timer.payload());
    fired.put(timer.id(), size);
    bytes += size;
    reading = null;
    queues.computeIfAbsent(timer.instanceId(), _ -> new Queue()).firing = true;
    settle(timer.instanceId());
  }

  /** It could not be read. Returns those behind it, if they are to be given up with it. */
  List<Timer> wasNotRead(Timer timer, boolean givesUp) {
    loop.check();
    reading = null;
    var queue = queues.get(timer.instanceId());
    List<Timer> behind = queue == null || !givesUp ? List.of() : List.copyOf(queue.timers);
    if (queue != null && givesUp) {
      waiting -= behind.size();
      queue.timers.clear();
    }
    settle(timer.instanceId());
    return behind;
  }

  /** A timer was fired, whether its payload was read or not. */
  void over(Timer timer) {
    loop.check();
    var size = fired.remove(timer.id());
    var queue = queues.get(timer.instanceId());
    if (size == null || queue == null) {
      return;
    }
    bytes -= size;
    queue.firing = false;
    settle(timer.instanceId());
  }

  private void settle(InstanceId instance) {
    var queue = queues.get(instance);
    var next = queue == null || instance.equals(reading) ? null : queue.timers.peek();
    boolean large = next != null && DeferredPayload.isIn(next);
    keep(toRead, instance, large && queue != null && !queue.firing);
    keep(ready, instance, next != null && !large);
    if (queue != null && queue.timers.isEmpty() && !queue.firing && !instance.equals(reading)) {
      queues.remove(instance);
    }
  }

  /** An element that is in the set already keeps its place. */
  private static void keep(Set<InstanceId> set, InstanceId instance, boolean there) {
    if (there) {
      set.add(instance);
    } else {
      set.remove(instance);
    }
  }
}
