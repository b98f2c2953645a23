package skein.node.hazelcast;

import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import io.vertx.core.Completable;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.spi.cluster.NodeInfo;
import io.vertx.core.spi.cluster.RegistrationInfo;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import skein.messages.Addresses;

/**
 * Lets nodes find each other on the event bus where the maps that Vert.x keeps in Hazelcast fail
 * them. A lookup in one waits as long as its partition has no owner that answers, after a split or
 * while partitions move, and all messages to that node with it. And a node that comes back from the
 * other side of a split still strikes out the nodes that it had lost there, of which it finds the
 * entries on this side.
 *
 * <ul>
 *   <li>Where the event bus of a node listens, its member says; of members that say nothing, which
 *       are services that have joined, the map.
 *   <li>Whether a node listens to one of its own addresses, the map says if it does so in time;
 *       else it is taken for granted of a node to which instances belong. Whether a member listens
 *       for answers is not looked up: it has asked for them, so it does.
 *   <li>Who is a member again is not struck out, and for a while after every change all nodes say
 *       again and again to what they listen.
 *   <li>What a node that leaves cannot strike out of the maps in time, those do who stay.
 *   <li>The maps are put in order on a thread of its own: Hazelcast waits for those that it tells
 *       of a change, and has not joined the other side before the last of them has returned.
 * </ul>
 */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // for Hazelcast must not wait for locks
final class DirectClusterManager extends HazelcastClusterManager {
  private static final Logger log = LoggerFactory.getLogger(DirectClusterManager.class);

