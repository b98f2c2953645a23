package skein.node.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.InternalPartitionService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import skein.node.Eventually;

/** What {@code cluster.zone} does: of the copies of a partition no two are in one zone. */
@Tag("long")
class ZonesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int MEMBERS = 4;
  private static final int ENTRIES = 1_000;

  /** A map of Vert.x with one backup. */
  private static final String MAP = "__vertx.haInfo";

  @Test
  void backups_are_in_another_zone() {
    try (var members = new Members()) {
      var started = start(members, List.of("a", "a", "b", "b"));
      awaitCopies(started);

      assertThat(zonesOfCopies(started)).hasSize(2).containsOnlyKeys("a b", "b a");
    }
  }

  /** So that the test above would see it. */
  @Test
  void without_zones_backups_are_anywhere() {
    try (var members = new Members()) {
      var started = start(members, List.of("", "", "", ""));
      awaitCopies(started);

      assertThat(copies(started))
          .as("what would be two copies in one zone")
          .containsAnyOf("0 1", "1 0", "2 3", "3 2");
    }
  }

  @Test
  void of_a_zone_that_is_lost_at_once_the_other_has_everything() {
    try (var members = new Members()) {
      var started = start(members, List.of("a", "b", "a", "b"));
      awaitCopies(started);
      var map = started.getFirst().hazelcast().<String, String>getMap(MAP);
      IntStream.range(0, ENTRIES).forEach(number -> map.set("key-" + number, "value-" + number));

      var lost = List.of(started.get(1), started.get(3));
      lost.forEach(member -> member.hazelcast().getLifecycleService().terminate());

      var survivor = started.getFirst().cluster();
      assertThat(Eventually.isTrue(PATIENCE, () -> survivor.members().size() == 2)).isTrue();
      assertThat(IntStream.range(0, ENTRIES).mapToObj(number -> map.get("key-" + number)))
          .doesNotContainNull()
          .hasSize(ENTRIES);
    }
  }

  private static List<HazelcastMember> start(Members members, List<String> zones) {
    var started = new ArrayList<HazelcastMember>();
    zones.forEach(zone -> started.add(members.start(Map.of("cluster.zone", zone))));
    return started;
  }

  /** Until every partition has a backup and all members have joined, they move. */
  private static void awaitCopies(List<HazelcastMember> started) {
    assertThat(
            Eventually.isTrue(
                PATIENCE,
                () ->
                    started.stream().allMatch(member -> member.cluster().members().size() == 4)
                        && partitions(started.getFirst()).isMemberStateSafe()
                        && copies(started).stream().noneMatch(pair -> pair.contains("?"))
                        && copies(started).stream()
                                .map(pair -> pair.split(" ", 2)[0])
                                .distinct()
                                .count()
                            == MEMBERS))
        .isTrue();
  }

  private static InternalPartitionService partitions(HazelcastMember member) {
    var proxy = (HazelcastInstanceProxy) member.hazelcast();
    return proxy.getOriginal().node.getPartitionService();
  }

  /** For each partition the owner and its backup, by their numbers; {@code ?} for none. */
  private static List<String> copies(List<HazelcastMember> started) {
    var ids =
        started.stream()
            .map(member -> member.hazelcast().getCluster().getLocalMember().getUuid())
            .toList();
    var copies = new ArrayList<String>();
    for (InternalPartition partition : partitions(started.getFirst()).getInternalPartitions()) {
      copies.add(
          IntStream.of(0, 1)
              .mapToObj(partition::getReplica)
              .map(copy -> copy == null ? "?" : String.valueOf(ids.indexOf(copy.uuid())))
              .collect(Collectors.joining(" ")));
    }
    return copies;
  }

  /** How many partitions have their owner and backup in these zones. */
  private static Map<String, Long> zonesOfCopies(List<HazelcastMember> started) {
    var zones =
        started.stream()
            .map(member ->
                Objects.requireNonNull(
                    member
                        .hazelcast()
                        .getConfig()
                        .getMemberAttributeConfig()
                        .getAttribute("hazelcast.partition.group.zone")))
            .toList();
    return copies(started).stream()
        .map(pair -> pair.split(" ", 2))
        .collect(
            Collectors.groupingBy(
                pair ->
                    zones.get(Integer.parseInt(pair[0]))
                        + " "
                        + zones.get(Integer.parseInt(pair[1])),
                Collectors.counting()));
  }
}
