package skein.burst;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.FaultException;
import skein.activities.Json;
import skein.activities.Wait;
import skein.activities.WorkOrder;
import skein.codecs.JsonText;
import skein.model.Bookmark;
import skein.model.Effect;
import skein.model.StimulusHash;

/**
 * Asks for work outside: of the nodes, or of those who take jobs. The execution waits at a bookmark
 * for its results, see {@link WorkResults}.
 */
final class OutsideWork {
  static final String WORK = "$work";

  private final RunState state;
  private final Attempts attempts;

  OutsideWork(RunState state, Attempts attempts) {
    this.state = state;
    this.attempts = attempts;
  }

  void perform(Execution execution, WorkOrder order) {
    if (order.kind().equals(WorkOrder.JOB)) {
      attempts.forgetLost(execution);
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
    int max = state.limits.work().jobPayloadCharsMax();
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
  void offer(Execution execution, Map<String, @Nullable Object> request) {
    var payload = new LinkedHashMap<String, @Nullable Object>(request);
    payload.put("attempt", (long) attempts.number(execution));
    var hash =
        StimulusHash.of(
            Bookmark.JOB, JsonText.canonical(payload), Integer.toString(execution.number));
    @SuppressWarnings("NullAway") // The values may be null, as those of every payload.
    var wait = new Wait(Bookmark.JOB, hash, payload, null, WORK);
    state.usage.mayHold(payload);
    var bookmark = state.bookmarks.make(execution, wait);
    announce(bookmark, request);
  }

  private void announce(Bookmark job, Map<String, @Nullable Object> request) {
    state.effects.add(new Effect.JobWaiting(job.id(), String.valueOf(request.get("type"))));
  }

  /** Offers those jobs anew that a fault had closed, when their instance goes on. */
  void offerAgain(List<Bookmark> shelved) {
    for (var job : state.bookmarks.renewJobs(shelved)) {
      var request = Json.object(job.payload());
      if (request != null) { // An imported instance may have a job that no worker can do.
        announce(job, request);
      }
    }
  }

  /**
   * Orders the work that is kept with the execution, as another attempt.
   *
   * <p>The bookmark falls due when it is not renewed: then its node has ended, and with it the
   * work.
   */
  void issue(Execution execution) {
    var order = Json.object(execution.memory.get(WorkOrder.KEPT));
    if (order == null
        || !(order.get("timeout") instanceof Number millis)
        || !(order.get("kind") instanceof String kind)) {
      throw new IllegalStateException("No order is kept with " + execution.node);
    }
    int attempt = attempts.number(execution);
    var lease = state.limits.work().lease();
    var bookmark = attempts.wait(execution, WORK, "Skein.Work", lease, attempt);
    var request = Json.object(order.get("request"));
    state.effects.add(
        new Effect.Work(
            bookmark.id(),
            kind,
            request == null ? Map.of() : request,
            Duration.ofMillis(millis.longValue()),
            state.id + ":" + execution.number,
            attempt));
  }
}
