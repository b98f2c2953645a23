package skein.node.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import skein.cluster.Cluster;
import skein.cluster.NoLocks;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;

class HazelcastClusterIT {
  @Test
  void all_members_agree_who_owns_what_and_lite_members_own_nothing() {
    try (var members = new Members()) {
      var a = members.start(Map.of("execution.lanes", "2")).cluster();
      var b = members.start(Map.of("execution.lanes", "3")).cluster();
      var lite = members.start(Map.of("node.roles", "http")).cluster();

      var ids = IntStream.range(0, 200).mapToObj(i -> new InstanceId("i-" + i)).toList();
      awaitSameOwners(ids, List.of(a, b, lite), 2);
      var owners = ownersOf(ids, a);

      assertThat(ownersOf(ids, b)).isEqualTo(owners);
      assertThat(ownersOf(ids, lite)).isEqualTo(owners);
      assertThat(owners).containsOnly(a.self(), b.self());
      assertThat(a.members())
          .extracting(Cluster.Node::name, Cluster.Node::lanes)
          .containsExactlyInAnyOrder(tuple("n1", 2), tuple("n2", 3), tuple("n3", 0));
      assertThat(ids).extracting(b.self()::laneOf).containsOnly(0, 1, 2);
    }
  }

  /** Partitions move for a moment after somebody joined. */
  private static void awaitSameOwners(
      List<InstanceId> ids, List<? extends Cluster> views, int ownersMin) {
    long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (System.nanoTime() < end) {
      var seen = views.stream().map(view -> ownersOf(ids, view)).distinct().toList();
      if (seen.size() == 1 && Set.copyOf(seen.getFirst()).size() >= ownersMin) {
        return;
      }
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
  }

  private static List<Cluster.Node> ownersOf(List<InstanceId> ids, Cluster view) {
    return ids.stream().map(view::ownerOf).toList();
  }

  @Test
  void without_a_node_that_executes_the_cluster_is_not_ready_until_one_joins() throws Exception {
    try (var members = new Members()) {
      var lite = members.start(Map.of("node.roles", "http")).cluster();
      var id = new InstanceId("nobody");
      assertThatThrownBy(() -> lite.ownerOf(id))
          .isInstanceOfSatisfying(
              SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_READY));
      var joined = new CountDownLatch(1);
      lite.onChange(joined::countDown);

      var node = members.start(Map.of()).cluster();

      assertThat(joined.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(lite.ownerOf(id)).isEqualTo(node.self());
    }
  }

  @Test
  void when_a_member_dies_listeners_run_and_the_survivor_owns_everything() throws Exception {
    try (var members = new Members()) {
      var survivor = members.start(Map.of()).cluster();
      var dying = members.start(Map.of());
      var left = new CountDownLatch(1);
      survivor.onChange(() -> {
        if (survivor.members().size() == 1) {
          left.countDown();
        }
      });

      dying.hazelcast().getLifecycleService().terminate();

      assertThat(left.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(IntStream.range(0, 200).mapToObj(i -> new InstanceId("i-" + i)))
          .allSatisfy(id -> assertThat(survivor.ownerOf(id)).isEqualTo(survivor.self()));
    }
  }

  @Test
  void members_answer_each_other_on_the_event_bus_under_their_node_ids() throws Exception {
    try (var members = new Members()) {
      var a = members.start(Map.of());
      var b = members.start(Map.of());
      var vertxA = await(a);
      var vertxB = await(b);
      try {
        var self = b.cluster().nodeId();
        vertxB.eventBus().<String>consumer(self, message -> message.reply("from b"));

        var reply = answer(vertxA, self);

        assertThat(reply).isEqualTo("from b");
        assertThat(a.hazelcast().getMap("__vertx.nodeInfo").keySet())
            .containsExactlyInAnyOrder(a.cluster().nodeId(), self);
      } finally {
        vertxA.close().await(10, TimeUnit.SECONDS);
        vertxB.close().await(10, TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void locks_can_be_switched_off() throws Exception {
    try (var members = new Members()) {
      var member = members.start(Map.of("cluster.locks", "none"));
      var vertx = await(member);
      try {
        assertThat(member.locks(vertx)).isInstanceOf(NoLocks.class);
      } finally {
        vertx.close().await(10, TimeUnit.SECONDS);
      }
    }
  }

  private static Vertx await(HazelcastMember member) throws TimeoutException {
    return member.vertx(new VertxOptions(), Transport.NIO).await(20, TimeUnit.SECONDS);
  }

  /** Asks again while the registration travels. */
  private static String answer(Vertx vertx, String address) throws TimeoutException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (true) {
      try {
        return vertx.eventBus().<String>request(address, "hello").await(2, TimeUnit.SECONDS).body();
      } catch (RuntimeException e) {
        if (System.nanoTime() > end) {
          throw e;
        }
      }
    }
  }
}
