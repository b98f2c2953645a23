package skein.storage;

import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import skein.codecs.EncodedInstance;
import skein.model.InstanceId;
import skein.storage.Proposal.Outcome;

/**
 * The proposals of one instance, from the first until none is left. Confined to the event loop of
 * its {@link Committer}.
 */
final class Sequence {
  final InstanceId id;
  final ArrayDeque<Pending> waiting = new ArrayDeque<>();
  @Nullable Sent sent;

  Sequence(InstanceId id) {
    this.id = id;
  }

  /** Compared by identity. */
  static final class Pending {
    final Proposal proposal;
    final Consumer<EncodedInstance> committed;
    final long queuedAt;
    final Promise<Outcome> promise = Promise.promise();

    /** {@code committed}: as {@link Committer#commit(Proposal, Consumer)} has it. */
    Pending(Proposal proposal, Consumer<EncodedInstance> committed, long queuedAt) {
      this.proposal = proposal;
      this.committed = committed;
      this.queuedAt = queuedAt;
    }
  }

  /** Proposals that are sent together, once or more often. */
  static final class Sent {
    final List<Pending> members;
    final Chain chain;

    /** The state that the last of them makes. */
    final EncodedInstance state;

    /** About how much of a statement it takes. */
    final long bytes;

    int attempts;

    /** Statements that had it, were sent, and not answered. */
    int unanswered;

    /** An attempt may have been committed, or may still be. */
    boolean uncertain;

    Sent(List<Pending> members, Chain chain, EncodedInstance state, long bytes) {
      this.members = members;
      this.chain = chain;
      this.state = state;
      this.bytes = bytes;
    }

    void notAnswered() {
      uncertain = true;
      unanswered++;
    }

    long queuedAt() {
      return members.getFirst().queuedAt;
    }
  }

  /** The chain that was sent and whose outcome is unknown. */
  Sent underWay() {
    var chain = sent;
    if (chain == null) {
      throw new IllegalStateException("Nothing of " + id + " is under way");
    }
    return chain;
  }

  int sendable() {
    return sent != null ? sent.members.size() : waiting.size();
  }

  boolean isEmpty() {
    return sent == null && waiting.isEmpty();
  }

  /** The state that the next proposal must have been decided on; null: that of the database. */
  @Nullable Proposal newest() {
    if (!waiting.isEmpty()) {
      return waiting.getLast().proposal;
    }
    return sent == null ? null : sent.members.getLast().proposal;
  }
}
