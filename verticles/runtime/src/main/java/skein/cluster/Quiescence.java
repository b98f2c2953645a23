package skein.cluster;

import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import skein.messages.Command;
import skein.model.ErrorCode;
import skein.model.RuntimePause;
import skein.model.SkeinException;

/**
 * Whether the lanes of this node begin new bursts: not while the runtime is paused, and not after a
 * forced drain until the process ends. What has begun continues. A refused command has changed
 * nothing, and work that must happen all the same is a row that fires later. Thread-safe.
 */
public final class Quiescence {
  private final AtomicReference<State> state = new AtomicReference<>(new State(null, null));

  /**
   * At one moment.
   *
   * @param pause of the whole cluster
   * @param drainedAt when this node was drained by force
   */
  public record State(@Nullable RuntimePause pause, @Nullable Instant drainedAt) {
    public boolean acceptsNewWork() {
      return pause == null && drainedAt == null;
    }
  }

  public State state() {
    return state.get();
  }

  public boolean acceptsNewWork() {
    return state.get().acceptsNewWork();
  }

  /**
   * Takes over what the database says.
   *
   * @return whether it is something else than before
   */
  public boolean follow(@Nullable RuntimePause pause) {
    var before = state.getAndUpdate(now -> new State(pause, now.drainedAt()));
    return !Objects.equals(before.pause(), pause);
  }

  /**
   * For the rest of this process.
   *
   * @return since when: the first time counts
   */
  public Instant drain(Instant now) {
    var drained =
        state.updateAndGet(
            was -> new State(was.pause(), was.drainedAt() == null ? now : was.drainedAt()));
    return Objects.requireNonNull(drained.drainedAt());
  }

  /**
   * Why a command is not begun now; null: it may begin. Those that run no activities always may.
   */
  public @Nullable SkeinException refusal(Command command) {
    if (acceptsNewWork()) {
      return null;
    }
    return switch (command) {
      case Command.Start _, Command.Fork _, Command.Resume _, Command.Fire _, Command.Alter _ ->
          refusal();
      case Command.Task(_, var action, _, _, _) ->
          action instanceof Command.TaskAction.Complete ? refusal() : null;
      // An operator ends or repairs instances: a pause may be meant for that.
      case Command.Cancel _,
          Command.Delete _,
          Command.MintToken _,
          Command.RevokeToken _,
          Command.ChangeDue _ ->
          null;
    };
  }

  /** Why new work is not begun now; null: it may begin. Says nothing of who paused, and why. */
  public @Nullable SkeinException refusal() {
    var now = state.get();
    if (now.drainedAt() != null) {
      return new SkeinException(
          ErrorCode.RUNTIME_PAUSED,
          "A node was drained by force and begins nothing new before its next start; nothing was"
              + " done");
    }
    return now.pause() == null
        ? null
        : new SkeinException(
            ErrorCode.RUNTIME_PAUSED,
            "The workflow runtime is paused and begins nothing new; nothing was done");
  }
}
