package skein.timers;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The number of shards of each node: as many as any other node, or one more. What does not divide
 * goes to the oldest nodes, so that one which joins takes over nothing but its own part. The parts
 * of all nodes together are all shards, so every free shard has a node that takes it.
 *
 * @param giveUp what this node holds beyond its part, the highest first
 * @param take what is free and belongs to its part; nodes begin at different places, so that those
 *     which look at the same time do not want the same
 */
record Balance(List<Integer> giveUp, List<Integer> take) {
  /**
   * @param shards in all
   * @param nodes that take part, this one included, the oldest first
   * @param held by this node
   */
  static Balance of(
      int shards,
      List<String> nodes,
      String me,
      Collection<Integer> held,
      Set<Integer> heldByOthers) {
    int rank = nodes.indexOf(me);
    int part = part(shards, nodes.size(), rank);
    var giveUp =
        held.stream().sorted((a, b) -> Integer.compare(b, a)).limit(over(held.size(), part));
    var take =
        IntStream.range(0, shards)
            .map(i -> (i + rank * shards / nodes.size()) % shards)
            .filter(shard -> !held.contains(shard) && !heldByOthers.contains(shard))
            .limit(over(part, held.size()));
    return new Balance(giveUp.toList(), take.boxed().toList());
  }

  private static int part(int shards, int nodes, int rank) {
    if (rank < 0) {
      throw new IllegalArgumentException("This node is not among the " + nodes + " that take part");
    }
    return shards / nodes + (rank < shards % nodes ? 1 : 0);
  }

  private static int over(int has, int limit) {
    return Math.max(0, has - limit);
  }
}
