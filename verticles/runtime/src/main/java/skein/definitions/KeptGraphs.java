package skein.definitions;

import java.util.LinkedHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import skein.graph.Graph;

/**
 * Compiled versions, by their ids, as many as there is room for; the least recently used go first,
 * and the last one stays however large it is. Not thread-safe.
 */
final class KeptGraphs {
  /** {@code heapBytes}: about what it takes in memory. */
  record Sized(Graph graph, long heapBytes) {}

  private final int max;
  private final long heapBytesMax;
  private final LinkedHashMap<String, Sized> graphs = new LinkedHashMap<>(16, 0.75f, true);
  private long heapBytes;

  KeptGraphs(int max, long heapBytesMax) {
    this.max = max;
    this.heapBytesMax = heapBytesMax;
  }

  @Nullable Graph get(String versionId) {
    var kept = graphs.get(versionId);
    return kept == null ? null : kept.graph();
  }

  void put(Sized next) {
    var before = graphs.put(next.graph().ref().versionId(), next);
    heapBytes += next.heapBytes() - (before == null ? 0 : before.heapBytes());
    var oldest = graphs.values().iterator();
    while (graphs.size() > 1 && (graphs.size() > max || heapBytes > heapBytesMax)) {
      heapBytes -= oldest.next().heapBytes();
      oldest.remove();
    }
  }

  void removeIf(Predicate<Graph> condition) {
    graphs
        .values()
        .removeIf(kept -> {
          boolean gone = condition.test(kept.graph());
          heapBytes -= gone ? kept.heapBytes() : 0;
          return gone;
        });
  }

  void clear() {
    graphs.clear();
    heapBytes = 0;
  }
}
