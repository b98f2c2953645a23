package skein.faults;

import java.time.Duration;
import java.util.stream.IntStream;
import skein.node.Eventually;
import skein.node.Workflows;

/** Instances that wait for one second again and again while something is broken. */
final class Naps {
  private static final String LATEST =
      """
      select max(extract(epoch from n.until - n.since)::float8) - 1 as late
        from (select min(at) filter (where event = 'Started') as since,
                     min(at) filter (where event = 'Resumed') as until
                from journal_entries
               where workflow_instance_id = any($1) and activity_id like 'nap%'
               group by workflow_instance_id, activity_id) n
      """;
  private static final String UNFINISHED =
      "select count(*) from workflow_instances where id = any($1) and finished_at is null";

  private final FaultCluster cluster;
  private final String[] instances;

  private Naps(FaultCluster cluster, String[] instances) {
    this.cluster = cluster;
    this.instances = instances;
  }

  /** Published for {@link #start}; each instance waits {@code count} times. */
  static void publish(FaultCluster cluster, String definition, int count) {
    cluster.api(0).publish(Workflows.naps(definition, count));
  }

  /** Starts them at all nodes in turn. */
  static Naps start(FaultCluster cluster, String definition, int instances) {
    return new Naps(
        cluster,
        IntStream.range(0, instances)
            .mapToObj(i -> cluster.api(i % FaultCluster.NODES).start(definition))
            .toArray(String[]::new));
  }

  /** Whether all have ended in time. */
  boolean end(Duration max) {
    return Eventually.isTrue(
        max, () -> cluster.sql().rows(UNFINISHED, (Object) instances).getFirst().getLong(0) == 0);
  }

  /** By how many seconds the latest of all their timers was late. */
  double late() {
    return cluster.sql().rows(LATEST, (Object) instances).getFirst().getDouble(0);
  }
}
