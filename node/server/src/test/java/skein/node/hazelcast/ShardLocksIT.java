package skein.node.hazelcast;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import skein.cluster.HeldLock;
import skein.cluster.Locks;
import skein.model.InstanceId;

@Tag("alone")
class ShardLocksIT {
  private static final Duration EXPIRY = Duration.ofSeconds(3);
  private static final Duration HANDOVER = Duration.ofMillis(50);
  private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

  private final Members members = new Members();
  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void stop() throws Exception {
    await(vertx.close());
    members.close();
  }

  private ShardLocks locks(HazelcastInstance node) {
    return locks(node, _ -> false);
  }

  private ShardLocks locks(HazelcastInstance node, Predicate<Member> aside) {
    return locks(node, EXPIRY, aside);
  }

  private ShardLocks locks(HazelcastInstance node, Duration expiry, Predicate<Member> aside) {
    return new ShardLocks(
        node,
        new InstancePartitions(node.getPartitionService()),
        vertx,
        new ShardLocks.Options(expiry, HANDOVER, ANSWER_MAX),
        aside);
  }

  @Test
  void of_many_tries_for_one_instance_on_two_nodes_one_gets_the_lock() throws Exception {
    var first = locks(members.start(Map.of()).hazelcast());
    var second = locks(members.start(Map.of()).hazelcast());
    var id = new InstanceId("contested");

    var answers = new ArrayList<Future<Long>>();
    for (int i = 0; i < 100; i++) {
      answers.add((i % 2 == 0 ? first : second).tryAcquire(id));
    }

    int granted = 0;
    for (var answer : answers) {
      granted += await(answer) == Locks.HELD ? 0 : 1;
    }
    assertThat(granted).isEqualTo(1);
  }

  @Test
  void an_instance_is_in_the_partition_where_Hazelcast_has_its_id() {
    var service = members.start(Map.of()).hazelcast().getPartitionService();
    var partitions = new InstancePartitions(service);

    for (int i = 0; i < 1_000; i++) {
      var id = UUID.randomUUID().toString().substring(i % InstanceId.LENGTH_MAX);
      assertThat(partitions.of(new InstanceId(id))).isEqualTo(service.getPartition(id));
    }
  }

  @Test
  void a_released_lock_can_be_taken_again_and_a_stale_token_frees_nothing() throws Exception {
    var locks = locks(members.start(Map.of()).hazelcast());
    var id = new InstanceId("again");
    long first = await(locks.tryAcquire(id));
    locks.release(id, first);
    long second = await(locks.tryAcquire(id));

    locks.release(id, first);

    assertThat(second).isNotIn(Locks.HELD, first);
    assertThat(await(locks.tryAcquire(id))).isEqualTo(Locks.HELD);
  }

  @Test
  void instances_of_one_shard_are_held_side_by_side() throws Exception {
    var node = members.start(Map.of()).hazelcast();
    var locks = locks(node);

    for (var id : ofOneShard(node, "a")) {
      assertThat(await(locks.tryAcquire(id))).isNotEqualTo(Locks.HELD);
    }
  }

  @Test
  void leases_follow_the_instances_to_a_node_that_joins() throws Exception {
    var older = members.start(Map.of()).hazelcast();
    var before = locks(older);
    var ids = new ArrayList<InstanceId>();
    for (int i = 0; i < 300; i++) {
      var id = new InstanceId("moved-" + i);
      ids.add(id);
      before.release(id, await(before.tryAcquire(id)));
    }

    var younger = members.start(Map.of()).hazelcast();
    var after = locks(younger);
    until(() -> ids.stream().anyMatch(id -> isOwner(younger, id)));
    until(() -> younger.getPartitionService().isClusterSafe());
    var moved = ids.stream().filter(id -> isOwner(younger, id)).toList();

    assertThat(moved).isNotEmpty();
    for (var id : moved) {
      until(() -> acquired(after, id));
    }
  }

