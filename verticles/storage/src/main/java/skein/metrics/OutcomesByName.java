package skein.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import skein.model.WorkflowStatus;

/**
 * Outcomes of instances by the name of their definition, or of their tenant: of the first names
 * that a node meets, so that their number is bounded. Thread-safe.
 */
public final class OutcomesByName {
  /** Counts all names for which there was no more room. */
  public static final String OTHERS = "_others";

  private final int max;
  private final Map<String, OfName> names = new ConcurrentHashMap<>();
  private final OfName others = new OfName();

  /** Counters of the instances of one name. */
  private static final class OfName {
    private final LongAdder started = new LongAdder();
    private final Map<WorkflowStatus, LongAdder> finished = new EnumMap<>(WorkflowStatus.class);

    OfName() {
      for (var status : WorkflowStatus.values()) {
        if (status.finished()) {
          finished.put(status, new LongAdder());
        }
      }
    }
  }

  /** {@code max}: names that are counted by themselves. */
  public OutcomesByName(int max) {
    this.max = max;
  }

  void started(String name) {
    of(name).started.increment();
  }

  void finished(String name, WorkflowStatus status) {
    Objects.requireNonNull(of(name).finished.get(status)).increment();
  }

  private OfName of(String name) {
    var known = names.get(name);
    return known != null ? known : add(name);
  }

  private synchronized OfName add(String name) {
    return names.size() >= max
        ? names.getOrDefault(name, others)
        : names.computeIfAbsent(name, _ -> new OfName());
  }

  /** Instances that were started, by name; {@link #OTHERS} is always among them. */
  public Map<String, Long> started() {
    var counts = new TreeMap<String, Long>();
    all().forEach((id, metrics) -> counts.put(id, metrics.started.sum()));
    return counts;
  }

  /** Instances that ended, by name and status. */
  public Map<String, Map<WorkflowStatus, Long>> finished() {
    var counts = new TreeMap<String, Map<WorkflowStatus, Long>>();
    all()
        .forEach((id, metrics) -> {
          var sums = new EnumMap<WorkflowStatus, Long>(WorkflowStatus.class);
          metrics.finished.forEach((status, adder) -> sums.put(status, adder.sum()));
          counts.put(id, sums);
        });
    return counts;
  }

  private Map<String, OfName> all() {
    var all = new TreeMap<>(names);
    all.put(OTHERS, others);
    return all;
  }
}
