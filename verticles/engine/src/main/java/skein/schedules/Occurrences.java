package skein.schedules;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Instants in ascending order, from a rule; whole milliseconds. */
@FunctionalInterface
interface Occurrences {
  /** The first after an instant; null when there is none. */
  @Nullable Instant after(Instant instant);

  /** The latest that is not after an instant, from one that is not. */
  default Instant latest(Instant from, Instant until) {
    var low = from;
    var high = until;
    while (true) {
      var next = after(low);
      if (next == null || next.isAfter(until)) {
        return low;
      }
      low = next;
      var middle = low.plusMillis(Math.max(0, high.toEpochMilli() - low.toEpochMilli()) / 2);
      var beyond = after(middle);
      if (beyond != null && !beyond.isAfter(until)) {
        low = beyond;
      } else {
        high = middle;
      }
    }
  }

  /** How many there are from one on, before an instant; counts no further than that. */
  default int count(Instant from, Instant before, int max) {
    int count = 0;
    for (var at = from; count < max && at != null && at.isBefore(before); at = after(at)) {
      count++;
    }
    return count;
  }
}
