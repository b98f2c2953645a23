package skein.metrics;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** Counters of work outside, by its kind: requests, mails, statements. Thread-safe. */
public final class WorkMetrics {
  /** How a piece of work ended. */
  public enum Outcome {
    /** It was done. */
    DONE,
    /** The other side says, or its silence does, that another attempt may succeed. */
    TRANSIENT,
    /** No answer came in time. */
    TIMEOUT,
    /** It could not be done and will not succeed later. */
    FAILED;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Map<String, OfKind> kinds = new ConcurrentSkipListMap<>();

  /** Counters of one kind of work. */
  private static final class OfKind {
    private final Map<Outcome, LongAdder> outcomes = new EnumMap<>(Outcome.class);
    private final Durations durations = new Durations();

    OfKind() {
      for (var outcome : Outcome.values()) {
        outcomes.put(outcome, new LongAdder());
      }
    }
  }

  /** All kinds are shown from the beginning, with 0. */
  public void knows(String kind) {
    kinds.putIfAbsent(kind, new OfKind());
  }

  /** {@code since}: when it began, by {@link System#nanoTime}. */
  public void ended(String kind, Outcome outcome, long since) {
    var ofKind = kinds.computeIfAbsent(kind, _ -> new OfKind());
    Objects.requireNonNull(ofKind.outcomes.get(outcome)).increment();
    ofKind.durations.since(since);
  }

  /** How often each outcome of each kind was seen. */
  public Map<String, Map<Outcome, Long>> counts() {
    var counts = new TreeMap<String, Map<Outcome, Long>>();
    kinds.forEach((kind, ofKind) -> {
      var sums = new EnumMap<Outcome, Long>(Outcome.class);
      ofKind.outcomes.forEach((outcome, adder) -> sums.put(outcome, adder.sum()));
      counts.put(kind, sums);
    });
    return counts;
  }

  /** From the beginning of a piece of work to its end, by kind. */
  public Map<String, Durations> durations() {
    var durations = new TreeMap<String, Durations>();
    kinds.forEach((kind, ofKind) -> durations.put(kind, ofKind.durations));
    return durations;
  }
}
