package skein.invariants;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import skein.storage.Suspect;
import skein.storage.SuspectPage;

/** The check and the repair of one invariant. */
interface Check {
  Invariant invariant();

  /**
   * A page of what there is, in order of its keys.
   *
   * @param after where the last page ended; empty to begin with
   * @param max rows looked at
   */
  Future<SuspectPage> page(String after, int max);

  /** Those that still look wrong; with all that is too dear to ask for every row. */
  Future<List<Suspect>> again(List<Suspect> suspects);

  /**
   * False when nothing was repaired. Safe beside concurrent writes.
   *
   * @param known since when the violation is recorded; zero: it is new
   */
  default Future<Boolean> repair(Suspect suspect, Duration known) {
    return Future.succeededFuture(false);
  }

  static List<String> ids(List<Suspect> suspects) {
    return suspects.stream().map(Suspect::id).toList();
  }
}
