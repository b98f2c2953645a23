package skein.metrics;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import skein.model.WorkflowStatus;

/** Counters of rows that a node deleted because of their age. Thread-safe. */
public final class RetentionMetrics {
  /** The kinds of deleted rows beside instances. */
  public enum Kind {
    /** Partitions of the journal. */
    JOURNAL_DAYS,
    AUDIT_LINES,
    /** Plans of alterations, and their jobs. */
    ALTERATIONS;

    /** As it is shown. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Map<WorkflowStatus, LongAdder> instances = new EnumMap<>(WorkflowStatus.class);
  private final Map<Kind, LongAdder> rest = new EnumMap<>(Kind.class);
  private final LongAdder skipped = new LongAdder();
  private final LongAdder passes = new LongAdder();
  private volatile long passMillis;
  private volatile boolean active;

  public RetentionMetrics() {
    for (var status : WorkflowStatus.values()) {
      if (status.finished()) {
        instances.put(status, new LongAdder());
      }
    }
    for (var kind : Kind.values()) {
      rest.put(kind, new LongAdder());
    }
  }

  /** An instance that had ended is deleted. */
  public void deleted(WorkflowStatus status) {
    add(instances.get(status), 1);
  }

  public void deleted(Kind kind, long count) {
    add(rest.get(kind), count);
  }

  private static void add(@Nullable LongAdder adder, long count) {
    if (adder != null) {
      adder.add(count);
    }
  }

  /** An instance could not be deleted in time. */
  public LongAdder skipped() {
    return skipped;
  }

  public void passed(long millis) {
    passMillis = millis;
    passes.increment();
  }

  /** Whether this node makes the passes. */
  public void active(boolean now) {
    active = now;
  }

  public boolean active() {
    return active;
  }

  /** Instances that were deleted, by status. */
  public Map<String, Long> instances() {
    var counts = new LinkedHashMap<String, Long>();
    instances.forEach((status, count) -> counts.put(status.name(), count.sum()));
    return counts;
  }

  /** Other deleted rows, by kind. */
  public Map<String, Long> rest() {
    var counts = new LinkedHashMap<String, Long>();
    rest.forEach((kind, count) -> counts.put(kind.label(), count.sum()));
    return counts;
  }

  public LongAdder passes() {
    return passes;
  }

  public long passMillis() {
    return passMillis;
  }
}