  @Test
  void a_lease_in_use_while_the_instances_move_is_given_up_when_its_last_user_has_left()
      throws Exception {
    var older = members.start(Map.of()).hazelcast();
    var before = locks(older, Duration.ofMinutes(5), _ -> false);
    var tokens = new HashMap<InstanceId, Long>();
    for (int i = 0; i < 300; i++) {
      var id = new InstanceId("used-" + i);
      tokens.put(id, await(before.tryAcquire(id)));
    }

    var younger = members.start(Map.of()).hazelcast();
    var after = locks(younger);
    until(() -> tokens.keySet().stream().anyMatch(id -> isOwner(younger, id)));
    until(() -> younger.getPartitionService().isClusterSafe());
    var moved = tokens.keySet().stream().filter(id -> isOwner(younger, id)).toList();
    assertThat(moved).isNotEmpty().noneMatch(id -> acquired(after, id));

    moved.forEach(id -> before.release(id, Objects.requireNonNull(tokens.get(id))));

    for (var id : moved) {
      until(() -> acquired(after, id));
    }
  }

  @Test
  void a_node_that_works_keeps_its_lease_beyond_its_expiry_and_gives_an_idle_one_up()
      throws Exception {
    var locks = locks(members.start(Map.of()).hazelcast());
    var other = members.start(Map.of()).hazelcast();
    var busy = new InstanceId("busy");
    long token = await(locks.tryAcquire(busy));

    Thread.sleep(EXPIRY.multipliedBy(2));

    var leases = other.getMap(HazelcastLocks.MAP);
    assertThat(leases.size()).isEqualTo(1);
    locks.release(busy, token);
    until(leases::isEmpty);
  }

  @Test
  void a_node_tells_what_it_holds_since_when_and_until_when() throws Exception {
    var node = members.start(Map.of()).hazelcast();
    var locks = locks(node);
    var ids = ofOneShard(node, "held");
    for (var id : ids) {
      await(locks.tryAcquire(id));
    }

    var all = locks.holdings(100);
    var first = locks.holdings(1);

    assertThat(all.provider()).isEqualTo("hazelcast");
    assertThat(all.instances()).isEqualTo(ids.size());
    assertThat(all.locks())
        .extracting(HeldLock::key)
        .startsWith("shard:" + node.getPartitionService().getPartition("held").getPartitionId())
        .contains("workflow:" + ids.getFirst(), "workflow:" + ids.getLast());
    assertThat(all.locks())
        .allSatisfy(lock -> {
          assertThat(lock.heldFor()).isBetween(Duration.ZERO, EXPIRY);
          assertThat(lock.freeAfter()).isBetween(Duration.ofMillis(1), EXPIRY);
        });
    assertThat(first.locks())
        .extracting(HeldLock::key)
        .last()
        .isEqualTo("workflow:" + ids.getFirst());
    assertThat(first.instances()).isEqualTo(ids.size());
  }

  @Test
  void a_lock_to_try_lives_on_the_node_itself_and_is_given_back() throws Exception {
    var first = members.start(Map.of()).hazelcast();
    var second = members.start(Map.of()).hazelcast();
    until(() -> second.getPartitionService().isClusterSafe());

    await(locks(first).tryOne());
    await(locks(second).tryOne());

    until(first.getMap(HazelcastLocks.MAP)::isEmpty);
  }

  @Test
  void where_no_lease_could_be_asked_for_none_is_said_to_be_taken() throws Exception {
    var node = members.start(Map.of()).hazelcast();
    var locks = locks(node, _ -> true);
    var id = new InstanceId("aside");

    long token = await(locks.tryAcquire(id));

    assertThat(token).isNegative();
    assertThat(await(locks.tryAcquire(id))).isEqualTo(Locks.HELD);
    locks.release(id, token);
    assertThat(await(locks.tryAcquire(id))).isNegative();
  }

  private static boolean acquired(Locks locks, InstanceId id) {
    return locks.tryAcquire(id).await() != Locks.HELD;
  }

  private static boolean isOwner(HazelcastInstance node, InstanceId id) {
    var owner = node.getPartitionService().getPartition(id.value()).getOwner();
    return owner != null && owner.localMember();
  }

  private static List<InstanceId> ofOneShard(HazelcastInstance node, String first) {
    var partitions = node.getPartitionService();
    int wanted = partitions.getPartition(first).getPartitionId();
    var found = new ArrayList<InstanceId>();
    for (int i = 0; found.size() < 3; i++) {
      if (partitions.getPartition(first + i).getPartitionId() == wanted) {
        found.add(new InstanceId(first + i));
      }
    }
    return found;
  }

  private static void until(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.sleep(20);
    }
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.await(20, SECONDS);
  }
}
