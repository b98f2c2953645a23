package skein.invariants;

import io.vertx.core.Future;
import java.util.List;
import skein.storage.InvariantQueries;
import skein.storage.InvariantQueries.Page;
import skein.storage.InvariantQueries.Suspect;
import skein.storage.InvariantRepairs;

/** Timers that outlived their instance. Deleted. Counts all timers on the way. */
record OrphanTimers(InvariantQueries queries, InvariantRepairs repairs) implements Check {

  @Override
  public Invariant invariant() {
    return Invariant.ORPHAN_TIMER;
  }

  @Override
  public Future<Page> page(String after, int max) {
    return queries.timers(after, max);
  }

  @Override
  public Future<List<Suspect>> again(List<Suspect> suspects) {
    return queries.timersAgain(Check.ids(suspects));
  }

  @Override
  public Future<Boolean> repair(Suspect suspect) {
    return repairs.dropTimer(suspect.id());
  }
}
