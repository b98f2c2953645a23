package skein.timers;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import skein.loop.EventLoop;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.storage.DeferredPayload;
import skein.storage.TimerOwner;

/**
 * The due timers of a shard whose payloads must be read before they are fired, and those of the
 * same instances that are due after them. Several payloads are read together while the {@link
 * PayloadBudget} has memory for them: tenants and their definitions take turns, and there is one of
 * each instance, so that an instance which is slow keeps no other waiting. Timers of one instance
 * keep their order; those of others pass by. Confined to one event loop.
 */
final class LargePayloads {
  private final EventLoop loop;
  private final PayloadBudget.Share budget;
  private final int batchMax;
  private final Map<InstanceId, Queue> queues = new HashMap<>();

  /** The next timer of each instance whose payload may be read. */
  private final DefinitionTurns toRead = new DefinitionTurns();

  /** Instances whose next timer was waiting behind one that was read. */
  private final LinkedHashSet<InstanceId> ready = new LinkedHashSet<>();

  /** The size of each payload that is being fired, by timer. */
  private final Map<String, Long> fired = new HashMap<>();

  /** How often a payload could not be read, by timer; such a one is read alone. */
  private final Map<String, Integer> failures = new HashMap<>();

  private int waiting;
  private int reading;

  /** Bytes for those that are read now, or next. */
  private long granted;

  /** Bytes of those that were read of the present batch. */
  private long taken;

  private enum State {
    IDLE,
    READING,
    /** Its first timer is read again after a while. */
    RESTING,
    /** One whose payload was read. */
    FIRING
  }

  private static final class Queue {
    private final TimerOwner owner;
    private final TreeSet<Timer> timers = new TreeSet<>(DefinitionTurns.BY_DUE_TIME);
    private State state = State.IDLE;
    private @Nullable Timer toRead;

    Queue(TimerOwner owner) {
      this.owner = owner;
    }

    boolean isHeld() {
      return state == State.READING || state == State.RESTING;
    }
  }

  /** {@code batchMax}: payloads that are read together. */
  LargePayloads(EventLoop loop, PayloadBudget.Share budget, int batchMax) {
    this.loop = loop;
    this.budget = budget;
    this.batchMax = batchMax;
  }

  /** Whether a timer that is due cannot be fired as it is. */
  boolean mustWait(Timer timer) {
    loop.check();
    var queue = queues.get(timer.instanceId());
    return DeferredPayload.isIn(timer)
        || (queue != null && (queue.isHeld() || !queue.timers.isEmpty()));
  }

  void add(Timer timer, TimerOwner owner) {
    loop.check();
    add(queues.computeIfAbsent(timer.instanceId(), _ -> new Queue(owner)), timer);
    settle(timer.instanceId());
  }

  private void add(Queue queue, Timer timer) {
    waiting += queue.timers.add(timer) ? 1 : 0;
  }

  /** The timers that wait. */
  int size() {
    loop.check();
    return waiting;
  }

  /** Those of them whose payloads may be read. */
  int toReadSize() {
    loop.check();
    return toRead.size();
  }

  /** Timers whose payloads are being read, or were and are being fired. */
  int inFlight() {
    loop.check();
    return reading + fired.size();
  }

  boolean isReading() {
    loop.check();
    return reading > 0;
  }

  /** Whether payloads may be read now. If only memory is wanting, it is waited for. */
  boolean mayRead() {
    loop.check();
    if (reading > 0) {
      return false;
    }
    if (toRead.size() == 0) {
      pause();
      return false;
    }
    if (granted == 0) {
      granted = budget.take();
    }
    return granted > 0;
  }

  /**
   * The next ones to be read together: each of them {@link #wasRead}, was {@link #notRead}, is
   * {@link #putBack} or {@link #rest}s, and then the reading {@link #readEnds}.
   */
  List<Timer> nextToRead(int max) {
    loop.check();
    if (max <= 0 || !mayRead()) {
      return List.of();
    }
    var batch = new ArrayList<Timer>();
    boolean alone = false;
    while (batch.size() < Math.min(max, batchMax) && !alone) {
      var timer = toRead.next(Instant.MAX);
      alone = timer != null && failures.containsKey(timer.id());
      if (timer == null || (alone && !batch.isEmpty())) {
        break;
      }
      take(timer, State.READING);
      batch.add(timer);
    }
    reading = batch.size();
    return batch;
  }

