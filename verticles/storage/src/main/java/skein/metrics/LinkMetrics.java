package skein.metrics;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How long other nodes take to answer this one, by their names. Thread-safe. */
public final class LinkMetrics {
  private final Map<String, OfNode> nodes = new ConcurrentHashMap<>();

  /** Counters of the link to one node. */
  private record OfNode(Durations roundTrips, LongAdder lost) {}

  /** Those that are members now; what was counted of others is forgotten. */
  public void knows(Collection<String> names) {
    nodes.keySet().retainAll(names);
    names.forEach(this::of);
  }

  private OfNode of(String name) {
    return nodes.computeIfAbsent(name, _ -> new OfNode(new Durations(), new LongAdder()));
  }

  /** {@code since}: when it was asked, by {@link System#nanoTime}. */
  public void answered(String name, long since) {
    of(name).roundTrips().since(since);
  }

  /** No answer came in time. */
  public void lost(String name) {
    of(name).lost().increment();
  }

  public Map<String, Durations> roundTrips() {
    var found = new TreeMap<String, Durations>();
    nodes.forEach((name, node) -> found.put(name, node.roundTrips()));
    return found;
  }

  public Map<String, Long> lost() {
    var found = new TreeMap<String, Long>();
    nodes.forEach((name, node) -> found.put(name, node.lost().sum()));
    return found;
  }
}
