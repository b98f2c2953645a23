package skein.node.hazelcast;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.Locks;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.node.config.ClusterConfig;
import skein.node.config.HostPort;
import skein.node.config.NodeConfig;
import skein.node.config.NodeConfig.Role;
import skein.peers.BusAuthentication;
import skein.peers.ClusterSecret;
import skein.peers.GuardedMember;
import skein.peers.PeerGuard;
import skein.peers.UnusableTlsException;

/** This node's membership of the cluster, from joining to leaving. */
public final class HazelcastMember {
  private static final Logger log = LoggerFactory.getLogger(HazelcastMember.class);
  private static final long EXECUTOR_LOOK_MILLIS = 100;
  private static final int ATTEMPTS_MAX = 10;
  private static final Duration RETRY_DELAY = Duration.ofMillis(100);

  /** Other nodes may be joining for some seconds. */
  private static final int JOIN_ATTEMPTS_MAX = 20;

  private static final Duration JOIN_RETRY_DELAY = Duration.ofMillis(500);

  private final NodeConfig config;
  private final HazelcastInstance hazelcast;
  private final EventBusOptions bus;
  private final PeerGuard guard;
  private final InstancePartitions instancePartitions;
  private final HazelcastCluster cluster;
  private final LeavingNodes leavers;
  private final @Nullable NodeAddresses addresses;
  private volatile @Nullable DirectClusterManager manager;
  private volatile boolean leaving;

  private HazelcastMember(
      NodeConfig config,
      HazelcastInstance hazelcast,
      EventBusOptions bus,
      PeerGuard guard,
      @Nullable NodeAddresses addresses) {
    this.config = config;
    this.hazelcast = hazelcast;
    this.bus = bus;
    this.guard = guard;
    this.addresses = addresses;
    this.instancePartitions = new InstancePartitions(hazelcast.getPartitionService());
    this.cluster = new HazelcastCluster(hazelcast, instancePartitions);
    this.leavers = new LeavingNodes(hazelcast);
  }

  /** The cluster uses another database than a node that wanted to join it. */
  public static final class OtherDatabaseException extends RuntimeException {
    OtherDatabaseException(String cluster, List<String> nodes) {
      super(
          "The nodes "
              + String.join(", ", nodes)
              + " of cluster "
              + cluster
              + " use another database than this node: set database.url and database.schema to"
              + " theirs, or give this node another cluster.name");
    }
  }

  /**
   * Joins the others, or begins a cluster; blocks for {@code cluster.join-wait} and more. The
   * addresses of {@code facts} are closed by {@link #stop}, and when this fails.
   *
   * @param traffic counts what other members send
   * @throws OtherDatabaseException a node that was there before uses another one; this node has
   *     left again and owned nothing
   * @throws GuardedMember.SecretDiffersException there are others, but none with its secret
   * @throws GuardedMember.TlsDiffersException there are others, but none whose TLS fits its own
   * @throws Peers.UnprotectedException there is neither a secret nor TLS, and other machines would
   *     reach the ports
   * @throws ClusterSecret.UnusableException its file cannot be used
   * @throws UnusableTlsException one of its files cannot be used
   */
  public static HazelcastMember start(NodeConfig config, MemberFacts facts, PeerTraffic traffic) {
    try {
      return join(config, facts, traffic);
    } catch (RuntimeException e) {
      if (facts.addresses() != null) {
        facts.addresses().close();
      }
      throw e;
    }
  }

  private static HazelcastMember join(NodeConfig config, MemberFacts facts, PeerTraffic traffic) {
    var addresses = facts.addresses();
    var address = LocalAddress.of(config.cluster().host(), others(config.cluster(), addresses));
    var nodeId = UUID.randomUUID().toString();
    var guard = Peers.guard(config.cluster(), address, addresses);
    if (addresses != null) {
      enter(addresses, config.cluster(), address, nodeId);
    }
    var bus = BusSettings.of(config.cluster(), address);
    var settings = MemberConfig.of(config, nodeId, address, bus, facts);
    var context =
        new GuardedContext(guard, config.cluster().bus().packetBytesMax(), traffic.members());
    var hazelcast = GuardedMember.start(settings, guard, context);
    var member = new HazelcastMember(config, hazelcast, bus, guard, addresses);
    var strangers = member.cluster.onOtherDatabase();
    if (!strangers.isEmpty()) {
      hazelcast.getLifecycleService().shutdown();
      throw new OtherDatabaseException(config.cluster().name(), strangers);
    }
    if (member.isAlone()) {
      member.takeOver(); // one node has to keep what all members share
    }
    return member;
  }

