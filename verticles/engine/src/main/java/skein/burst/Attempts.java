package skein.burst;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;
import skein.activities.Resumption;
import skein.activities.Wait;
import skein.activities.WorkOrder;
import skein.activities.WorkResult;
import skein.model.Bookmark;
import skein.model.Effect;

/**
 * Retries, timeouts and work outside: whatever the engine itself waits for on behalf of an
 * execution. Each is a bookmark with an instant, so that it outlives the node.
 *
 * <p>An attempt is counted by the commit that makes its bookmark, before it begins. A node that an
 * attempt kills has therefore counted it.
 */
final class Attempts {
  static final String RETRY = Bookmark.RETRY;
  static final String TIMEOUT = "$timeout";
  static final String WORK = "$work";

  private static final String ATTEMPT = "$attempt";
  private static final String LOST = "$lost";

  /**
   * What was completed must still be undone, a handler still stands for another activity, and ids
   * of children must not be given twice.
   */
  private static final Set<String> OUTLIVES_AN_ATTEMPT =
      Set.of(Undo.LIST, Faults.INSTEAD, Children.STARTED);

  private final Run run;

  Attempts(Run run) {
    this.run = run;
  }

  /** Rests and tries again, if the definition wants that and an attempt is left. */
  boolean retryLater(Execution execution, Failure failure) {
    var policy = execution.node.policy().retry();
    int attempt = count(execution, ATTEMPT, 1);
    if (policy == null || attempt >= policy.attemptsMax() || !execution.running()) {
      return false;
    }
    run.cancelChildren(execution);
    run.bookmarks.burnAll(execution);
    execution.memory.keySet().retainAll(OUTLIVES_AN_ATTEMPT);
    execution.memory.put(ATTEMPT, attempt + 1L);
    run.executions.declareAgain(execution);
    double random = (run.random() >>> 11) * 0x1p-53;
    wait(execution, RETRY, "Skein.Retry", policy.delayAfter(attempt, random), attempt + 1);
    run.journal.add(
        execution,
        "Retrying",
        "Attempt %d of %d failed: %s".formatted(attempt, policy.attemptsMax(), failure.message()));
    return true;
  }

  /** Sees to it that the attempt that begins now does not take for ever. */
  void limit(Execution execution) {
    var timeout = execution.node.policy().timeout();
    if (timeout != null) {
      wait(execution, TIMEOUT, "Skein.Timeout", timeout, count(execution, ATTEMPT, 1));
    }
  }

  void perform(Execution execution, WorkOrder order) {
    execution.memory.put(
        WorkOrder.KEPT,
        Map.of(
            "kind",
            order.kind(),
            "request",
            order.request(),
            "timeout",
            order.timeout().toMillis()));
    execution.memory.remove(LOST);
    issue(execution);
  }

  /** The bookmark falls due when nobody renews it: then its node is gone and the work is too. */
  private void issue(Execution execution) {
    var order = Json.object(execution.memory.get(WorkOrder.KEPT));
    if (order == null
        || !(order.get("timeout") instanceof Number millis)
        || !(order.get("kind") instanceof String kind)) {
      throw new IllegalStateException("No order is kept with " + execution.node);
    }
    int attempt = count(execution, ATTEMPT, 1) + count(execution, LOST, 0);
    var bookmark = wait(execution, WORK, "Skein.Work", run.limits().work().lease(), attempt);
    var request = Json.object(order.get("request"));
    run.effects.add(
        new Effect.Work(
            bookmark.id(),
            kind,
            request == null ? Map.of() : request,
            Duration.ofMillis(millis.longValue()),
            run.id() + ":" + execution.number,
            attempt));
  }

  /** {@code input}: of a {@link WorkResult}; null when the node that worked on it is gone. */
  void worked(Execution execution, @Nullable Map<String, @Nullable Object> input) {
    run.leaveToNodesThatKnow(execution.node);
    var result = input == null ? null : WorkResult.read(input);
    if (input == null || result == null) {
      lost(execution);
      return;
    }
    if (result.passing() && retryLater(execution, failure(result))) {
      return;
    }
    execution.memory.remove(WorkOrder.KEPT);
    execution.memory.remove(LOST);
    run.guarded(
        execution,
        context -> {
          run.journal.add(execution, Journal.RESUMED, null);
          execution.node.activity().resume(context, new Resumption(WORK, input));
        });
  }

  private static Failure failure(WorkResult result) {
    return switch (result) {
      case WorkResult.Done(var value, _) ->
          new Failure("PassingFailure", null, "the answer was " + value.get("statusCode"));
      case WorkResult.Failed(var type, var message, _) -> new Failure(type, null, message);
    };
  }

  private void lost(Execution execution) {
    int lost = count(execution, LOST, 0) + 1;
    if (lost >= run.limits().work().lostMax()) {
      run.faults.failed(
          execution,
          new Failure(
              "WorkLost", null, lost + " nodes have not come back from the work of this activity"));
      return;
    }
    execution.memory.put(LOST, (long) lost);
    run.journal.add(execution, "Retrying", "The node that worked on it did not come back");
    issue(execution);
  }

  private Bookmark wait(Execution execution, String tag, String name, Duration rest, int attempt) {
    var payload = Map.<String, Object>of("attempt", (long) attempt);
    var wait = Wait.until(run.in().now().plus(rest), name, payload, execution.number);
    return run.bookmarks.make(
        execution, new Wait(wait.name(), wait.hash(), wait.payload(), wait.dueAt(), tag));
  }

  private static int count(Execution execution, String key, int fallback) {
    return execution.memory.get(key) instanceof Number number ? number.intValue() : fallback;
  }
}
