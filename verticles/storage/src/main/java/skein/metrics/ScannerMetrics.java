package skein.metrics;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of the scanner of a node, by the names of the invariants. The results of a pass are
 * shown only by the node that scans. Thread-safe.
 */
public final class ScannerMetrics {
  private final Map<String, LongAdder> found = new ConcurrentSkipListMap<>();
  private final Map<String, LongAdder> repaired = new ConcurrentSkipListMap<>();
  private final LongAdder passes = new LongAdder();
  private volatile Map<String, Long> open = Map.of();
  private volatile Seen seen = Seen.NOTHING;
  private volatile boolean active;

  /**
   * What one pass saw.
   *
   * @param overdue timers past the bound: {@code postponed} or {@code unattended}
   */
  public record Seen(Map<String, Long> overdue, long millis) {
    public static final Seen NOTHING = new Seen(Map.of(), 0);

    public Seen {
      overdue = Map.copyOf(overdue);
    }
  }

  /** All invariants are shown from the beginning, with 0. */
  public void knows(String invariant) {
    found.putIfAbsent(invariant, new LongAdder());
    repaired.putIfAbsent(invariant, new LongAdder());
  }

  /** A violation that was not known before. */
  public void found(String invariant) {
    found.computeIfAbsent(invariant, _ -> new LongAdder()).increment();
  }

  public void repaired(String invariant) {
    repaired.computeIfAbsent(invariant, _ -> new LongAdder()).increment();
  }

  /** Open violations by invariant; those not named have none. */
  public void opens(Map<String, Long> violations) {
    open = Map.copyOf(violations);
  }

  public void passed(Seen pass) {
    seen = pass;
    passes.increment();
  }

  /** This node begins or ends to scan; earlier results are no longer shown. */
  public void active(boolean now) {
    active = now;
    if (!now) {
      open = Map.of();
      seen = Seen.NOTHING;
    }
  }

  public boolean active() {
    return active;
  }

  public Map<String, Long> open() {
    var counts = new TreeMap<String, Long>();
    if (active) {
      found.keySet().forEach(invariant -> counts.put(invariant, 0L));
      counts.putAll(open);
    }
    return counts;
  }

  public Map<String, Long> found() {
    return sums(found);
  }

  public Map<String, Long> repaired() {
    return sums(repaired);
  }

  private static Map<String, Long> sums(Map<String, LongAdder> adders) {
    var counts = new TreeMap<String, Long>();
    adders.forEach((name, adder) -> counts.put(name, adder.sum()));
    return counts;
  }

  public LongAdder passes() {
    return passes;
  }

  /** Both causes, from the first pass on that this node makes or is to make. */
  public Map<String, Long> overdue() {
    var counts = new TreeMap<String, Long>();
    if (active) {
      counts.put("postponed", 0L);
      counts.put("unattended", 0L);
      counts.putAll(seen.overdue());
    }
    return counts;
  }

  public long passMillis() {
    return seen.millis();
  }
}
