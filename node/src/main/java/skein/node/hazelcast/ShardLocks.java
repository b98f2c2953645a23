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
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import skein.cluster.CallersContext;
import skein.cluster.Locks;
import skein.model.InstanceId;

/**
 * The lock of an instance in two steps: its shard is leased by one node of the cluster, and within
 * the node that has the lease one holder has the instance. So a resume on the owner of its instance
 * asks nobody. Shards are Hazelcast's partitions: the node that owns the instances of a shard takes
 * its lease with the first of them, renews it while it works with them, and gives it up when
 * another node owns them. Thread-safe.
 */
public final class ShardLocks implements Locks {
  private final PartitionService partitions;
  private final Shard[] shards;
  private final Map<InstanceId, Long> holders = new ConcurrentHashMap<>();
  private final AtomicLong lastToken = new AtomicLong(HELD);

  /**
   * @param expiry a lease that is not renewed is free after this; it is renewed three times in it
   * @param handover how often a node looks for leases whose instances other nodes own now
   * @param answerMax how long the cluster may take to answer; then an acquisition fails
   */
  public record Options(Duration expiry, Duration handover, Duration answerMax) {}

  /**
   * {@code aside}: whether a member has stepped aside. Leases that live there are neither asked for
   * nor kept.
   */
  public ShardLocks(
      HazelcastInstance hazelcast, Vertx vertx, Options options, Predicate<Member> aside) {
    this.partitions = hazelcast.getPartitionService();
    var expiry = options.expiry();
    var locks = new HazelcastLocks(hazelcast, expiry, options.answerMax());
    this.shards =
        shards(partitions, (key, partition) -> new Shard(locks, key, partition, expiry, aside));
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
      // each partition was told of
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
    if (holders.putIfAbsent(instanceId, token) != null) {
      return Future.succeededFuture(HELD);
    }
    var entered = shardOf(instanceId).enter();
    if (entered.succeeded() && entered.result()) {
      return Future.succeededFuture(token);
    }
    return CallersContext.of(entered)
        .map(leased -> {
          if (!leased) {
            holders.remove(instanceId, token);
          }
          return leased ? token : HELD;
        })
        .onFailure(_ -> holders.remove(instanceId, token));
  }

  @Override
  public void release(InstanceId instanceId, long token) {
    if (holders.remove(instanceId, token)) {
      shardOf(instanceId).leave();
    }
  }

  private Shard shardOf(InstanceId instanceId) {
    return shards[partitions.getPartition(instanceId.value()).getPartitionId()];
  }
}
