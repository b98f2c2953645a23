package skein.work;

import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import skein.activities.WorkResult;
import skein.model.Effect;

/** The workers of a node, by kind. Immutable. */
public final class Workers implements WorkPerformer {
  private final Map<String, Worker> byKind = new HashMap<>();

  public Workers(Collection<? extends Worker> workers) {
    for (var worker : workers) {
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
    Future<WorkResult> result;
    try {
      result = worker.perform(order);
    } catch (RuntimeException e) {
      result = Future.failedFuture(e);
    }
    return result
        .timeout(order.timeout().toMillis(), TimeUnit.MILLISECONDS)
        .recover(e -> Future.succeededFuture(failed(order, e)));
  }

  private static WorkResult failed(Effect.Work order, Throwable e) {
    return e instanceof TimeoutException
        ? new WorkResult.Failed("Timeout", "No answer within " + order.timeout(), true)
        : new WorkResult.Failed("WorkFailed", String.valueOf(e.getMessage()), false);
  }
}
