package skein.faults;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import skein.faults.Operation.Kind;

/**
 * Which kinds of calls are still to meet the fault that is on, so that callers make those first. It
 * only leads; what has met what is decided afterwards, by {@link Coverage}. Thread-safe.
 */
final class Focus {
  /** Each kind of call is wanted so often under each kind of fault. */
  private static final int ENOUGH = 2;

  private static final Set<Kind> KINDS = EnumSet.complementOf(EnumSet.of(Kind.PROBE));

  private final Map<String, Map<Kind, Integer>> met = new HashMap<>();
  private String fault = "";

  /** {@code what}: the kind of the fault. */
  synchronized void begin(String what) {
    fault = what;
  }

  synchronized void end() {
    fault = "";
  }

  /** A call was sent. */
  synchronized void sent(Kind kind) {
    if (!fault.isEmpty()) {
      ofFault().merge(kind, 1, Integer::sum);
    }
  }

  /**
   * One of those that the fault has not met often enough; empty when there is none, or no fault.
   */
  synchronized Optional<Kind> wanted(SplittableRandom random) {
    var missing = missing();
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(missing.get(random.nextInt(missing.size())));
  }

  /** Whether every kind of call has met the fault that is on. */
  synchronized boolean isComplete() {
    return missing().isEmpty();
  }

  /** What the fault that is on has not met often enough. */
  synchronized List<Kind> missing() {
    return fault.isEmpty()
        ? List.of()
        : KINDS.stream().filter(kind -> ofFault().getOrDefault(kind, 0) < ENOUGH).toList();
  }

  private Map<Kind, Integer> ofFault() {
    return met.computeIfAbsent(fault, _ -> new EnumMap<>(Kind.class));
  }
}
