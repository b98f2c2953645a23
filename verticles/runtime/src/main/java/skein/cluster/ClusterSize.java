package skein.cluster;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * For how long a node has seen fewer members than it should: fewer than are demanded, or itself
 * alone where there were several. Thread-safe.
 */
public final class ClusterSize {
  private final Cluster cluster;
  private final int min;
  private final Duration grace;
  private final LongSupplier nanoTime;
  private int most;
  private int members;
  private boolean few;
  private long fewSince;

  /**
   * @param min members that are demanded; 1: none but this one
   * @param grace for how long fewer are all right
   * @param nanoTime as {@link System#nanoTime}
   */
  public ClusterSize(Cluster cluster, int min, Duration grace, LongSupplier nanoTime) {
    this.cluster = cluster;
    this.min = min;
    this.grace = grace;
    this.nanoTime = nanoTime;
    look();
    cluster.onChange(this::look);
  }

  private synchronized void look() {
    members = cluster.members().size();
    most = Math.max(most, members);
    boolean now = members < Math.max(min, Math.min(most, 2));
    if (now && !few) {
      fewSince = nanoTime.getAsLong();
    }
    few = now;
  }

  /** A sentence when there have been too few for longer than that; null when there have not. */
  public synchronized @Nullable String trouble() {
    look();
    long nanos = nanoTime.getAsLong() - fewSince;
    if (!few || nanos <= grace.toNanos()) {
      return null;
    }
    var demanded = members < min ? ", cluster.size-min is " + min : "";
    return "This node sees %d %s for %d ms now; it has seen %d%s"
        .formatted(
            members,
            members == 1 ? "member" : "members",
            TimeUnit.NANOSECONDS.toMillis(nanos),
            most,
            demanded);
  }
}
