package skein.execution;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.loop.EventLoop;
import skein.model.InstanceId;
import skein.storage.NamedState;

/**
 * The states this lane committed or read last. A copy may be out of date: the commit finds that
 * out, and a refusal is never based on a copy alone. Confined to one event loop.
 */
final class InstanceCache {
  private final EventLoop loop;
  private final Map<InstanceId, NamedState> instances;

  InstanceCache(EventLoop loop, int max) {
    this.loop = loop;
    this.instances =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<InstanceId, NamedState> eldest) {
            return size() > max;
          }
        };
  }

  @Nullable NamedState get(InstanceId id) {
    loop.check();
    return instances.get(id);
  }

  /** Keeps what may be needed again: a finished instance will not be. */
  void put(NamedState state) {
    loop.check();
    var instance = state.instance();
    if (instance.status().finished()) {
      instances.remove(instance.id());
    } else {
      instances.put(instance.id(), state);
    }
  }

  void remove(InstanceId id) {
    loop.check();
    instances.remove(id);
  }

  void clear() {
    loop.check();
    instances.clear();
  }
}
