package skein.node.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.internal.nio.Packet;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import skein.cluster.Cluster;
import skein.messages.Addresses;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.node.Eventually;
import skein.peers.BusTransport;

@Tag("alone")
class HazelcastClusterIT {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration BUSY = Duration.ofSeconds(1);

  @Test
  void a_member_on_another_database_is_refused() {
    try (var members = new Members()) {
      var first = members.start(Map.of(), "d1").cluster();
      members.start(Map.of(), "d1");
      members.start(Map.of()); // It cannot tell, or is of an older version.

      assertThatThrownBy(() -> members.start(Map.of(), "d2"))
          .isInstanceOf(HazelcastMember.OtherDatabaseException.class)
          .hasMessageContaining("The nodes n1, n2 of cluster test-");
      assertThat(Eventually.isTrue(PATIENCE, () -> first.members().size() == 3)).isTrue();
      assertThat(first.onOtherDatabase()).isEmpty();
    }
  }

  @Test
  void members_with_and_without_tenants_name_each_other() {
    try (var members = new Members()) {
      var with = members.start(Map.of("tenancy.enabled", "true")).cluster();
      var also = members.start(Map.of("tenancy.enabled", "true")).cluster();
      assertThat(with.membersWithOtherTenancy()).isEmpty();

      var without = members.start(Map.of()).cluster();

      assertThat(Eventually.isTrue(PATIENCE, () -> with.members().size() == 3)).isTrue();
      assertThat(Eventually.isTrue(PATIENCE, () -> also.members().size() == 3)).isTrue();
      assertThat(with.membersWithOtherTenancy()).containsExactly("n3");
      assertThat(also.membersWithOtherTenancy()).containsExactly("n3");
      assertThat(without.membersWithOtherTenancy()).containsExactly("n1", "n2");
    }
  }

  @Test
  void a_membership_that_ends_is_told_unless_the_node_leaves() {
    try (var members = new Members()) {
      var thrownOut = members.start(Map.of());
      var leaves = members.start(Map.of());
      var ended = new ArrayList<String>();
      thrownOut.onUnexpectedEnd(() -> ended.add("thrown out"));
      leaves.onUnexpectedEnd(() -> ended.add("left"));
      assertThat(thrownOut.cluster().isRunning()).isTrue();

      leaves.leaves();
      leaves.stop();
      thrownOut.hazelcast().getLifecycleService().shutdown();

      assertThat(ended).containsExactly("thrown out");
      assertThat(thrownOut.cluster().isRunning()).isFalse();
    }
  }

  @Test
  void all_members_agree_who_owns_what_and_lite_members_own_nothing() {
    try (var members = new Members()) {
      var a = members.start(Map.of("execution.lanes", "2")).cluster();
      var b = members.start(Map.of("execution.lanes", "3")).cluster();
      var lite = members.start(Map.of("node.roles", "http")).cluster();

      var ids = IntStream.range(0, 200).mapToObj(i -> new InstanceId("i-" + i)).toList();
      var seen = awaitSameOwners(ids, List.of(a, b, lite), 2);
      var owners = seen.getFirst();

      assertThat(seen).containsOnly(owners);
      assertThat(owners).containsOnly(a.self(), b.self());
      assertThat(a.members())
          .extracting(Cluster.Node::name, Cluster.Node::lanes)
          .containsExactlyInAnyOrder(tuple("n1", 2), tuple("n2", 3), tuple("n3", 0));
      assertThat(ids).extracting(b.self()::laneOf).containsOnly(0, 1, 2);
    }
  }

