package skein.storage;

import io.vertx.core.Future;
import java.util.List;
import java.util.Set;

/** Where a {@link Committer} writes, one batch at a time. */
interface CommitTarget {
  /** Connects ahead of the first batch; fails when that cannot be done in time. */
  Future<Void> open();

  /**
   * Writes each chain whole or not at all; returns the ids of the instances whose chain was
   * written. Fails with {@link UnwritableException}, {@link CommitSession.Unanswered}, or an error
   * of the database or of the way to it: then nothing was written.
   *
   * @param batch at most one chain of an instance, sorted by instance id
   */
  Future<Set<String>> write(List<Chain> batch);

  /** The fate of a chain whose answer was lost. */
  Future<Fate> fateOf(Chain chain);

  void close();

  /** The known state of a chain that was sent. */
  enum Fate {
    /** It is in the journal. */
    COMMITTED,
    /**
     * It is not in the journal, and the state it was built on has been replaced: it cannot be
     * written.
     */
    LOST,
    /** It is not in the journal; a statement that is still under way could write it. */
    OPEN
  }
}
