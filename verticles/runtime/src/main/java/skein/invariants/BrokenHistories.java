package skein.invariants;

import io.vertx.core.Future;
import java.util.List;
import skein.storage.InvariantQueries;
import skein.storage.Suspect;
import skein.storage.SuspectPage;

/** Instances whose state is not the one that their journal leads to. Reported, never repaired. */
record BrokenHistories(InvariantQueries queries) implements Check {

  @Override
  public Invariant invariant() {
    return Invariant.BROKEN_HISTORY;
  }

  @Override
  public Future<SuspectPage> page(String after, int max) {
    return queries.histories(after, max);
  }

  @Override
  public Future<List<Suspect>> again(List<Suspect> suspects) {
    return queries.historiesAgain(Check.ids(suspects));
  }
}
