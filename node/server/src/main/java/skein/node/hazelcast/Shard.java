package skein.node.hazelcast;

import com.hazelcast.cluster.Member;
import com.hazelcast.partition.Partition;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.HeldLock;
import skein.cluster.Locks;

/**
 * This node's side of one lease. Its end is measured by the monotonic clock from before the lease
 * was asked for, so it ends here before it ends for the others. Thread-safe.
 */
final class Shard {
  private static final Logger log = LoggerFactory.getLogger("skein.execution.WorkflowResumer");

  private final HazelcastLocks locks;
  private final String key;
  private final Partition partition;
  private final long expiryNanos;
  private final Predicate<Member> aside;

  private long token = Locks.HELD;
  private long takenAt;
  private long confirmedAt;
  private int users;
  private boolean used;

  /** Another node owned the instances when their owner was looked up last. */
  private boolean moved;

  private @Nullable Future<Boolean> asking;

  /** {@code aside}: whether a member has stepped aside. */
  Shard(
      HazelcastLocks locks,
      String key,
      Partition partition,
      Duration expiry,
      Predicate<Member> aside) {
    this.aside = aside;
    this.locks = locks;
    this.key = key;
    this.partition = partition;
    this.expiryNanos = expiry.toNanos();
  }

  /** The outcome of a request to use the shard. */
  enum Entry {
    /** Counted in, under the lease. */
    LEASED,
    /** Counted in without a lease: no node could be asked for it. */
    WITHOUT_LEASE,
    /** Another node has the lease. */
    REFUSED
  }

  /** Counts a user in, unless another node has the lease. Asks for it when needed. */
  synchronized Future<Entry> enter() {
    if (isLeased()) {
      return count(LEASED);
    }
    if (asking == null && livesAside()) {
      return count(WITHOUT_LEASE);
    }
    var answer = asking;
    if (answer == null) {
      long asked = System.nanoTime();
      answer = locks.tryAcquire(key).map(taken -> answered(taken, asked));
      asking = answer.isComplete() ? null : answer;
      answer.onFailure(_ -> answered(Locks.HELD, asked));
    }
    return answer.map(_ -> enterNow());
  }

  private static final Future<Entry> LEASED = Future.succeededFuture(Entry.LEASED);
  private static final Future<Entry> WITHOUT_LEASE = Future.succeededFuture(Entry.WITHOUT_LEASE);

  private Future<Entry> count(Future<Entry> entry) {
    users++;
    used = true;
    return entry;
  }

  private synchronized boolean answered(long taken, long asked) {
    asking = null;
    if (taken != Locks.HELD) {
      token = taken;
      takenAt = asked;
      confirmedAt = asked;
      moved = !isOwn();
      log.debug("Leased {} ({})", key, partition.getPartitionId());
    } else {
      log.debug("Another node has the lease of {} ({})", key, partition.getPartitionId());
    }
    return taken != Locks.HELD;
  }

  private synchronized Entry enterNow() {
    if (!isLeased()) {
      return Entry.REFUSED;
    }
    users++;
    used = true;
    return Entry.LEASED;
  }

  /** The lease, or null when this node has none. */
  synchronized @Nullable HeldLock held() {
    if (!isLeased()) {
      return null;
    }
    long now = System.nanoTime();
    return new HeldLock(
        HeldLock.Kind.SHARD,
        "shard:" + partition.getPartitionId(),
        Duration.ofNanos(now - takenAt),
        freeAfter(now),
        token);
  }

  /** Until others may have it, if it is not renewed. */
  synchronized Duration freeAfter(long now) {
    return token == Locks.HELD
        ? Duration.ZERO
        : Duration.ofNanos(Math.max(0, confirmedAt + expiryNanos - now));
  }

  private boolean isLeased() {
    return token != Locks.HELD && System.nanoTime() - confirmedAt < expiryNanos;
  }

  /**
   * Counts a user out; the last one gives the lease up when another node owns the instances. The
   * owner is not looked up here, but by {@link #handOver}.
   */
  synchronized void leave() {
    users--;
    if (moved) {
      handOver();
    }
  }

  /**
   * Looks the owner of the instances up; gives the lease up when it is another node, at once or
   * when the last user leaves. To be called when the owner has changed, and from time to time.
   */
  synchronized void handOver() {
    moved = token != Locks.HELD && !isOwn();
    if (users == 0 && moved) {
      giveUp();
    }
  }

  private boolean isOwn() {
    @Nullable Member owner = partition.getOwner();
    return owner != null && owner.localMember() && !aside.test(owner);
  }

  /** A node that stepped aside works without the lease: no other node would answer for it. */
  private boolean livesAside() {
    @Nullable Member owner = partition.getOwner();
    return owner != null && aside.test(owner);
  }

  private void giveUp() {
    long old = token;
    token = Locks.HELD;
    moved = false;
    log.debug("Gave up the lease of {} ({})", key, partition.getPartitionId());
    locks
        .release(key, old)
        .onFailure(e -> log.warn("Release of the lease {} failed and is tried again", key, e));
  }

  /** Leases that were not used since the last call are given up. */
  synchronized void renew() {
    if (token == Locks.HELD) {
      return;
    }
    if (users == 0 && !used) {
      giveUp();
      return;
    }
    used = users > 0;
    long renewed = token;
    long asked = System.nanoTime();
    locks
        .renew(key, renewed)
        .onSuccess(held -> renewed(renewed, asked, held))
        .onFailure(e -> log.warn("Renewal of the lease {} failed: {}", key, e.toString()));
  }

  private synchronized void renewed(long renewed, long asked, boolean held) {
    if (token != renewed) {
      return;
    }
    if (held) {
      confirmedAt = asked;
      log.debug("Renewed the lease of {} for {} users", key, users);
      return;
    }
    token = Locks.HELD;
    if (users > 0) {
      // Nothing to stop: the revision decides. It is worth knowing that the lock did not help.
      log.warn("Lost distributed lock for {} workflow instances of {}", users, key);
    }
  }
}
