package skein.node;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Who leads, as the leases say it. */
public record Leaders(TestCluster cluster) {
  private static final Duration LOOK_EVERY = Duration.ofMillis(2);
  private static final String HOLDERS =
      """
      select l.shard, n.name from leases l join scheduler_nodes n on n.id = l.holder
       where l.shards = $1 and l.expires_at > clock_timestamp()
      """;

  /** Names of nodes, by shard. */
  Map<Integer, String> names(int shards) {
    var names = new HashMap<Integer, String>();
    for (var row : cluster.sql().rows(HOLDERS, shards)) {
      names.put(row.getInteger(0), row.getString(1));
    }
    return names;
  }

  /** How many shards each node leads, ascending; nodes that lead none are missing. */
  List<Long> sizes(int shards) {
    return names(shards).values().stream()
        .collect(Collectors.groupingBy(name -> name, Collectors.counting()))
        .values()
        .stream()
        .sorted()
        .toList();
  }

  /** Waits until the shards are shared out like this. */
  boolean awaitSizes(int shards, Long... sizes) {
    return Eventually.isTrue(Duration.ofSeconds(30), () -> sizes(shards).equals(List.of(sizes)));
  }

  /** The process that leads the only shard. */
  public ServerProcess only() {
    var name =
        Eventually.get(Duration.ofSeconds(30), () -> names(1).get(0), found -> found != null);
    return cluster.nodes().stream()
        .filter(node -> node.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("No node leads"));
  }

  /** How long it takes until another node than this one has the only lease. */
  long millisUntilNot(ServerProcess before, long sinceNanos) {
    long end = sinceNanos + Duration.ofSeconds(60).toNanos();
    while (System.nanoTime() < end) {
      @Nullable String name = names(1).get(0);
      if (name != null && !name.equals(before.name())) {
        return (System.nanoTime() - sinceNanos) / 1_000_000;
      }
      LockSupport.parkNanos(LOOK_EVERY.toNanos()); // not to keep the database busy
    }
    throw new IllegalStateException("No node took over from " + before.name());
  }
}
