package skein.execution;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import skein.storage.NamedState;

/**
 * How far a command has come. Once it is decided, the next command of the instance may be decided
 * on the state that it proposes, before that is committed. Confined to one event loop.
 */
final class CommandProgress {
  private final Promise<Void> settled = Promise.promise();
  private @Nullable CommandProgress before;
  private @Nullable NamedState proposed;
  private Runnable onProposed = () -> {};

  /** {@code previous}: the command that it follows; null: it begins when there is none. */
  void begin(@Nullable CommandProgress previous, Runnable whenProposed) {
    before = previous;
    onProposed = whenProposed;
  }

  @Nullable CommandProgress before() {
    return before;
  }

  /** It was decided, and its commit is under way. */
  void propose(NamedState state) {
    proposed = state;
    onProposed.run();
  }

  /** What was proposed is not committed. */
  void withdraw() {
    proposed = null;
  }

  /** Whether this state is being committed, or has been. */
  boolean proposes(NamedState state) {
    return proposed != null && Objects.equals(proposed.id(), state.id());
  }

  /** The state that is being committed, or has been; null when there is none. */
  @Nullable NamedState proposed() {
    return proposed;
  }

  void end() {
    var previous = before;
    before = null;
    if (previous == null) {
      settled.complete();
    } else {
      previous.settled().onComplete(settled);
    }
  }

  /**
   * Succeeds when the command has ended, and all that it followed: one may be refused before them.
   */
  Future<Void> settled() {
    return settled.future();
  }
}
