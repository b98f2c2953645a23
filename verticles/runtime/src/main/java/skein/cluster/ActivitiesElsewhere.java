package skein.cluster;

import java.util.Set;

/**
 * Which types of activities other nodes have, on any cluster of this database: those that are there
 * and those that were there lately, which may come back. Thread-safe.
 */
public final class ActivitiesElsewhere {
  private final Cluster cluster;
  private volatile Set<String> lately = Set.of();

  public ActivitiesElsewhere(Cluster cluster) {
    this.cluster = cluster;
  }

  /** {@code types}: of the nodes that were there lately, this one not included. */
  public void seen(Set<String> types) {
    lately = Set.copyOf(types);
  }

  /** Members are known at once, others with the next look. */
  public boolean include(String type) {
    return lately.contains(type)
        || cluster.members().stream()
            .anyMatch(
                node -> !node.id().equals(cluster.nodeId()) && node.activities().contains(type));
  }
}
