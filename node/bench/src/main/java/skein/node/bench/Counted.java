package skein.node.bench;

import org.jspecify.annotations.Nullable;

/**
 * Counters that are exact only some time afterwards, or their change between two moments.
 *
 * @param commits of the database, those that only read too
 * @param changed rows inserted, updated and deleted in the schema
 * @param received by the nodes from one another; null where they do not tell
 */
record Counted(long commits, long changed, PeerCounters.@Nullable Received received) {
  static final Counted NOTHING = new Counted(0, 0, null);

  Counted minus(Counted earlier) {
    return new Counted(
        commits - earlier.commits,
        changed - earlier.changed,
        received == null || earlier.received == null ? null : received.minus(earlier.received));
  }
}
