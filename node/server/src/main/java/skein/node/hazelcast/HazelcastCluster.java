package skein.node.hazelcast;

import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.cluster.MembershipListener;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import com.hazelcast.partition.MigrationListener;
import com.hazelcast.partition.MigrationState;
import com.hazelcast.partition.NoDataMemberInClusterException;
import com.hazelcast.partition.Partition;
import com.hazelcast.partition.PartitionService;
import com.hazelcast.partition.ReplicaMigrationEvent;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.Cluster;
import skein.codecs.Format;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.node.config.NodeConfig.Role;

/**
 * The nodes among the members that Hazelcast sees; other services that have joined are none. The
 * owner of an instance is the owner of its id's partition; lite members own none, which is why
 * nodes that do not execute are lite members, and services must be.
 */
public final class HazelcastCluster implements Cluster {
  private static final Logger log = LoggerFactory.getLogger(HazelcastCluster.class);

  private final HazelcastInstance hazelcast;
  private final PartitionService partitions;
  private final InstancePartitions instancePartitions;
  private final Node self;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile View view;
  private volatile Set<String> aside = Set.of();

  /** Nodes by member, so that asking for an owner asks Hazelcast for nothing but the partition. */
  private record View(
      Map<UUID, Node> nodes, List<Node> oldestFirst, boolean anyExecutes, int formatOfAll) {
    static View of(HazelcastInstance hazelcast) {
      var nodes =
          hazelcast.getCluster().getMembers().stream()
              .filter(HazelcastCluster::isNode)
              .collect(Collectors.toUnmodifiableMap(Member::getUuid, HazelcastCluster::nodeOf));
      return new View(
          nodes,
          hazelcast.getCluster().getMembers().stream()
              .filter(member -> nodes.containsKey(member.getUuid()))
              .map(member -> nodes.get(member.getUuid()))
              .toList(),
          nodes.values().stream().anyMatch(Node::executes),
          nodes.values().stream().mapToInt(Node::format).min().orElse(Format.oldestWritten()));
    }
  }

  HazelcastCluster(HazelcastInstance hazelcast, InstancePartitions instancePartitions) {
    this.hazelcast = hazelcast;
    this.partitions = hazelcast.getPartitionService();
    this.instancePartitions = instancePartitions;
    this.self = nodeOf(hazelcast.getCluster().getLocalMember());
    this.view = View.of(hazelcast);
    hazelcast.getCluster().addMembershipListener(new Changes());
    hazelcast
        .getLifecycleService()
        .addLifecycleListener(event -> {
          if (event.getState() == LifecycleState.MERGED) {
            log.atWarn().log("cluster.merged");
            changed();
          }
        });
    hazelcast.getPartitionService().addMigrationListener(new Moves());
    changed();
  }

  private static boolean isNode(Member member) {
    return member.getAttribute(MemberConfig.NODE_NAME) != null;
  }

  private static Node nodeOf(Member member) {
    var id = member.getAttribute(MemberConfig.NODE_ID);
    var name = member.getAttribute(MemberConfig.NODE_NAME);
    return new Node(
        id == null ? member.getUuid().toString() : id,
        name == null ? member.getAddress().toString() : name,
        lanesOf(member),
        formatOf(member),
        activitiesOf(member));
  }

  /** A node that has the role executes what reaches it, though it may own nothing for now. */
  private static int lanesOf(Member member) {
    @Nullable String roles = member.getAttribute(MemberConfig.NODE_ROLES);
    if (roles == null ? member.isLiteMember() : !roles.contains(Role.EXECUTION.name())) {
      return 0;
    }
    @Nullable String lanes = member.getAttribute(MemberConfig.NODE_LANES);
    return lanes == null ? 1 : Integer.parseInt(lanes);
  }

  private static Set<String> activitiesOf(Member member) {
    @Nullable String types = member.getAttribute(MemberConfig.NODE_ACTIVITIES);
    return types == null || types.isEmpty() ? Set.of() : Set.of(types.split(","));
  }

  private static int formatOf(Member member) {
    @Nullable String format = member.getAttribute(MemberConfig.NODE_FORMAT);
    return format == null ? Format.oldestWritten() : Integer.parseInt(format);
  }

  /**
   * The names of the nodes that joined before this one and use another database; of two such nodes
   * the younger has to leave.
   */
  public List<String> onOtherDatabase() {
    var local = hazelcast.getCluster().getLocalMember();
    return hazelcast.getCluster().getMembers().stream()
        .takeWhile(member -> !member.localMember())
        .filter(member -> isNode(member) && differ(databaseOf(member), databaseOf(local)))
        .map(member -> nodeOf(member).name())
        .toList();
  }

  /** Empty when it does not say. */
  private static String databaseOf(Member member) {
    @Nullable String id = member.getAttribute(MemberConfig.NODE_DATABASE);
    return id == null ? "" : id;
  }

