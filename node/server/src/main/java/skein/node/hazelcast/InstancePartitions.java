package skein.node.hazelcast;

import com.hazelcast.partition.Partition;
import com.hazelcast.partition.PartitionService;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import skein.model.InstanceId;

/**
 * The partitions of instances, for their owners and their locks. Hazelcast serializes a key each
 * time to find its partition, and each command asks at least twice for that of its instance: those
 * that were asked for last are kept. The partition of a key never changes; who owns it does, and is
 * not kept. Thread-safe.
 */
final class InstancePartitions {
  /** Instances that are kept at most; a power of two. */
  static final int KEPT_MAX = 1_024;

  private final PartitionService partitions;
  private final AtomicReferenceArray<@Nullable Known> kept = new AtomicReferenceArray<>(KEPT_MAX);

  private record Known(InstanceId id, Partition partition) {}

  InstancePartitions(PartitionService partitions) {
    this.partitions = partitions;
  }

  Partition of(InstanceId id) {
    int place = place(id.value().hashCode());
    var known = kept.getAcquire(place);
    if (known != null && known.id().equals(id)) {
      return known.partition();
    }
    var found = partitions.getPartition(id.value());
    kept.setRelease(place, new Known(id, found));
    return found;
  }

  private static int place(int hash) {
    return (hash ^ (hash >>> 16)) & (KEPT_MAX - 1);
  }
}
