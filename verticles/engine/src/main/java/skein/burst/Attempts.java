package skein.burst;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import skein.activities.Wait;
import skein.activities.WorkOrder;
import skein.model.Bookmark;

/**
 * Counts the attempts of an execution, makes another one after a failure, and limits how long each
 * may take. The wait in between is a bookmark with an instant, so that it outlives the node.
 *
 * <p>An attempt is counted by the commit that makes its bookmark, before it begins. A node that an
 * attempt kills has therefore counted it.
 */
final class Attempts {
  static final String RETRY = Bookmark.RETRY;
  static final String TIMEOUT = Bookmark.TIMEOUT;

  /** An event of the journal. */
  static final String RETRYING = "Retrying";

  private static final String ATTEMPT = "$attempt";
  private static final String LOST = "$lost";

  /**
   * What was completed must still be undone, a handler still stands for another activity, ids of
   * children must not be given twice, an instance has the same ancestors and number, and nodes that
   * were lost stay lost.
   */
  private static final Set<String> OUTLIVES_AN_ATTEMPT =
      Set.of(
          Undo.LIST,
          FaultHandlers.INSTEAD,
          Children.STARTED,
          Children.NUMBER,
          Children.ABOVE,
          Children.CAUSES,
          LOST);

  private final RunState state;
  private final Lifecycle lifecycle;

  Attempts(RunState state, Lifecycle lifecycle) {
    this.state = state;
    this.lifecycle = lifecycle;
  }

  /** Rests and tries again, if the definition wants that and an attempt is left. */
  boolean retryLater(Execution execution, Failure failure) {
    var policy = execution.node.policy().retry();
    int attempt = count(execution, ATTEMPT, 1);
    if (policy == null
        || attempt >= policy.attemptsMax()
        || !execution.running()
        || hasLostNodes(execution)) {
      return false;
    }
    lifecycle.cancelChildren(execution);
    state.bookmarks.burnAll(execution);
    execution.memory.keySet().retainAll(OUTLIVES_AN_ATTEMPT);
    execution.memory.put(ATTEMPT, attempt + 1L);
    state.executions.declareAgain(execution);
    double random = (state.random() >>> 11) * 0x1p-53;
    var rest = ShortWaits.betweenAttempts(policy, attempt, random);
    wait(execution, RETRY, "Skein.Retry", rest, attempt + 1);
    state.journal.add(
        execution,
        RETRYING,
        "Attempt %d of %d failed: %s".formatted(attempt, policy.attemptsMax(), failure.message()));
    return true;
  }

  /** As many as may be: another attempt would take another node. */
  private boolean hasLostNodes(Execution execution) {
    return execution.memory.containsKey(WorkOrder.KEPT)
        && count(execution, LOST, 0) >= state.limits.work().lostMax();
  }

  /** Sees to it that the attempt that begins now does not take for ever. */
  void limit(Execution execution) {
    var timeout = execution.node.policy().timeout();
    if (timeout != null) {
      wait(execution, TIMEOUT, "Skein.Timeout", timeout, count(execution, ATTEMPT, 1));
    }
  }

  /** The number of the attempt under way, counting those lost with their node or worker. */
  int number(Execution execution) {
    return count(execution, ATTEMPT, 1) + count(execution, LOST, 0);
  }

  /** Another one was lost; returns how many were, one after another. */
  int countLost(Execution execution) {
    int lost = count(execution, LOST, 0) + 1;
    execution.memory.put(LOST, (long) lost);
    return lost;
  }

  /** Lost attempts are forgotten: one has had a result, or an operator begins again. */
  void forgetLost(Execution execution) {
    execution.memory.remove(LOST);
  }

  /** Makes the bookmark of an attempt, which falls due after the rest. */
  Bookmark wait(Execution execution, String tag, String name, Duration rest, int attempt) {
    var payload = Map.<String, Object>of("attempt", (long) attempt);
    var wait = Wait.until(state.in.now().plus(rest), name, payload, execution.number).tagged(tag);
    return state.bookmarks.make(execution, state.shortWaits.paced(wait));
  }

  private static int count(Execution execution, String key, int fallback) {
    return execution.memory.get(key) instanceof Number number ? number.intValue() : fallback;
  }
}
