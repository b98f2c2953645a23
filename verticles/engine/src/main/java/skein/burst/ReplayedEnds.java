package skein.burst;

import java.util.HashSet;
import java.util.Set;

/** The executions that repeated calls have ended; the next entries must confirm each. */
final class ReplayedEnds {
  private final Set<Integer> completed = new HashSet<>();
  private final Set<Integer> canceled = new HashSet<>();

  void complete(Execution execution) {
    completed.add(execution.number);
  }

  boolean hasCompleted(Execution execution) {
    return completed.contains(execution.number);
  }

  /** It is no child of its parent any more. */
  void cancel(int execution) {
    canceled.add(execution);
  }

  boolean hasCanceled(int execution) {
    return canceled.contains(execution);
  }

  /** The journal says so. */
  void confirm(Execution execution) {
    completed.remove(execution.number);
    canceled.remove(execution.number);
  }

  /** Whether the journal does not say it. */
  boolean isMissing(Execution execution) {
    return hasCompleted(execution) || hasCanceled(execution.number);
  }
}
