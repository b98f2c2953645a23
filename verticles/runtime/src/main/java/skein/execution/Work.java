package skein.execution;

import io.vertx.core.Promise;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.cluster.Delivery;
import skein.cluster.Order;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.Timer;

/**
 * A command in a lane.
 *
 * @param promise of its sender
 * @param pendingReply in which the reply is part of the answer; another caller's where the command
 *     is the news that they wait for
 * @param arrivedAt by the clock of its event loop, in nanoseconds
 * @param contended whether it found other commands of its instance before it
 */
record Work(
    Order order,
    Promise<Reply> promise,
    PendingReply pendingReply,
    CommandProgress progress,
    long arrivedAt,
    boolean contended) {
  Command command() {
    return order.command();
  }

  UUID commandId() {
    return order.id();
  }

  /** An idempotency key that the commit demands and answers; null: none. */
  @Nullable String key() {
    return order.key();
  }

  /** Whether another lane may have it, or may have had it. */
  boolean isRepeated() {
    return order.delivery() == Delivery.REPEATED;
  }

  /**
   * Whether the command may be in the history of the state that it is decided on, so that deciding
   * it would do it a second time. A command that was sent to one lane of this node alone is
   * executed there once. One that came over the network may have been overtaken by its own
   * repetition; that does no harm where it consumes what it names.
   */
  boolean mayBeInHistory() {
    return switch (order.delivery()) {
      case LOCAL -> false;
      case REMOTE -> !consumesWhatItNames();
      case REPEATED -> true;
    };
  }

  private boolean consumesWhatItNames() {
    return switch (command()) {
      case Command.Start _,
          Command.Fork _,
          Command.Fire _,
          Command.Cancel _,
          Command.ChangeDue _,
          Command.Delete _ ->
          true;
      case Command.Resume resume -> resume.bookmarkId() != null;
      case Command.Alter _, Command.MintToken _, Command.RevokeToken _, Command.Task _ -> false;
    };
  }

  /** Whether it may be decided on a state that is not committed yet. */
  boolean mayFollow() {
    return !mayBeInHistory()
        && switch (command()) {
          case Command.Resume _, Command.Task _ -> true;
          case Command.Fire(var timer) ->
              timer.kind() == Timer.Kind.Resume || timer.kind() == Timer.Kind.ChildDone;
          default -> false;
        };
  }
}
