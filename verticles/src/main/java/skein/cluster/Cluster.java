package skein.cluster;

import java.util.List;
import skein.model.InstanceId;

/** The members as this node sees them now. Safe to call from any thread; never blocks. */
public interface Cluster {
  /** This node's id; new with every start. */
  String nodeId();

  /** This node's name from the configuration, for people. */
  String nodeName();

  /**
   * The node that should execute this instance. Two nodes may for a moment disagree: that is
   * slower, never wrong.
   *
   * @throws skein.model.SkeinException {@code NOT_READY} when no node with the execution role is
   *     there
   */
  String ownerOf(InstanceId instanceId);

  /** Ids of all members, this one included, whatever their roles. */
  List<Node> members();

  /** Runs after members joined or left or two clusters merged; on any thread. */
  void onChange(Runnable listener);

  /** A member: its id and name and whether it executes instances. */
  record Node(String id, String name, boolean executes) {}
}
