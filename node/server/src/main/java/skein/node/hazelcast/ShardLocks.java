package skein.node.hazelcast;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.partition.MigrationListener;
import com.hazelcast.partition.MigrationState;
import com.hazelcast.partition.Partition;
import com.hazelcast.partition.PartitionService;
import com.hazelcast.partition.ReplicaMigrationEvent;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import skein.cluster.CallersContext;
import skein.cluster.HeldLock;
import skein.cluster.Locks;
import skein.model.InstanceId;

/**
 * The lock of an instance in two steps: its shard is leased by one node of the cluster, and within
 * the node that has the lease one holder has the instance. So a resume on the owner of its instance
 * asks no other node. Shards are Hazelcast's partitions: the node that owns the instances of a
 * shard takes its lease with the first of them, renews it while it works with them, and gives it up
 * when another node owns them. Thread-safe.
 */
public final class ShardLocks implements Locks {
  /** Among so many keys is one that lives here, unless hardly any does. */
  private static final int PROBE_KEYS_MAX = 1_000;

  private final PartitionService partitions;
  private final InstancePartitions instancePartitions;
  private final Shard[] shards;
  private final HazelcastLocks leases;
  private final String probeKey;
  private final Map<InstanceId, Holder> holders = new ConcurrentHashMap<>();
  private final AtomicLong lastToken = new AtomicLong(HELD);

  /**
   * One that has the lock of an instance.
   *
   * @param shard of the instance: to find it takes about as long as all the rest of a release
   * @param since by {@link System#nanoTime}
   */
  private record Holder(long token, Shard shard, long since) {}

  /**
   * @param expiry a lease that is not renewed is free after this; it is renewed three times in it
   * @param handover how often a node looks for leases whose instances other nodes own now, and
   *     tries to release one whose release had no answer
   * @param answerMax how long the cluster may take to answer; then an acquisition fails
   */
  public record Options(Duration expiry, Duration handover, Duration answerMax) {}

  /**
   * @param instancePartitions of the same member
   * @param aside whether a member has stepped aside. Leases that live there are neither asked for
   *     nor kept
   */
  ShardLocks(
      HazelcastInstance hazelcast,
      InstancePartitions instancePartitions,
      Vertx vertx,
      Options options,
      Predicate<Member> aside) {
    this.partitions = hazelcast.getPartitionService();
    this.instancePartitions = instancePartitions;
    var expiry = options.expiry();
    this.leases = new HazelcastLocks(hazelcast, expiry, options.answerMax(), options.handover());
    this.probeKey = "probe-" + hazelcast.getCluster().getLocalMember().getUuid() + "-";
    this.shards =
        shards(partitions, (key, partition) -> new Shard(leases, key, partition, expiry, aside));
    partitions.addMigrationListener(new Moves());
    vertx.setPeriodic(options.handover().toMillis(), _ -> List.of(shards).forEach(Shard::handOver));
    vertx.setPeriodic(expiry.toMillis() / 3, _ -> List.of(shards).forEach(Shard::renew));
  }

  /** The next owner need not wait until this node looks. */
  private final class Moves implements MigrationListener {
    @Override
    public void migrationStarted(MigrationState state) {
      // nothing has moved yet
    }

    @Override
    public void migrationFinished(MigrationState state) {
      // each partition was announced
    }

    @Override
    public void replicaMigrationCompleted(ReplicaMigrationEvent event) {
      if (event.getReplicaIndex() == 0) {
        shards[event.getPartitionId()].handOver();
      }
    }

    @Override
    public void replicaMigrationFailed(ReplicaMigrationEvent event) {
      // it has stayed
    }
  }

  /** The entry of a lease lives where its instances are owned: a key is looked for that does. */
  private static Shard[] shards(
      PartitionService partitions, BiFunction<String, Partition, Shard> make) {
    var found = new ArrayList<Shard>();
    var byNumber = new Shard[partitions.getPartitions().size()];
    for (int i = 0; found.size() < byNumber.length; i++) {
      var key = "shard-" + i;
      var partition = partitions.getPartition(key);
      if (byNumber[partition.getPartitionId()] == null) {
        var shard = make.apply(key, partition);
        byNumber[partition.getPartitionId()] = shard;
        found.add(shard);
      }
    }
    return byNumber;
  }

  @Override
  public Future<Long> tryAcquire(InstanceId instanceId) {
    long token = lastToken.incrementAndGet();
    var holder = new Holder(token, shardOf(instanceId), System.nanoTime());
    if (holders.putIfAbsent(instanceId, holder) != null) {
      return Future.succeededFuture(HELD);
    }
    var entered = holder.shard().enter();
    if (entered.succeeded() && entered.result() == Shard.Entry.LEASED) {
      return Future.succeededFuture(token);
    }
    return CallersContext.of(entered)
        .map(entry ->
            switch (entry) {
              case LEASED -> token;
              case WITHOUT_LEASE -> -token;
              case REFUSED -> {
                holders.remove(instanceId, holder);
                yield HELD;
              }
            })
        .onFailure(_ -> holders.remove(instanceId, holder));
  }

  @Override
  public void release(InstanceId instanceId, long token) {
    var holder = holders.get(instanceId);
    if (holder != null && holder.token() == Math.abs(token) && holders.remove(instanceId, holder)) {
      holder.shard().leave();
    }
  }

  @Override
  public HeldLock.Holdings holdings(int instancesMax) {
    var found = new ArrayList<HeldLock>();
    for (var shard : shards) {
      var held = shard.held();
      if (held != null) {
        found.add(held);
      }
    }
    long now = System.nanoTime();
    var instances = List.copyOf(holders.entrySet());
    instances.stream()
        .sorted(Comparator.comparingLong(e -> e.getValue().since() - now))
        .limit(instancesMax)
        .map(e -> held(e.getKey(), e.getValue(), now))
        .forEach(found::add);
    return new HeldLock.Holdings("hazelcast", found, instances.size());
  }

  private HeldLock held(InstanceId id, Holder holder, long now) {
    return new HeldLock(
        HeldLock.Kind.INSTANCE,
        "workflow:" + id,
        Duration.ofNanos(Math.max(0, now - holder.since())),
        holder.shard().freeAfter(now),
        holder.token());
  }

  @Override
  public Future<Void> tryOne() {
    for (int i = 0; i < PROBE_KEYS_MAX; i++) {
      var key = probeKey + i;
      @Nullable Member owner = partitions.getPartition(key).getOwner();
      if (owner != null && owner.localMember()) {
        return leases
            .tryAcquire(key)
            .compose(
                token -> token == HELD ? Future.succeededFuture() : leases.release(key, token));
      }
    }
    return Future.succeededFuture(); // Owns nothing: others keep the locks.
  }

  private Shard shardOf(InstanceId instanceId) {
    return shards[instancePartitions.of(instanceId).getPartitionId()];
  }
}