  private final HazelcastInstance hazelcast;
  private final BooleanSupplier nobodyStays;
  private final Times times;
  private volatile long changedNanos = System.nanoTime();
  private final ScheduledExecutorService changes =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("skein-bus-members").factory());
  private volatile boolean leaving;
  private @Nullable Vertx vertx;

  /**
   * @param lookupMax how long the map may take to say who listens to a node's own address
   * @param refreshInterval how often this node says to what it listens
   * @param settleTime for how long after a change among the members
   */
  record Times(Duration lookupMax, Duration refreshInterval, Duration settleTime) {}

  /** {@code nobodyStays}: whether the maps end when this node leaves. */
  DirectClusterManager(HazelcastInstance hazelcast, BooleanSupplier nobodyStays, Times times) {
    super(hazelcast);
    this.hazelcast = hazelcast;
    this.nobodyStays = nobodyStays;
    this.times = times;
  }

  @Override
  public void init(Vertx vertx) {
    super.init(vertx);
    this.vertx = vertx;
  }

  @Override
  public void join(Completable<Void> joined) {
    super.join((_, failure) -> {
      if (failure == null) {
        long millis = times.refreshInterval.toMillis();
        var _ =
            changes.scheduleWithFixedDelay(
                this::refreshAfterChange, millis, millis, TimeUnit.MILLISECONDS);
      }
      joined.complete(null, failure);
    });
  }

  @Override
  public void leave(Completable<Void> left) {
    if (leaving && nobodyStays.getAsBoolean()) {
      changes.shutdown(); // the listeners, which members that are gone must answer for, end as well
      left.succeed();
      return;
    }
    var first = inTime(left);
    super.leave((_, failure) -> {
      changes.shutdown();
      first.complete(failure);
    });
  }

  @Override
  public void getNodeInfo(String nodeId, Completable<NodeInfo> found) {
    var member = memberOf(nodeId);
    var info = member == null ? null : infoOf(member);
    if (info == null) {
      super.getNodeInfo(nodeId, found);
    } else {
      found.succeed(info);
    }
  }

  private static @Nullable NodeInfo infoOf(Member member) {
    @Nullable String host = member.getAttribute(MemberConfig.NODE_BUS_HOST);
    @Nullable String port = member.getAttribute(MemberConfig.NODE_BUS_PORT);
    return host == null || port == null ? null : new NodeInfo(host, Integer.parseInt(port), null);
  }

  @Override
  public void getRegistrations(String address, Completable<List<RegistrationInfo>> found) {
    var running = vertx;
    var nodeId = Addresses.nodeOf(address);
    if (running == null || nodeId == null) {
      super.getRegistrations(address, found);
      return;
    }
    if (address.equals(Addresses.answers(nodeId)) && memberOf(nodeId) != null) {
      found.succeed(List.of(registration(nodeId)));
      return;
    }
    Promise<List<RegistrationInfo>> first = Promise.promise();
    first.future().onComplete(found);
    long timer =
        running.setTimer(
            times.lookupMax.toMillis(), _ -> first.tryComplete(presumed(address, nodeId)));
    super.getRegistrations(
        address,
        (registrations, failure) -> {
          if (running.cancelTimer(timer)) {
            first.tryComplete(failure == null ? registrations : presumed(address, nodeId));
          }
        });
  }

  /** From now on it does not wait for clean-up that other nodes do when this one has left. */
  void leaves() {
    leaving = true;
  }

  @Override
  public void removeRegistration(String address, RegistrationInfo info, Completable<Void> removed) {
    if (!leaving) {
      super.removeRegistration(address, info, removed);
      return;
    }
    if (nobodyStays.getAsBoolean()) {
      removed.succeed();
      return;
    }
    var first = inTime(removed);
    super.removeRegistration(address, info, (_, _) -> first.complete(null));
  }

  /** To be completed with the failure, if any; done without one after {@link Times#lookupMax}. */
  private CompletableFuture<@Nullable Throwable> inTime(Completable<Void> done) {
    var first = new CompletableFuture<@Nullable Throwable>();
    var _ = first.thenAccept(failure -> done.complete(null, failure));
    return first.completeOnTimeout(null, times.lookupMax.toMillis(), TimeUnit.MILLISECONDS);
  }

  private List<RegistrationInfo> presumed(String address, String nodeId) {
    var member = memberOf(nodeId);
    boolean listens = member != null && !member.isLiteMember();
    log.atLevel(leaving ? Level.DEBUG : Level.WARN)
        .addKeyValue("address", address)
        .addKeyValue("presumed", listens)
        .log("bus.lookup_unanswered");
    return listens ? List.of(registration(nodeId)) : List.of();
  }

  private static RegistrationInfo registration(String nodeId) {
    return new RegistrationInfo(nodeId, 0, false);
  }

  @Override
  public void memberAdded(MembershipEvent event) {
    follow(() -> super.memberAdded(event));
  }

  @Override
  public void memberRemoved(MembershipEvent event) {
    follow(() -> {
      @Nullable String nodeId = event.getMember().getAttribute(MemberConfig.NODE_ID);
      if (nodeId == null || memberOf(nodeId) == null) {
        super.memberRemoved(event);
      } else {
        refresh(); // gone and back again
      }
    });
  }

  @Override
  public void stateChanged(LifecycleEvent event) {
    follow(() -> super.stateChanged(event));
  }

  private void refreshAfterChange() {
    if (System.nanoTime() - changedNanos < times.settleTime.toNanos()) {
      refresh();
    }
  }

  /**
   * What the manager does after a split: drops what it knows of others, says what it has itself.
   */
  private void refresh() {
    guarded(() -> super.stateChanged(new LifecycleEvent(LifecycleState.MERGED)));
  }

  private void follow(Runnable change) {
    if (leaving) {
      return; // remaining nodes clean up the maps; when all leave at once, no node keeps them
    }
    changedNanos = System.nanoTime();
    changes.execute(() -> guarded(change));
  }

  /** A failure in a changing cluster is repaired by the next refresh. */
  private void guarded(Runnable change) {
    try {
      change.run();
    } catch (RuntimeException e) {
      log.atLevel(leaving ? Level.DEBUG : Level.WARN)
          .addKeyValue("cause", e.toString())
          .log("bus.change_not_followed");
    }
  }

  private @Nullable Member memberOf(String nodeId) {
    for (var member : hazelcast.getCluster().getMembers()) {
      if (nodeId.equals(member.getAttribute(MemberConfig.NODE_ID))) {
        return member;
      }
    }
    return null;
  }
}
