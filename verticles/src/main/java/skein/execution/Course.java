package skein.execution;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.jspecify.annotations.Nullable;
import skein.messages.Reply;
import skein.model.WorkflowInstance;

/**
 * How far a command has come: when it has decided, the next one of its instance may decide on what
 * will be there once it is committed. Of one event loop.
 */
final class Course {
  private final Promise<Reply> ended = Promise.promise();
  private @Nullable Course before;
  private @Nullable WorkflowInstance decided;
  private Runnable onDecided = () -> {};

  /** {@code previous}: the command that it follows; null: it begins when there is none. */
  void begin(@Nullable Course previous, Runnable whenDecided) {
    before = previous;
    onDecided = whenDecided;
  }

  @Nullable Course before() {
    return before;
  }

  void decide(WorkflowInstance next) {
    decided = next;
    onDecided.run();
  }

  /** What was decided will not be committed. */
  void undo() {
    decided = null;
  }

  /** The state that is being committed; null while there is none. */
  @Nullable WorkflowInstance decided() {
    return decided;
  }

  void end(Future<Reply> result) {
    before = null;
    decided = null;
    result.onComplete(ended);
  }

  Future<Reply> ended() {
    return ended.future();
  }
}