  /** Bytes of the payloads that are to be read now. */
  long granted() {
    loop.check();
    return granted;
  }

  /** Whether no further payload of those that are being read may be kept. */
  boolean isFull() {
    loop.check();
    return taken >= granted;
  }

  /** The next one that can be fired as it is. */
  @Nullable Timer nextReady() {
    loop.check();
    var queue = ready.isEmpty() ? null : queues.get(ready.getFirst());
    if (queue == null) {
      return null;
    }
    var timer = queue.timers.getFirst();
    take(timer, queue.state);
    return timer;
  }

  private void take(Timer timer, State state) {
    var queue = queues.get(timer.instanceId());
    if (queue != null) {
      waiting -= queue.timers.remove(timer) ? 1 : 0;
      queue.state = state;
      settle(timer.instanceId());
      toRead.goLast(queue.owner);
    }
  }

  /** The timer is fired with this payload, as it is in memory, until it is {@link #over}. */
  void wasRead(Timer timer) {
    loop.check();
    long size = DeferredPayload.heapBytes(timer.payload());
    fired.put(timer.id(), size);
    failures.remove(timer.id());
    taken += size;
    become(timer, State.FIRING);
  }

  /** It waits no longer. */
  void notRead(Timer timer) {
    loop.check();
    failures.remove(timer.id());
    become(timer, State.IDLE);
  }

  /** It waits as before, and its owner's turn is next. */
  void putBack(Timer timer) {
    loop.check();
    putBack(timer, State.IDLE);
    var queue = queues.get(timer.instanceId());
    if (queue != null) {
      toRead.goFirst(queue.owner);
    }
  }

  /** It could not be read, and waits at the head of its instance until it {@link #hasRested}. */
  void rest(Timer timer) {
    loop.check();
    failures.merge(timer.id(), 1, Integer::sum);
    putBack(timer, State.RESTING);
  }

  private void putBack(Timer timer, State state) {
    var queue = queues.get(timer.instanceId());
    if (queue != null) {
      add(queue, timer);
      become(timer, state);
    }
  }

  void hasRested(Timer timer) {
    loop.check();
    become(timer, State.IDLE);
  }

  /** How often it could not be read, since it waits here. */
  int failures(Timer timer) {
    loop.check();
    return failures.getOrDefault(timer.id(), 0);
  }

  private void become(Timer timer, State state) {
    var queue = queues.get(timer.instanceId());
    if (queue != null) {
      queue.state = state;
      settle(timer.instanceId());
    }
  }

  void readEnds() {
    loop.check();
    budget.settle(granted, taken);
    reading = 0;
    granted = 0;
    taken = 0;
  }

  /** A timer was fired, whether its payload was read or not. */
  void over(Timer timer) {
    loop.check();
    var size = fired.remove(timer.id());
    if (size != null) {
      budget.giveBack(size);
      become(timer, State.IDLE);
    }
  }

  /** Nothing is read for the time being: others may have the memory. */
  void pause() {
    loop.check();
    if (reading == 0 && granted > 0) {
      budget.giveBack(granted);
      granted = 0;
    }
    budget.withdraw();
  }

  /** For good. */
  void end() {
    loop.check();
    pause();
    budget.end();
  }

  private void settle(InstanceId instance) {
    var queue = queues.get(instance);
    if (queue == null) {
      return;
    }
    var next = queue.isHeld() || queue.timers.isEmpty() ? null : queue.timers.getFirst();
    boolean large = next != null && DeferredPayload.isIn(next);
    setToRead(queue, large && queue.state == State.IDLE ? next : null);
    if (next != null && !large) {
      ready.add(instance); // One that is there keeps its place.
    } else {
      ready.remove(instance);
    }
    if (queue.timers.isEmpty() && queue.state == State.IDLE) {
      queues.remove(instance);
    }
  }

  private void setToRead(Queue queue, @Nullable Timer next) {
    var before = queue.toRead;
    if (before != null && !before.equals(next)) {
      toRead.remove(queue.owner, before);
    }
    if (next != null) {
      toRead.add(queue.owner, next);
    }
    queue.toRead = next;
  }
}
