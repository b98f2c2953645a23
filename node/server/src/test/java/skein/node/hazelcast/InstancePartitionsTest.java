package skein.node.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.internal.util.HashUtil;
import com.hazelcast.partition.Partition;
import com.hazelcast.partition.PartitionService;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import skein.model.InstanceId;

class InstancePartitionsTest {
  private static final int PARTITIONS = 271;
  private static final String OF_IDS = "abcxyzABCXYZ0189_-";

  private final InternalSerializationService serialization =
      new DefaultSerializationServiceBuilder().build();

  /** The keys that Hazelcast was asked for. */
  private final List<Object> asked = new ArrayList<>();

  @AfterEach
  void dispose() {
    serialization.dispose();
  }

  /** As a member does it whose configuration says nothing about keys. */
  private int numberOfMember(Object key) {
    return HashUtil.hashToIndex(serialization.toData(key).getPartitionHash(), PARTITIONS);
  }

  private static int numberOfAnother(Object key) {
    return Math.floorMod(31 * key.hashCode(), PARTITIONS);
  }

  private InstancePartitions partitions(ToIntFunction<Object> numberOf) {
    var all = IntStream.range(0, PARTITIONS).mapToObj(InstancePartitionsTest::partition).toList();
    var service =
        proxy(
            PartitionService.class,
            (method, arguments) -> {
              if (method.equals("getPartitions")) {
                return Set.copyOf(all);
              }
              asked.add(arguments[0]);
              return all.get(numberOf.applyAsInt(arguments[0]));
            });
    var partitions = new InstancePartitions(service);
    asked.clear();
    return partitions;
  }

  private static Partition partition(int number) {
    return proxy(
        Partition.class,
        (method, arguments) ->
            switch (method) {
              case "equals" -> arguments[0] instanceof Partition o && o.getPartitionId() == number;
              default -> number; // its id and its hash
            });
  }

  private interface Answer {
    Object to(String method, Object[] arguments);
  }

  private static <T> T proxy(Class<T> type, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) ->
                answer.to(method.getName(), arguments == null ? new Object[0] : arguments)));
  }

  private static List<String> ids() {
    var random = new Random(271);
    return IntStream.range(0, 2_000)
        .mapToObj(i ->
            IntStream.rangeClosed(0, i % InstanceId.LENGTH_MAX)
                .mapToObj(_ -> OF_IDS.charAt(random.nextInt(OF_IDS.length())))
                .map(String::valueOf)
                .collect(Collectors.joining()))
        .toList();
  }

  @Test
  void an_instance_is_in_the_partition_of_its_id_and_Hazelcast_is_not_asked() {
    var partitions = partitions(this::numberOfMember);

    for (var id : ids()) {
      assertThat(partitions.of(new InstanceId(id)).getPartitionId())
          .as(id)
          .isEqualTo(numberOfMember(id));
    }

    assertThat(asked).isEmpty();
  }

  @Test
  void a_Hazelcast_that_places_keys_in_another_way_is_asked() {
    var partitions = partitions(InstancePartitionsTest::numberOfAnother);

    for (var id : ids()) {
      assertThat(partitions.of(new InstanceId(id)).getPartitionId())
          .as(id)
          .isEqualTo(numberOfAnother(id));
    }

    assertThat(asked).containsExactlyElementsOf(ids());
  }
}
