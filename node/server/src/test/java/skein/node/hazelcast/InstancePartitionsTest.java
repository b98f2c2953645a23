package skein.node.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.partition.Partition;
import com.hazelcast.partition.PartitionService;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import skein.model.InstanceId;

class InstancePartitionsTest {
  private static final int PARTITIONS = 271;

  /** The keys that Hazelcast was asked for. */
  private final List<Object> asked = new ArrayList<>();

  private final InstancePartitions partitions = new InstancePartitions(hazelcast());

  private PartitionService hazelcast() {
    return proxy(
        PartitionService.class,
        key -> {
          asked.add(key);
          return proxy(Partition.class, _ -> numberOf(key));
        });
  }

  private interface Answer {
    Object to(Object argument);
  }

  private static <T> T proxy(Class<T> type, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, _, arguments) -> answer.to(arguments == null ? "" : arguments[0])));
  }

  private static int numberOf(Object key) {
    return Math.floorMod(31 * key.hashCode(), PARTITIONS);
  }

  @Test
  void the_partition_of_an_instance_is_looked_for_once() {
    for (int i = 0; i < 3; i++) {
      var partition = partitions.of(new InstanceId("some"));
      assertThat(partition.getPartitionId()).isEqualTo(numberOf("some"));
    }

    assertThat(asked).containsExactly("some");
  }

  @Test
  void more_instances_than_are_kept_have_their_own_partitions() {
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 4 * InstancePartitions.KEPT_MAX; i++) {
        var id = new InstanceId("i-" + i);
        assertThat(partitions.of(id).getPartitionId()).isEqualTo(numberOf(id.value()));
      }
    }
  }
}
