package skein.storage;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.model.InstanceId;
import skein.model.WorkflowStatus;

/** The states of instances as commands need them. Thread-safe. */
public interface InstanceStates {
  /** The last committed state; null when there is no such instance. */
  Future<@Nullable NamedState> state(InstanceId id);

  /**
   * The last committed state and what its history says of a command, both of one moment: a command
   * that is decided on this state is not in it already, unless it is said here.
   */
  Future<Snapshot> snapshot(InstanceId id, UUID commandId);

  /**
   * Ids of children that have not ended, {@code max} at most. An instance of another tenant that
   * names this parent is not its child.
   */
  Future<List<InstanceId>> unfinishedChildren(InstanceId parent, int max);

  /**
   * Whether the instance was cancelled; false when the tenant has none with this id.
   *
   * @param tenant empty: the default tenant
   */
  Future<Boolean> isCancelled(InstanceId id, String tenant);

  /** Removes an instance and all that is its own; false when there was none. */
  Future<Boolean> delete(InstanceId id);

  /**
   * @param state null when there is no such instance
   * @param executed null when the command is not in the instance's history
   */
  record Snapshot(@Nullable NamedState state, @Nullable Executed executed) {}

  /**
   * What the journal holds of a command.
   *
   * @param revision that it made
   * @param at when it was decided
   * @param status of the instance after it; null for what a node of an older version has written
   * @param reply that it was given, where that does not follow from the rest, encoded
   */
  record Executed(
      long revision, Instant at, @Nullable WorkflowStatus status, @Nullable Buffer reply) {}
}
