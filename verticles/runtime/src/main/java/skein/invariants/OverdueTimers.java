package skein.invariants;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import skein.storage.SchedulerInvariantQueries;
import skein.storage.Suspect;
import skein.storage.SuspectPage;

/** Timers that are not fired, or whose firing fails. The leader keeps trying: nothing to repair. */
record OverdueTimers(SchedulerInvariantQueries queries, Duration bound) implements Check {

  @Override
  public Invariant invariant() {
    return Invariant.OVERDUE_TIMER;
  }

  @Override
  public Future<SuspectPage> page(String after, int max) {
    return queries.overdue(after, max, bound);
  }

  @Override
  public Future<List<Suspect>> again(List<Suspect> suspects) {
    return queries.overdueAgain(Check.ids(suspects), bound);
  }
}
