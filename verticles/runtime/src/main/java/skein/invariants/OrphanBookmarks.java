package skein.invariants;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import skein.storage.InvariantQueries;
import skein.storage.InvariantRepairs;
import skein.storage.Suspect;
import skein.storage.SuspectPage;

/** Bookmarks that outlived their instance: they take part in events for nothing. Deleted. */
record OrphanBookmarks(InvariantQueries queries, InvariantRepairs repairs, Duration grace)
    implements Check {

  @Override
  public Invariant invariant() {
    return Invariant.ORPHAN_BOOKMARK;
  }

  @Override
  public Future<SuspectPage> page(String after, int max) {
    return queries.bookmarks(after, max, grace);
  }

  @Override
  public Future<List<Suspect>> again(List<Suspect> suspects) {
    return queries.bookmarksAgain(Check.ids(suspects));
  }

  @Override
  public Future<Boolean> repair(Suspect suspect, Duration known) {
    return repairs.dropBookmark(suspect.id());
  }
}
