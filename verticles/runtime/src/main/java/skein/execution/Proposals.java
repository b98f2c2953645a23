package skein.execution;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.activities.UnknownActivity;
import skein.codecs.ReplyBytes;
import skein.decisions.Decision;
import skein.decisions.Replies;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.Effect;
import skein.model.Incident;
import skein.model.Transition;
import skein.model.WorkflowInstance;
import skein.storage.NamedState;
import skein.storage.Proposal;

/**
 * Makes the proposals that are committed: a transition with the id of its new state and the replies
 * that the commit keeps.
 */
final class Proposals {
  private final ExecutionDependencies dependencies;

  Proposals(ExecutionDependencies dependencies) {
    this.dependencies = dependencies;
  }

  /** Null when the decision commits nothing, or newer nodes must take it. */
  @Nullable Proposal of(Work work, NamedState base, Decision decision) {
    return decision instanceof Decision.Commit(var transition, _)
            && !isLeftToNewer(base.instance(), transition)
        ? of(work, base, transition)
        : null;
  }

  /** {@code base}: null when the transition makes the instance. */
  Proposal of(Work work, @Nullable NamedState base, Transition transition) {
    var reply =
        answersHttp(transition) ? Buffer.buffer(encoded(Replies.done(transition, false))) : null;
    var random = dependencies.deciding().random();
    var stateId = new UUID(random.nextLong(), random.nextLong());
    return Proposal.of(withKeptReply(work, transition), base, stateId, reply);
  }

  private static boolean answersHttp(Transition transition) {
    for (var effect : transition.effects()) {
      if (effect instanceof Effect.HttpAnswer) {
        return true;
      }
    }
    return false;
  }

  /** A request with a key has its answer kept by the commit itself. */
  private Transition withKeptReply(Work work, Transition transition) {
    var key = work.key();
    if (key == null) {
      return transition;
    }
    var reply = Replies.done(transition, Replies.wantsState(work.command()));
    return transition.withKept(
        new Transition.Kept(key, encoded(reply), isComplete(work, transition)));
  }

  /** A state that is too large is refused here, as it would be by the committer. */
  private byte[] encoded(Reply reply) {
    return ReplyBytes.encode(reply, dependencies.options().commits().stateBytesMax());
  }

  /** Whether the reply is complete: for alterations the answer has more. */
  private static boolean isComplete(Work work, Transition transition) {
    return !(work.command() instanceof Command.Alter)
        && !PendingReplies.mayGoOn(work.command(), transition);
  }

  /** An activity that this node does not know may be one that newer nodes have. */
  boolean isLeftToNewer(@Nullable WorkflowInstance before, Transition transition) {
    if (!dependencies.peers().format().anyNewer()) {
      return false;
    }
    var known = before == null ? List.<Incident>of() : before.incidents();
    return transition.next().incidents().stream()
        .anyMatch(i -> i.type().equals(UnknownActivity.INCIDENT) && !known.contains(i));
  }
}
