package skein.metrics;

import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** Requests that the HTTP servers of a node answered, by status. Thread-safe. */
public final class HttpMetrics {
  private static final int STATUS_MAX = 599;

  private final LongAdder[] answered = new LongAdder[STATUS_MAX + 1];
  private final LongAdder refusedTokens = new LongAdder();
  private final LongAdder inFlight = new LongAdder();
  private final LongAdder limited = new LongAdder();
  private final JobMetrics jobs = new JobMetrics();

  public HttpMetrics() {
    Arrays.setAll(answered, _ -> new LongAdder());
  }

  /** A status that HTTP does not know is not counted. */
  public void answered(int status) {
    answered[status < 0 || status > STATUS_MAX ? 0 : status].increment();
  }

  /** Resume tokens that were refused, of all callers. */
  public LongAdder refusedTokens() {
    return refusedTokens;
  }

  /** Requests refused because their caller asked too often. */
  public LongAdder limited() {
    return limited;
  }

  /** Requests without an answer so far. */
  public LongAdder inFlight() {
    return inFlight;
  }

  public JobMetrics jobs() {
    return jobs;
  }

  /** How many were answered so; statuses of none are left out. */
  public SortedMap<Integer, Long> byStatus() {
    var found = new TreeMap<Integer, Long>();
    for (int status = 1; status <= STATUS_MAX; status++) {
      long count = answered[status].sum();
      if (count > 0) {
        found.put(status, count);
      }
    }
    return found;
  }
}
