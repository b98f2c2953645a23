package skein.invariants;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import skein.storage.InvariantQueries;
import skein.storage.InvariantRepairs;
import skein.storage.Suspect;
import skein.storage.SuspectPage;

/**
 * Timers of bookmarks that outlived their instance. Deleted, those of a missing instance when they
 * have been known for a while: it may be about to come. Counts all timers on the way.
 */
record OrphanTimers(InvariantQueries queries, InvariantRepairs repairs, Duration grace)
    implements Check {

  @Override
  public Invariant invariant() {
    return Invariant.ORPHAN_TIMER;
  }

  @Override
  public Future<SuspectPage> page(String after, int max) {
    return queries.timers(after, max);
  }

  @Override
  public Future<List<Suspect>> again(List<Suspect> suspects) {
    return queries.timersAgain(Check.ids(suspects));
  }

  @Override
  public Future<Boolean> repair(Suspect suspect, Duration known) {
    boolean missing = suspect.revision() == 0;
    return missing && (known.isZero() || known.compareTo(grace) < 0)
        ? Future.succeededFuture(false)
        : repairs.dropTimer(suspect.id());
  }
}