  /** Hosts that this one must reach. */
  private static List<String> others(ClusterConfig cluster, @Nullable NodeAddresses addresses) {
    if (addresses != null) {
      return addresses.hosts();
    }
    return cluster.serviceDns().isEmpty()
        ? cluster.members().stream().map(HostPort::host).toList()
        : List.of(cluster.serviceDns());
  }

  /** Before its ports are open: of two that start at once one at least knows of the other. */
  private static void enter(
      NodeAddresses addresses, ClusterConfig cluster, String address, String nodeId) {
    addresses.enter(
        MemberConfig.clusterName(cluster.name()), new HostPort(address, cluster.port()), nodeId);
    var others = addresses.others();
    log.atInfo()
        .addKeyValue("address", address)
        .addKeyValue("others", others)
        .log("cluster.discovered");
    var unlike =
        others.stream()
            .filter(
                other -> LocalAddress.isLoopback(other.host()) != LocalAddress.isLoopback(address))
            .toList();
    if (!unlike.isEmpty()) {
      log.atWarn()
          .addKeyValue("address", address)
          .addKeyValue("others", unlike)
          .addKeyValue("cure", "give those on loopback a cluster.host that the others reach")
          .log("cluster.outOfReach");
    }
  }

  private List<Member> others() {
    return hazelcast.getCluster().getMembers().stream().filter(m -> !m.localMember()).toList();
  }

  /**
   * Owns its part of the instances from now on, if it has the role; without effect on a member that
   * does. They move while it is at work.
   */
  public void takeOver() {
    if (!config.node().has(Role.EXECUTION)) {
      return;
    }
    for (int attempt = 1; isLite(); attempt++) {
      try {
        hazelcast.getCluster().promoteLocalLiteMember();
      } catch (IllegalStateException e) {
        beforeNext(attempt, e);
      }
    }
    hazelcast.getPartitionService().getPartition("").getOwner(); // hands out the partitions
  }

  /**
   * Owns no instances any more and stays a member; returns when others own them, and what was kept
   * here is safe with them. Without effect on a member that owns none.
   *
   * @throws SkeinException {@code LAST_NODE} when no other node could own them; nothing has changed
   */
  public void handOver() {
    for (int attempt = 1; !isLite(); attempt++) {
      try {
        hazelcast.getCluster().demoteLocalDataMember();
      } catch (IllegalStateException e) {
        if (isAlone()) {
          throw lastNode();
        }
        beforeNext(attempt, e);
      }
    }
  }

  public SkeinException lastNode() {
    return new SkeinException(
        ErrorCode.LAST_NODE,
        "No other node executes instances at the moment: start or resume one first");
  }

  /** Whether no other member could own the instances. */
  public boolean isAlone() {
    return others().stream().allMatch(Member::isLiteMember);
  }

  /** Whether no other member will own the instances: those that could leave as well. */
  public boolean nobodyStays() {
    return others().stream().allMatch(member -> member.isLiteMember() || leavers.isLeaving(member));
  }

  /** For a node that leaves when {@link #nobodyStays}: it does not hand over. */
  public void keeps() {
    leavers.say(cluster.nodeId(), LeavingNodes.Step.KEEPING);
  }

  /** Whether another node that leaves has handed over, or does so: it needs one that owns. */
  public boolean isNeeded() {
    return others().stream()
        .anyMatch(member -> leavers.isLeaving(member) && !leavers.isKeeping(member));
  }

  /** Names the database that this node uses; empty: not known. */
  public String databaseId() {
    @Nullable String id =
        hazelcast.getCluster().getLocalMember().getAttribute(MemberConfig.NODE_DATABASE);
    return id == null ? "" : id;
  }

  /** How many of the parts, 271 by default, in which the instances are shared out are here. */
  public int partitions() {
    return (int)
        hazelcast.getPartitionService().getPartitions().stream()
            .filter(p -> p.getOwner() != null && p.getOwner().localMember())
            .count();
  }

  private boolean isLite() {
    return hazelcast.getCluster().getLocalMember().isLiteMember();
  }

