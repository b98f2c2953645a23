package skein.node.bench;

import org.jspecify.annotations.Nullable;

/**
 * Counters at one moment, or their change between two; null where they cannot be read.
 *
 * @param writes transactions that changed something
 * @param allocatedBytes on the heaps of the nodes
 */
record Reading(
    long walBytes,
    long writes,
    double generatorCpuSeconds,
    @Nullable Double nodeCpuSeconds,
    @Nullable Double postgresCpuSeconds,
    @Nullable Long allocatedBytes) {
  static final Reading NOTHING = new Reading(0, 0, 0, 0.0, 0.0, 0L);

  Reading minus(Reading earlier) {
    return combined(earlier, -1);
  }

  Reading plus(Reading other) {
    return combined(other, 1);
  }

  private Reading combined(Reading other, int sign) {
    return new Reading(
        walBytes + sign * other.walBytes,
        writes + sign * other.writes,
        generatorCpuSeconds + sign * other.generatorCpuSeconds,
        sum(nodeCpuSeconds, other.nodeCpuSeconds, sign),
        sum(postgresCpuSeconds, other.postgresCpuSeconds, sign),
        allocatedBytes == null || other.allocatedBytes == null
            ? null
            : allocatedBytes + sign * other.allocatedBytes);
  }

  private static @Nullable Double sum(@Nullable Double a, @Nullable Double b, int sign) {
    return a == null || b == null ? null : a + sign * b;
  }
}
