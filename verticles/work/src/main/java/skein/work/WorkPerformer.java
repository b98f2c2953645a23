package skein.work;

import io.vertx.core.Future;
import skein.activities.WorkResult;
import skein.model.Effect;

/** Does what an instance asked for outside of it. */
public interface WorkPerformer {
  /** Completes on any thread; never fails for the work itself, which is a result too. */
  Future<WorkResult> perform(Effect.Work order);
}
