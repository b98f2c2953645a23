package skein.cluster;

import java.util.List;
import java.util.Set;
import skein.codecs.Format;
import skein.model.InstanceId;

/** The members as this node sees them now. Safe to call from any thread; never blocks. */
public interface Cluster {
  /** This node. */
  Node self();

  /** This node's id; new with every start. */
  default String nodeId() {
    return self().id();
  }

  /** This node's name from the configuration, for people. */
  default String nodeName() {
    return self().name();
  }

  /**
   * Whether this node is still a member; once its membership has ended the node cannot come back
   * without a new start.
   */
  default boolean isRunning() {
    return true;
  }

  /**
   * The node that should execute this instance. Two nodes may for a moment disagree: that is
   * slower, never wrong.
   *
   * @throws skein.model.SkeinException {@code NOT_READY} when no node with the execution role is
   *     there
   */
  Node ownerOf(InstanceId instanceId);

  /**
   * The ids of the nodes that own the parts in which all instances are shared out, in the order of
   * the parts; empty for a part without an owner. An empty list where there are no parts.
   */
  default List<String> owners() {
    return List.of();
  }

  /** All members, this one included, whatever their roles; the oldest first. */
  List<Node> members();

  /**
   * Whether a node has stepped aside because not all others hear it, or it not them. It owns
   * nothing until it comes back; all work is refused when this node is the one.
   */
  default boolean isAside(String nodeId) {
    return false;
  }

  /**
   * The names of the members whose {@code tenancy.enabled} is not as this node's, the oldest first;
   * without members of older versions, which do not say.
   */
  default List<String> membersWithOtherTenancy() {
    return List.of();
  }

  /** The newest format that every member reads: messages are written in it. */
  default int formatOfAll() {
    return members().stream().mapToInt(Node::format).min().orElse(self().format());
  }

  /**
   * Runs after members joined, left, stepped aside or came back, owners changed, or two clusters
   * merged; on any thread.
   */
  void onChange(Runnable listener);

  /**
   * A member.
   *
   * @param lanes among which it shares out the instances that it owns; 0: it executes none
   * @param format the newest that it reads, as in {@link Format}
   * @param activities the types of the activities of your own that it has
   */
  record Node(String id, String name, int lanes, int format, Set<String> activities) {
    /** A node of this version without activities of your own. */
    public Node(String id, String name, int lanes) {
      this(id, name, lanes, Format.newest(), Set.of());
    }

    public boolean executes() {
      return lanes > 0;
    }

    /** The lane of an instance on this node. */
    public int laneOf(InstanceId instanceId) {
      return Math.floorMod(instanceId.value().hashCode(), lanes);
    }
  }
}
