package skein.cluster;

import java.time.Duration;
import skein.model.InstanceId;

/**
 * Commands of one instance that have not begun on a node.
 *
 * @param count 1 or more
 * @param waitedFor since the oldest of them arrived
 * @param reason what they wait for
 */
public record WaitingCommands(InstanceId id, int count, Duration waitedFor, Reason reason) {
  /** What commands wait for. */
  public enum Reason {
    /** The lock of the instance, which another node holds or which has not been answered for. */
    LOCK,
    /** The commands of the instance before them, on a node that has its lock. */
    COMMANDS
  }
}
