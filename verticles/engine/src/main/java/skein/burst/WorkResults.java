package skein.burst;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;
import skein.activities.Resumption;
import skein.activities.WorkOrder;
import skein.activities.WorkResult;
import skein.model.Bookmark;

/**
 * How results of work outside are handled: a result resumes the execution, a failure that passes is
 * tried again if the definition says so, and what was lost is asked for once more, or given up.
 */
final class WorkResults {
  private final RunState state;
  private final Attempts attempts;
  private final OutsideWork outsideWork;
  private final ActivityCalls calls;
  private final Faults faults;

  WorkResults(
      RunState state,
      Attempts attempts,
      OutsideWork outsideWork,
      ActivityCalls calls,
      Faults faults) {
    this.state = state;
    this.attempts = attempts;
    this.outsideWork = outsideWork;
    this.calls = calls;
    this.faults = faults;
  }

  /**
   * @param bookmark at which the result was waited for
   * @param input of a {@link WorkResult}; null when the node or the worker that had it has died
   */
  void take(Execution execution, Bookmark bookmark, @Nullable Map<String, @Nullable Object> input) {
    calls.leaveToNodesThatKnow(execution.node);
    var result = input == null ? null : WorkResult.read(input);
    if (input == null || result == null) {
      lost(execution, bookmark);
      return;
    }
    attempts.forgetLost(execution);
    if (result.passing() && attempts.retryLater(execution, failure(result))) {
      return;
    }
    execution.memory.remove(WorkOrder.KEPT);
    calls.resume(execution, new Resumption(OutsideWork.WORK, input));
  }

  private static Failure failure(WorkResult result) {
    return switch (result) {
      case WorkResult.Done(var value, _) ->
          new Failure("PassingFailure", null, "the answer was " + value.get("statusCode"));
      case WorkResult.Failed(var type, var message, _) -> new Failure(type, null, message);
    };
  }

  private void lost(Execution execution, Bookmark bookmark) {
    var limits = state.limits.work();
    int lost = attempts.countLost(execution);
    if (lost >= (bookmark.isJob() ? limits.jobLeasesLostMax() : limits.lostMax())) {
      var message =
          bookmark.isJob()
              ? lost + " workers have let their lease of this job expire"
              : lost + " nodes have not come back from the work of this activity";
      faults.failed(execution, new Failure("WorkLost", null, message));
      return;
    }
    if (bookmark.isJob()) {
      state.journal.add(execution, "Retrying", "The lease of the job expired");
      outsideWork.offer(execution, request(bookmark));
      return;
    }
    state.journal.add(execution, "Retrying", "The node that worked on it did not come back");
    outsideWork.issue(execution);
  }

  private static Map<String, @Nullable Object> request(Bookmark job) {
    var request = Json.object(job.payload());
    if (request == null) {
      throw new IllegalStateException("The job " + job.id() + " has no payload");
    }
    return request;
  }
}