  /** Hazelcast refuses while the oldest member changes. */
  private static void beforeNext(int attempt, IllegalStateException refused) {
    if (attempt == ATTEMPTS_MAX) {
      throw new SkeinException(
          ErrorCode.NOT_READY, "The cluster is changing; try again", List.of(), refused);
    }
    try {
      Thread.sleep(RETRY_DELAY);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }

  /** Executing nodes keep the cluster's data; without one nothing can be asked. */
  private void awaitExecutor(Duration max) {
    long end = System.nanoTime() + max.toNanos();
    for (boolean told = false; hasNoExecutor(); told = true) {
      if (!told) {
        log.atInfo().addKeyValue("waitMs", max.toMillis()).log("cluster.awaits_executor");
      }
      if (System.nanoTime() > end) {
        throw new SkeinException(
            ErrorCode.NOT_READY,
            "No node with the role execution has joined within cluster.executor-wait ("
                + max.toSeconds()
                + " s): start one, or give this node that role");
      }
      LockSupport.parkNanos(Duration.ofMillis(EXECUTOR_LOOK_MILLIS).toNanos());
    }
  }

  private boolean hasNoExecutor() {
    return hazelcast.getCluster().getMembers().stream().allMatch(Member::isLiteMember);
  }

  /**
   * Must be closed before {@link #stop}; {@code transport} is given what authenticates the
   * connections of its bus. For a node without the role {@code execution} this blocks until one
   * with it is there, {@code cluster.executor-wait} at most.
   *
   * @throws SkeinException {@code NOT_READY} when there is none in time
   */
  public Future<Vertx> vertx(
      VertxOptions options, Function<BusAuthentication, Transport> transport) {
    awaitExecutor(config.cluster().detection().executorWait());
    return new UnsettledCluster(JOIN_ATTEMPTS_MAX, JOIN_RETRY_DELAY)
        .call(() -> joined(options, transport));
  }

  private Future<Vertx> joined(
      VertxOptions options, Function<BusAuthentication, Transport> transport) {
    var limits = config.cluster().bus();
    var direct =
        new DirectClusterManager(
            hazelcast,
            this::nobodyStays,
            new DirectClusterManager.Times(
                limits.lookupMax(), limits.refreshInterval(), limits.settleTime()));
    manager = direct;
    return Vertx.builder()
        .with(options.setEventBusOptions(BusAuthentication.marked(bus)))
        .withTransport(transport.apply(new BusAuthentication(guard)))
        .withClusterManager(direct)
        .buildClustered();
  }

  public HazelcastCluster cluster() {
    return cluster;
  }

  /** The locks that the members keep among themselves; they are given up when they leave. */
  public Locks locks(Vertx vertx) {
    var execution = config.execution();
    return new ShardLocks(
        hazelcast,
        instancePartitions,
        vertx,
        new ShardLocks.Options(
            execution.lockExpiry(), execution.lockHandover(), execution.lockAnswerMax()),
        cluster::isAside);
  }

  public HazelcastInstance hazelcast() {
    return hazelcast;
  }

  /**
   * {@code listener}: called once when the membership ends, or has ended, and this node did not
   * leave, on a thread of Hazelcast or this one.
   */
  public void onUnexpectedEnd(Runnable listener) {
    var told = new AtomicBoolean();
    Runnable ended =
        () -> {
          if (!leaving && told.compareAndSet(false, true)) {
            listener.run();
          }
        };
    hazelcast
        .getLifecycleService()
        .addLifecycleListener(event -> {
          if (event.getState() == LifecycleState.SHUTDOWN) {
            ended.run();
          }
        });
    if (!cluster.isRunning()) {
      ended.run();
    }
  }

  /**
   * To be called when this node begins to stop: the others are notified, and it need not clean up
   * what goes with it.
   */
  public void leaves() {
    leaving = true;
    leavers.say(cluster.nodeId(), LeavingNodes.Step.LEAVING);
    var known = manager;
    if (known != null) {
      known.leaves();
    }
  }

  /** Hands over what this member holds, if another can take it, then leaves. */
  public void stop() {
    leaving = true;
    if (nobodyStays()) {
      hazelcast.getLifecycleService().terminate(); // else it waits for who is gone
    } else {
      hazelcast.shutdown();
    }
    if (addresses != null) {
      addresses.close();
    }
  }
}
