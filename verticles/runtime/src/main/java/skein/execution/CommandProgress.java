package skein.execution;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import skein.loop.EventLoop;
import skein.storage.NamedState;

/**
 * The progress of a command. Once it is decided, the next command of the instance may be decided on
 * the state that it proposes, before that is committed. Confined to one event loop.
 */
final class CommandProgress {
  private final EventLoop loop;
  private final Promise<Void> settled = Promise.promise();
  private @Nullable CommandProgress before;
  private @Nullable NamedState proposed;
  private Runnable onProposed = () -> {};

  CommandProgress(EventLoop loop) {
    this.loop = loop;
  }

  /** {@code previous}: the command that it follows; null: it begins when there is none. */
  void begin(@Nullable CommandProgress previous, Runnable whenProposed) {
    loop.check();
    before = previous;
    onProposed = whenProposed;
  }

  @Nullable CommandProgress before() {
    loop.check();
    return before;
  }

  /** It was decided, and its commit is under way. */
  void propose(NamedState state) {
    loop.check();
    proposed = state;
    onProposed.run();
  }

  /** The proposal was not committed. */
  void withdraw() {
    loop.check();
    proposed = null;
  }

  /** Whether this state is being committed, or has been. */
  boolean proposes(NamedState state) {
    loop.check();
    return proposed != null && Objects.equals(proposed.id(), state.id());
  }

  /** The state that is being committed, or has been; null when there is none. */
  @Nullable NamedState proposed() {
    loop.check();
    return proposed;
  }

  void end() {
    loop.check();
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
    loop.check();
    return settled.future();
  }
}