  @Override
  public List<String> membersWithOtherTenancy() {
    var own = tenancyOf(hazelcast.getCluster().getLocalMember());
    return hazelcast.getCluster().getMembers().stream()
        .filter(member -> isNode(member) && differ(tenancyOf(member), own))
        .map(member -> nodeOf(member).name())
        .toList();
  }

  /** Empty when it does not say. */
  private static String tenancyOf(Member member) {
    @Nullable String enabled = member.getAttribute(MemberConfig.NODE_TENANCY);
    return enabled == null ? "" : enabled;
  }

  private static boolean differ(String one, String other) {
    return !one.isEmpty() && !other.isEmpty() && !one.equals(other);
  }

  @Override
  public Node self() {
    return self;
  }

  @Override
  public boolean isRunning() {
    return hazelcast.getLifecycleService().isRunning();
  }

  @Override
  public Node ownerOf(InstanceId instanceId) {
    var current = view;
    if (!current.anyExecutes) {
      throw notReady("No node with the execution role is there");
    }
    var owner = partitionOwner(instanceId);
    var node = current.nodes.get(owner.getUuid());
    var found = node == null ? nodeOf(owner) : node;
    return aside.isEmpty() ? found : atWork(found, instanceId, current);
  }

  /** Another node in place of an owner that has stepped aside, always the same for an instance. */
  private Node atWork(Node owner, InstanceId instanceId, View current) {
    var out = aside;
    if (out.contains(self.id())) {
      throw notReady(
          "Node "
              + self.name()
              + " has stepped aside, since messages between it and other nodes are lost: ask another");
    }
    if (!out.contains(owner.id())) {
      return owner;
    }
    var able =
        current.oldestFirst.stream()
            .filter(node -> node.executes() && !out.contains(node.id()))
            .sorted(Comparator.comparing(Node::id))
            .toList();
    if (able.isEmpty()) {
      throw notReady("The nodes that execute have stepped aside");
    }
    return able.get(Math.floorMod(instanceId.value().hashCode(), able.size()));
  }

  @Override
  public boolean isAside(String nodeId) {
    return aside.contains(nodeId);
  }

  boolean isAside(Member member) {
    @Nullable String id = member.getAttribute(MemberConfig.NODE_ID);
    return id != null && aside.contains(id);
  }

  /** {@code nodes}: by id, who has stepped aside from now on. */
  public void setAside(Set<String> nodes) {
    aside = Set.copyOf(nodes);
    changed();
  }

  private Member partitionOwner(InstanceId instanceId) {
    try {
      @Nullable Member owner = instancePartitions.of(instanceId).getOwner();
      if (owner == null) {
        throw notReady("The cluster is deciding who owns instance " + instanceId);
      }
      return owner;
    } catch (NoDataMemberInClusterException e) {
      throw new SkeinException(
          ErrorCode.NOT_READY, "No node with the execution role is there", List.of(), e);
    }
  }

  private static SkeinException notReady(String why) {
    return new SkeinException(ErrorCode.NOT_READY, why);
  }

  @Override
  public List<String> owners() {
    return partitions.getPartitions().stream()
        .sorted(Comparator.comparingInt(Partition::getPartitionId))
        .map(Partition::getOwner)
        .map(owner -> owner == null ? "" : nodeOf(owner).id())
        .toList();
  }

  @Override
  public List<Node> members() {
    return view.oldestFirst;
  }

  @Override
  public int formatOfAll() {
    return view.formatOfAll;
  }

  @Override
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }

  /** To be called when the listeners stop. */
  public void tellNobody() {
    listeners.clear();
  }

  private void changed() {
    view = View.of(hazelcast);
    for (var listener : listeners) {
      try {
        listener.run();
      } catch (RuntimeException e) {
        log.atError().setCause(e).log("cluster.listenerFailed");
      }
    }
  }

  /** Owners also change while no node joins or leaves, when a node is paused or resumed. */
  private final class Moves implements MigrationListener {
    @Override
    public void migrationStarted(MigrationState state) {
      // what matters is where instances are in the end
    }

    @Override
    public void migrationFinished(MigrationState state) {
      changed();
    }

    @Override
    public void replicaMigrationCompleted(ReplicaMigrationEvent event) {
      // one of many
    }

    @Override
    public void replicaMigrationFailed(ReplicaMigrationEvent event) {
      // tried again by Hazelcast
    }
  }

  private final class Changes implements MembershipListener {
    @Override
    public void memberAdded(MembershipEvent event) {
      report("node.joined", event);
    }

    @Override
    public void memberRemoved(MembershipEvent event) {
      report("node.left", event);
    }

    private void report(String what, MembershipEvent event) {
      var member = event.getMember();
      if (!isNode(member) && !member.isLiteMember()) {
        // it is given locks and instances that it can do nothing with
        log.atError().addKeyValue("member", member.getAddress()).log("cluster.serviceNotLite");
      }
      log.atInfo()
          .addKeyValue("node", nodeOf(member).name())
          .addKeyValue("members", event.getMembers().size())
          .log(what);
      changed();
    }
  }
}
