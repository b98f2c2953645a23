package skein.cluster;

import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import skein.model.InstanceId;
import skein.storage.AdvisoryLocks;

/**
 * The lock of an instance as an advisory lock of PostgreSQL, with a number made of its id: within
 * the node one holder has the instance, and of the nodes the one whose session has the number. Two
 * instances with the same number wait for each other, which is rare and does no harm. Thread-safe.
 */
public final class PostgresLocks implements Locks {
  private static final String PREFIX = "skein workflow:";

  private static final Future<Long> GO_ON = Future.succeededFuture(-1L);

  private final AdvisoryLocks locks;
  private final int heldMax;
  private final LongSupplier nanoTime;
  private final long probeKey = number("probe " + UUID.randomUUID());
  private final Map<InstanceId, Holder> holders = new ConcurrentHashMap<>();
  private final AtomicLong lastToken = new AtomicLong(HELD);

  /**
   * @param since by {@link System#nanoTime}
   * @param hold null while the database is asked
   */
  private record Holder(long token, long since, AdvisoryLocks.@Nullable Hold hold) {}

  /**
   * @param heldMax at one time; beyond it there are none to take, since the server keeps them in a
   *     memory of fixed size that all its sessions share
   * @param nanoTime as {@link System#nanoTime}
   */
  public PostgresLocks(AdvisoryLocks locks, int heldMax, LongSupplier nanoTime) {
    this.locks = locks;
    this.heldMax = heldMax;
    this.nanoTime = nanoTime;
  }

  @Override
  public Future<Void> start() {
    return locks.open();
  }

  @Override
  public Future<Long> tryAcquire(InstanceId instanceId) {
    if (holders.size() >= heldMax) {
      return GO_ON;
    }
    long token = lastToken.incrementAndGet();
    var asking = new Holder(token, nanoTime.getAsLong(), null);
    if (holders.putIfAbsent(instanceId, asking) != null) {
      return Future.succeededFuture(HELD);
    }
    return CallersContext.of(locks.tryTake(number(PREFIX + instanceId.value())))
        .map(taken -> {
          if (taken.isEmpty()) {
            holders.remove(instanceId, asking);
            return HELD;
          }
          holders.put(instanceId, new Holder(token, asking.since(), taken.get()));
          return token;
        })
        .onFailure(_ -> holders.remove(instanceId, asking));
  }

  @Override
  public void release(InstanceId instanceId, long token) {
    var holder = holders.get(instanceId);
    if (holder != null
        && holder.token() == token
        && holder.hold() != null
        && holders.remove(instanceId, holder)) {
      holder.hold().free();
    }
  }

  @Override
  public HeldLock.Holdings holdings(int instancesMax) {
    long now = nanoTime.getAsLong();
    var all = List.copyOf(holders.entrySet());
    var listed =
        all.stream()
            .sorted(Comparator.comparingLong(each -> each.getValue().since() - now))
            .limit(instancesMax)
            .map(each -> held(each.getKey(), each.getValue(), now))
            .toList();
    return new HeldLock.Holdings("postgresql", listed, all.size());
  }

  private static HeldLock held(InstanceId id, Holder holder, long now) {
    return new HeldLock(
        HeldLock.Kind.INSTANCE,
        "workflow:" + id,
        Duration.ofNanos(Math.max(0, now - holder.since())),
        holder.hold() == null ? Duration.ZERO : holder.hold().freeAfter(),
        holder.token());
  }

  @Override
  public Future<Void> tryOne() {
    return locks
        .tryTake(probeKey)
        .map(taken -> {
          taken.ifPresent(AdvisoryLocks.Hold::free);
          return null;
        });
  }

  /** The space of such numbers is that of the database: others may use it, too. */
  private static long number(String key) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return ByteBuffer.wrap(digest.digest(key.getBytes(StandardCharsets.UTF_8))).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java platform has it
    }
  }
}