  /** What each of them sees: partitions move for a moment after a node joined. */
  private static List<List<Cluster.Node>> awaitSameOwners(
      List<InstanceId> ids, List<? extends Cluster> views, int ownersMin) {
    return Eventually.get(
        PATIENCE,
        () -> views.stream().map(view -> ownersOf(ids, view)).toList(),
        seen ->
            seen.stream().distinct().count() == 1
                && Set.copyOf(seen.getFirst()).size() >= ownersMin);
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
      var vertxA = members.vertx(a);
      var vertxB = members.vertx(b);
      var self = b.cluster().nodeId();
      vertxB.eventBus().<String>consumer(self, message -> message.reply("from b"));

      var reply = answer(vertxA, self);

      assertThat(reply).isEqualTo("from b");
      assertThat(a.hazelcast().getMap("__vertx.nodeInfo").keySet())
          .containsExactlyInAnyOrder(a.cluster().nodeId(), self);
    }
  }

  /** After a split, and while partitions move, the map has no members for a while. */
  @Test
  void a_node_of_which_the_map_knows_nothing_is_sent_messages_and_answers() throws Exception {
    try (var members = new Members()) {
      var a = members.start(Map.of());
      var b = members.start(Map.of());
      var vertxA = members.vertx(a);
      var vertxB = members.vertx(b);
      var self = b.cluster().nodeId();
      vertxB.eventBus().<String>consumer(self, message -> message.reply("from b"));
      a.hazelcast().getMap("__vertx.nodeInfo").clear();

      assertThat(answer(vertxA, self)).isEqualTo("from b");
    }
  }

  @Test
  void whether_a_node_listens_is_taken_for_granted_when_nobody_says_so_in_time() throws Exception {
    var lookups = new CountDownLatch(1);
    try (var members = new Members();
        AutoCloseable _ = lookups::countDown) {
      var a = members.start(Map.of("cluster.bus-lookup-max", "300ms"));
      var b = members.start(Map.of());
      var vertxA =
          members.await(a.vertx(new VertxOptions().setWorkerPoolSize(1), BusTransport::new));
      var vertxB = members.vertx(b);
      var address = Addresses.node(b.cluster().nodeId());
      vertxB.eventBus().<String>consumer(address, message -> message.reply("from b"));
      var asker = members.start(Map.of("node.roles", "HTTP"));
      var answers = Addresses.answers(asker.cluster().nodeId());
      members
          .vertx(asker)
          .eventBus()
          .<String>consumer(answers, message -> message.reply("from the asker"));
      var nobody = Addresses.node("nobody");
      vertxA.executeBlocking(() -> lookups.await(20, TimeUnit.SECONDS));

      assertThat(answer(vertxA, address)).isEqualTo("from b");
      assertThat(answer(vertxA, answers)).isEqualTo("from the asker");
      assertThatThrownBy(() -> vertxA.eventBus().request(nobody, "").await(5, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              ReplyException.class,
              e -> assertThat(e.failureType()).isEqualTo(ReplyFailure.NO_HANDLERS));
    }
  }

  /** A node that was on the other side of a split strikes out those that it had lost. */
  @Test
  void a_node_that_was_struck_out_says_again_where_and_to_what_it_listens() throws Exception {
    try (var members = new Members()) {
      var a = members.start(Map.of());
      var b = members.start(Map.of("cluster.bus-refresh-interval", "300ms"));
      var vertxA = members.vertx(a);
      var vertxB = members.vertx(b);
      vertxB.eventBus().<String>consumer("service", message -> message.reply("from b"));
      assertThat(answer(vertxA, "service")).isEqualTo("from b");

      var infos = a.hazelcast().getMap("__vertx.nodeInfo");
      var self = b.cluster().nodeId();
      a.hazelcast().getMultiMap("__vertx.subs").remove("service");
      infos.remove(self);

      assertThat(Eventually.isTrue(PATIENCE, () -> infos.containsKey(self))).isTrue();
      assertThat(answer(vertxA, "service")).isEqualTo("from b");
    }
  }

  @Test
  void who_left_and_is_back_is_not_struck_out() throws Exception {
    try (var members = new Members()) {
      var a = members.start(Map.of()).hazelcast();
      var b = members.start(Map.of());
      var never = Duration.ofHours(1);
      var manager =
          new DirectClusterManager(
              a, () -> false, new DirectClusterManager.Times(never, never, never));
      members.await(Vertx.builder().withClusterManager(manager).buildClustered());
      var vertxB = members.vertx(b);
      vertxB.eventBus().<String>consumer("service", message -> message.reply("from b"));
      var subscriptions = a.getMultiMap("__vertx.subs");
      assertThat(Eventually.isTrue(PATIENCE, () -> subscriptions.containsKey("service"))).isTrue();
      var self = a.getCluster().getLocalMember();
      var back = b.hazelcast().getCluster().getLocalMember();
      var infos = a.getMap("__vertx.nodeInfo");
      infos.remove(manager.getNodeId());

      manager.memberRemoved(
          new MembershipEvent(a.getCluster(), back, MembershipEvent.MEMBER_REMOVED, Set.of(self)));

      assertThat(Eventually.isTrue(PATIENCE, () -> infos.containsKey(manager.getNodeId())))
          .isTrue();
      assertThat(infos.keySet())
          .containsExactlyInAnyOrder(manager.getNodeId(), b.cluster().nodeId());
      assertThat(subscriptions.get("service")).hasSize(1);
    }
  }

  @Test
  void a_member_that_says_nothing_keeps_no_thread_busy() throws Exception {
    try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var members = new Members()) {
      var member = (HazelcastInstanceProxy) members.start(Map.of()).hazelcast();
      var connections =
          member.getOriginal().node.getServer().getConnectionManager(EndpointQualifier.MEMBER);

      connections.transmit(
          new Packet(new byte[8]), new Address("127.0.0.1", silent.getLocalPort()));

      try (var connection = silent.accept()) {
        assertThat(connection.getInputStream().readNBytes(3)).asString().isEqualTo("HZC");
        var threads = ManagementFactory.getThreadMXBean();
        long before = writersCpuNanos(threads);
        Thread.sleep(BUSY);
        assertThat(writersCpuNanos(threads) - before).isLessThan(BUSY.toNanos() / 4);
      }
    }
  }

  private static long writersCpuNanos(ThreadMXBean threads) {
    return Arrays.stream(threads.dumpAllThreads(false, false))
        .filter(thread -> thread.getThreadName().contains("IO.thread-out"))
        .mapToLong(thread -> threads.getThreadCpuTime(thread.getThreadId()))
        .sum();
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
