package skein.execution;

import io.vertx.core.Future;
import skein.messages.Command;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.storage.Proposal;

/** The basis of a refusal. */
final class Refusals {
  private Refusals() {}

  /**
   * On the state that was decided on: with another one the command may succeed. What a form of a
   * task admits, what can be stored, and which version is executed are of the state, too, so only
   * refusals that pass by themselves are certainly not.
   */
  static boolean mayDependOnTheState(ErrorCode code) {
    return code == ErrorCode.IN_PROGRESS || !code.isTransient();
  }

  /** On the state that was decided: it cannot be stored as it would be. */
  static boolean isTooMuch(ErrorCode code) {
    return code == ErrorCode.STATE_TOO_LARGE || code == ErrorCode.TOO_DEEP;
  }

  /** Whether the instance is faulted when the command makes its state too much. */
  static boolean faultsInstance(Command command) {
    return command instanceof Command.Resume || command instanceof Command.Fire;
  }

  /**
   * A state that cannot be stored was not stored; its cause may be a state that was never
   * committed.
   */
  static Future<Proposal.Outcome> asAbandoned(Throwable e) {
    return e instanceof SkeinException refusal && refusal.code().isTransient()
        ? Future.failedFuture(e)
        : Future.succeededFuture(Proposal.Outcome.ABANDONED);
  }
}
