package skein.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import skein.model.WorkflowStatus;

/**
 * Outcomes of instances by definition: of the first definitions that a node meets, so that the
 * number of names is bounded. Thread-safe.
 */
public final class DefinitionMetrics {
  /** The name that counts all definitions for which there was no more room. */
  public static final String OTHERS = "_others";

  private final int max;
  private final Map<String, OfDefinition> definitions = new ConcurrentHashMap<>();
  private final OfDefinition others = new OfDefinition();

  /** Counters of the instances of one definition. */
  private static final class OfDefinition {
    private final LongAdder started = new LongAdder();
    private final Map<WorkflowStatus, LongAdder> finished = new EnumMap<>(WorkflowStatus.class);

    OfDefinition() {
      for (var status : WorkflowStatus.values()) {
        if (status.finished()) {
          finished.put(status, new LongAdder());
        }
      }
    }
  }

  /** {@code max}: definitions that are counted by themselves. */
  public DefinitionMetrics(int max) {
    this.max = max;
  }

  void started(String definitionId) {
    of(definitionId).started.increment();
  }

  void finished(String definitionId, WorkflowStatus status) {
    Objects.requireNonNull(of(definitionId).finished.get(status)).increment();
  }

  private OfDefinition of(String definitionId) {
    var known = definitions.get(definitionId);
    return known != null ? known : add(definitionId);
  }

  private synchronized OfDefinition add(String definitionId) {
    return definitions.size() >= max
        ? definitions.getOrDefault(definitionId, others)
        : definitions.computeIfAbsent(definitionId, _ -> new OfDefinition());
  }

  /** Instances that were started, by definition; {@link #OTHERS} is always among them. */
  public Map<String, Long> started() {
    var counts = new TreeMap<String, Long>();
    all().forEach((id, metrics) -> counts.put(id, metrics.started.sum()));
    return counts;
  }

  /** Instances that ended, by definition and status. */
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

  private Map<String, OfDefinition> all() {
    var all = new TreeMap<>(definitions);
    all.put(OTHERS, others);
    return all;
  }
}
