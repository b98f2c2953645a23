package skein.node.hazelcast;

import com.hazelcast.internal.util.HashUtil;
import com.hazelcast.partition.Partition;
import com.hazelcast.partition.PartitionService;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import skein.model.InstanceId;

/**
 * The partitions of instances, for their owners and their locks. Thread-safe.
 *
 * <p>Hazelcast takes the partition of a string from the MurmurHash3 of its serialized form: the
 * number of its bytes in UTF-8, then these. It serializes the key each time it is asked, in buffers
 * of the thread and with a look-up of the serializer, which took 4 % of a profile of resumes. Where
 * that is not how this Hazelcast does it, it is asked: a few keys tell.
 */
final class InstancePartitions {
  /** One for each number of bytes that are left over when a hash takes four at a time. */
  private static final List<String> SAMPLES =
      List.of("a", "bc", "def", "0123", "3f0c1c8e-5a0b-4d52-9d3a-0c6b5f0d7e11");

  private final PartitionService service;
  private final Partition[] partitions;
  private final boolean hashing;

  InstancePartitions(PartitionService service) {
    this.service = service;
    this.partitions = byNumber(service);
    this.hashing =
        SAMPLES.stream().allMatch(id -> service.getPartition(id).getPartitionId() == numberOf(id));
  }

  private static Partition[] byNumber(PartitionService service) {
    var all = service.getPartitions();
    var partitions = new Partition[all.size()];
    all.forEach(partition -> partitions[partition.getPartitionId()] = partition);
    return partitions;
  }

  Partition of(InstanceId id) {
    return hashing ? partitions[numberOf(id.value())] : service.getPartition(id.value());
  }

  private int numberOf(String id) {
    var bytes = id.getBytes(StandardCharsets.UTF_8);
    var serialized = ByteBuffer.allocate(Integer.BYTES + bytes.length);
    serialized.putInt(bytes.length).put(bytes);
    int hash = HashUtil.MurmurHash3_x86_32(serialized.array(), 0, serialized.capacity());
    return HashUtil.hashToIndex(hash, partitions.length);
  }
}
