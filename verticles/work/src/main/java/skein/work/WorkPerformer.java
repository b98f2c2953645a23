package skein.work;

import io.vertx.core.Future;
import skein.activities.WorkResult;
import skein.model.Effect;

/** Does the work that an instance has ordered outside. */
public interface WorkPerformer {
  /** Completes on any thread; never fails for the work itself, which is a result too. */
  Future<WorkResult> perform(Effect.Work order);
}
