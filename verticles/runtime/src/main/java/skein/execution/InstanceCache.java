package skein.execution;

import java.util.LinkedHashMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.loop.EventLoop;
import skein.model.InstanceId;
import skein.storage.NamedState;
import skein.storage.Proposal;

/**
 * The states this lane committed last, as many as there is room for. A copy may be out of date: the
 * commit finds that out, and a refusal is never based on a copy alone. Confined to one event loop.
 */
final class InstanceCache {
  /** One state takes such a part of the room at most: it does not push out all others. */
  static final int PART_MIN = 64;

  private record Kept(NamedState state, CommandHistory history, long heapBytes) {}

  private final EventLoop loop;
  private final ExecutionOptions.Copies bounds;
  private final LinkedHashMap<InstanceId, Kept> instances = new LinkedHashMap<>(16, 0.75f, true);
  private long heapBytes;

  InstanceCache(EventLoop loop, ExecutionOptions.Copies bounds) {
    this.loop = loop;
    this.bounds = bounds;
  }

  @Nullable NamedState get(InstanceId id) {
    loop.check();
    var kept = instances.get(id);
    return kept == null ? null : kept.state();
  }

  /** Whether there is a copy that a command certainly is no part of: see {@link CommandHistory}. */
  boolean hasWithout(InstanceId id, UUID command) {
    loop.check();
    var kept = instances.get(id);
    return kept != null && kept.history().lacks(command);
  }

  /**
   * Keeps what may be needed again: a finished instance will not be. A large state is read again.
   *
   * @param committed makes the state
   * @param stateHeapBytes about what the state takes in memory
   */
  void put(Proposal committed, long stateHeapBytes) {
    loop.check();
    var state = committed.state();
    var instance = state.instance();
    if (instance.status().finished() || stateHeapBytes > bounds.heapBytesMax() / PART_MIN) {
      remove(instance.id());
      return;
    }
    var history = history(committed);
    long bytes = stateHeapBytes + history.heapBytes();
    var before = instances.put(instance.id(), new Kept(state, history, bytes));
    heapBytes += bytes - (before == null ? 0 : before.heapBytes());
    var oldest = instances.values().iterator();
    while (instances.size() > bounds.instancesMax() || heapBytes > bounds.heapBytesMax()) {
      heapBytes -= oldest.next().heapBytes();
      oldest.remove();
    }
  }

  private CommandHistory history(Proposal committed) {
    var command = committed.transition().commitId();
    if (committed.startsFrom(null)) {
      return CommandHistory.of(command);
    }
    var before = instances.get(committed.state().instance().id());
    return before != null && committed.startsFrom(before.state())
        ? before.history().plus(command)
        : CommandHistory.UNKNOWN;
  }

  void remove(InstanceId id) {
    loop.check();
    var gone = instances.remove(id);
    if (gone != null) {
      heapBytes -= gone.heapBytes();
    }
  }

  void clear() {
    loop.check();
    instances.clear();
    heapBytes = 0;
  }
}
