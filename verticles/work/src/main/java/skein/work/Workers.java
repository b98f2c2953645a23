package skein.work;

import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import skein.activities.WorkResult;
import skein.metrics.WorkMetrics;
import skein.metrics.WorkMetrics.Outcome;
import skein.model.Effect;

/** The workers of a node, by kind. Thread-safe. */
public final class Workers implements WorkPerformer {
  private static final String TIMEOUT = "Timeout";

  private final Map<String, Worker> byKind = new HashMap<>();
  private final WorkMetrics metrics;

  /** Without metrics; for tests. */
  public Workers(Collection<? extends Worker> workers) {
    this(workers, new WorkMetrics());
  }

  public Workers(Collection<? extends Worker> workers, WorkMetrics metrics) {
    this.metrics = metrics;
    for (var worker : workers) {
      metrics.knows(worker.kind());
      if (byKind.put(worker.kind(), worker) != null) {
        throw new IllegalArgumentException("Two workers for " + worker.kind());
      }
    }
  }

  /** Succeeds always; an order that takes longer than its timeout has failed. */
  @Override
  public Future<WorkResult> perform(Effect.Work order) {
    var worker = byKind.get(order.kind());
    if (worker == null) {
      return Future.succeededFuture(
          new WorkResult.Failed("NoWorker", "No node performs " + order.kind() + " here", false));
    }
    long since = System.nanoTime();
    Future<WorkResult> result;
    try {
      result = worker.perform(order);
    } catch (RuntimeException e) {
      result = Future.failedFuture(e);
    }
    return result
        .timeout(order.timeout().toMillis(), TimeUnit.MILLISECONDS)
        .recover(e -> Future.succeededFuture(failed(order, e)))
        .onSuccess(ended -> metrics.ended(order.kind(), outcome(ended), since));
  }

  private static Outcome outcome(WorkResult result) {
    if (result instanceof WorkResult.Failed failed && failed.type().equals(TIMEOUT)) {
      return Outcome.TIMEOUT;
    }
    if (result.passing()) {
      return Outcome.TRANSIENT;
    }
    return result instanceof WorkResult.Done ? Outcome.DONE : Outcome.FAILED;
  }

  private static WorkResult failed(Effect.Work order, Throwable e) {
    return e instanceof TimeoutException
        ? new WorkResult.Failed(TIMEOUT, "No answer within " + order.timeout(), true)
        : new WorkResult.Failed("WorkFailed", String.valueOf(e.getMessage()), false);
  }
}
