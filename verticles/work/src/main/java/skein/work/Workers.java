package skein.work;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import skein.activities.WorkResult;
import skein.metrics.WorkMetrics;
import skein.metrics.WorkMetrics.Outcome;
import skein.model.Effect;

/** The workers of a node, by kind. Thread-safe. */
public final class Workers implements WorkPerformer {
  private static final String TIMEOUT = "Timeout";

  private final Map<String, Worker> byKind = new HashMap<>();
  private final Vertx vertx;
  private final WorkMetrics metrics;

  /** Without metrics; for tests. */
  public Workers(Vertx vertx, Collection<? extends Worker> workers) {
    this(vertx, workers, new WorkMetrics());
  }

  public Workers(Vertx vertx, Collection<? extends Worker> workers, WorkMetrics metrics) {
    this.vertx = vertx;
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
    return inTime(order, result)
        .onSuccess(ended -> metrics.ended(order.kind(), outcome(ended), since));
  }

  /**
   * The timer is one of the caller's event loop. That of {@link Future#timeout} would be one of a
   * thread for all, which is woken to set it and to call it off.
   */
  private Future<WorkResult> inTime(Effect.Work order, Future<WorkResult> result) {
    Promise<WorkResult> ended = Promise.promise();
    long timer =
        vertx.setTimer(
            Math.max(1, order.timeout().toMillis()), _ -> ended.tryComplete(timedOut(order)));
    result.onComplete(done -> {
      vertx.cancelTimer(timer);
      ended.tryComplete(done.succeeded() ? done.result() : failed(done.cause()));
    });
    return ended.future();
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

  private static WorkResult timedOut(Effect.Work order) {
    return new WorkResult.Failed(TIMEOUT, "No answer within " + order.timeout(), true);
  }

  private static WorkResult failed(Throwable e) {
    return new WorkResult.Failed("WorkFailed", String.valueOf(e.getMessage()), false);
  }
}
