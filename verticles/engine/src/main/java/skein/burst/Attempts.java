package skein.burst;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.activities.FaultException;
import skein.activities.Json;
import skein.activities.Resumption;
import skein.activities.Wait;
import skein.activities.WorkOrder;
import skein.activities.WorkResult;
import skein.codecs.JsonText;
import skein.model.Bookmark;
import skein.model.Effect;
import skein.model.StimulusHash;

/**
 * Retries, timeouts and work outside: whatever the engine itself waits for on behalf of an
 * execution. Each is a bookmark with an instant, so that it outlives the node.
 *
 * <p>An attempt is counted by the commit that makes its bookmark, before it begins. A node that an
 * attempt kills has therefore counted it.
 */
final class Attempts {
  static final String RETRY = Bookmark.RETRY;
  static final String TIMEOUT = Bookmark.TIMEOUT;
  static final String WORK = "$work";

  private static final String ATTEMPT = "$attempt";
  private static final String LOST = "$lost";

  /**
   * What was completed must still be undone, a handler still stands for another activity, ids of
   * children must not be given twice, and nodes that were lost stay lost.
   */
  private static final Set<String> OUTLIVES_AN_ATTEMPT =
      Set.of(Undo.LIST, Faults.INSTEAD, Children.STARTED, LOST);

  private final Run run;

  Attempts(Run run) {
    this.run = run;
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
    run.cancelChildren(execution);
    run.bookmarks.burnAll(execution);
    execution.memory.keySet().retainAll(OUTLIVES_AN_ATTEMPT);
    execution.memory.put(ATTEMPT, attempt + 1L);
    run.executions.declareAgain(execution);
    double random = (run.random() >>> 11) * 0x1p-53;
    var rest = ShortWaits.betweenAttempts(policy.delayAfter(attempt, random), attempt);
    wait(execution, RETRY, "Skein.Retry", rest, attempt + 1);
    run.journal.add(
        execution,
        "Retrying",
        "Attempt %d of %d failed: %s".formatted(attempt, policy.attemptsMax(), failure.message()));
    return true;
  }

  /** As many as may be: another attempt would take another node. */
  private boolean hasLostNodes(Execution execution) {
    return execution.memory.containsKey(WorkOrder.KEPT)
        && count(execution, LOST, 0) >= run.limits().work().lostMax();
  }

  /** An operator wants to try it again, from the beginning. */
  void forgetLost(Execution execution) {
    execution.memory.remove(LOST);
  }

  /** Sees to it that the attempt that begins now does not take for ever. */
  void limit(Execution execution) {
    var timeout = execution.node.policy().timeout();
    if (timeout != null) {
      wait(execution, TIMEOUT, "Skein.Timeout", timeout, count(execution, ATTEMPT, 1));
    }
  }

  void perform(Execution execution, WorkOrder order) {
    if (order.kind().equals(WorkOrder.JOB)) {
      execution.memory.remove(LOST);
      checkSize(order.request());
      offer(execution, order.request());
      return;
    }
    execution.memory.put(
        WorkOrder.KEPT,
        Map.of(
            "kind",
            order.kind(),
            "request",
            order.request(),
            "timeout",
            order.timeout().toMillis()));
    issue(execution);
  }

  private void checkSize(Map<String, @Nullable Object> request) {
    int max = run.limits().work().jobPayloadCharsMax();
    if (JsonText.print(request).length() > max) {
      throw new FaultException(
          "JobTooLarge", "The payload of the job has more than " + max + " characters as JSON");
    }
  }

  /**
   * Offers a job to the workers outside. The attempt is counted here; a lease makes the timer of
   * the bookmark, which falls due when the worker neither ends the job nor extends its lease.
   *
   * @param request {@code {type, payload}}; kept in the bookmark alone
   */
  private void offer(Execution execution, Map<String, @Nullable Object> request) {
    var payload = new LinkedHashMap<String, @Nullable Object>(request);
    payload.put("attempt", (long) attempt(execution));
    var hash =
        StimulusHash.of(
            Bookmark.JOB, JsonText.canonical(payload), Integer.toString(execution.number));
    @SuppressWarnings("NullAway") // The values may be null, as those of every payload.
    var wait = new Wait(Bookmark.JOB, hash, payload, null, WORK);
    run.usage.mayHold(payload);
    var bookmark = run.bookmarks.make(execution, wait);
    run.effect(new Effect.JobWaiting(bookmark.id(), String.valueOf(request.get("type"))));
  }

  private static int attempt(Execution execution) {
    return count(execution, ATTEMPT, 1) + count(execution, LOST, 0);
  }

  /** The bookmark falls due when nobody renews it: then its node is gone and the work is too. */
  private void issue(Execution execution) {
    var order = Json.object(execution.memory.get(WorkOrder.KEPT));
    if (order == null
        || !(order.get("timeout") instanceof Number millis)
        || !(order.get("kind") instanceof String kind)) {
      throw new IllegalStateException("No order is kept with " + execution.node);
    }
    int attempt = attempt(execution);
    var bookmark = wait(execution, WORK, "Skein.Work", run.limits().work().lease(), attempt);
    var request = Json.object(order.get("request"));
    run.effect(
        new Effect.Work(
            bookmark.id(),
            kind,
            request == null ? Map.of() : request,
            Duration.ofMillis(millis.longValue()),
            run.id() + ":" + execution.number,
            attempt));
  }

  /**
   * @param bookmark at which the result was waited for
   * @param input of a {@link WorkResult}; null when the node or the worker that had it is gone
   */
  void worked(
      Execution execution, Bookmark bookmark, @Nullable Map<String, @Nullable Object> input) {
    run.leaveToNodesThatKnow(execution.node);
    var result = input == null ? null : WorkResult.read(input);
    if (input == null || result == null) {
      lost(execution, bookmark);
      return;
    }
    execution.memory.remove(LOST);
    if (result.passing() && retryLater(execution, failure(result))) {
      return;
    }
    execution.memory.remove(WorkOrder.KEPT);
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

  private void lost(Execution execution, Bookmark bookmark) {
    var limits = run.limits().work();
    int lost = count(execution, LOST, 0) + 1;
    execution.memory.put(LOST, (long) lost);
    if (lost >= (bookmark.isJob() ? limits.jobLeasesLostMax() : limits.lostMax())) {
      var message =
          bookmark.isJob()
              ? lost + " workers have let their lease of this job expire"
              : lost + " nodes have not come back from the work of this activity";
      run.faults.failed(execution, new Failure("WorkLost", null, message));
      return;
    }
    if (bookmark.isJob()) {
      run.journal.add(execution, "Retrying", "The lease of the job expired");
      offer(execution, request(bookmark));
      return;
    }
    run.journal.add(execution, "Retrying", "The node that worked on it did not come back");
    issue(execution);
  }

  private static Map<String, @Nullable Object> request(Bookmark job) {
    var request = Json.object(job.payload());
    if (request == null) {
      throw new IllegalStateException("The job " + job.id() + " has no payload");
    }
    return request;
  }

  private Bookmark wait(Execution execution, String tag, String name, Duration rest, int attempt) {
    var payload = Map.<String, Object>of("attempt", (long) attempt);
    var wait = Wait.until(run.in().now().plus(rest), name, payload, execution.number).tagged(tag);
    return run.bookmarks.make(execution, run.shortWaits.paced(wait));
  }

  private static int count(Execution execution, String key, int fallback) {
    return execution.memory.get(key) instanceof Number number ? number.intValue() : fallback;
  }
}
