package skein.metrics;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/** How many values lie below each of some bounds, and their sum. Thread-safe. */
public final class Distribution {
  private final long[] bounds;
  private final LongAdder[] counts;
  private final LongAdder sum = new LongAdder();

  /** {@code bounds}: inclusive, ascending; values above the last are counted too. */
  public Distribution(long... bounds) {
    this.bounds = bounds.clone();
    this.counts = new LongAdder[bounds.length + 1];
    Arrays.setAll(counts, _ -> new LongAdder());
  }

  public void add(long value) {
    int i = 0;
    while (i < bounds.length && value > bounds[i]) {
      i++;
    }
    counts[i].increment();
    sum.add(value);
  }

  public long[] bounds() {
    return bounds.clone();
  }

  /** Values in each part, not summed up; the last part is above all bounds. */
  public long[] counts() {
    return Arrays.stream(counts).mapToLong(LongAdder::sum).toArray();
  }

  public long sum() {
    return sum.sum();
  }
}
