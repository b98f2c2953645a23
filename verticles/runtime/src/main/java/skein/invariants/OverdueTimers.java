package skein.invariants;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import skein.storage.SchedulerInvariantQueries;
import skein.storage.Suspect;
import skein.storage.SuspectPage;

/** Timers that nobody fires, or whose firing fails. The leader goes on trying: nothing to mend. */
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
