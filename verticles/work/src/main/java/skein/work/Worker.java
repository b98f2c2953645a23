package skein.work;

import io.vertx.core.Future;
import skein.activities.WorkResult;
import skein.model.Effect;

/** Performs one kind of work. Thread-safe, and never blocks the caller. */
public interface Worker {
  /** As {@link skein.activities.WorkOrder#kind} names it. */
  String kind();

  /**
   * Performs an order within its timeout.
   *
   * <p>A failed future is a defect and counts as a failure that does not pass; what can go wrong in
   * the ordinary course is a {@link WorkResult.Failed}.
   */
  Future<WorkResult> perform(Effect.Work order);
}
