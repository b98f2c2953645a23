package skein.execution;

import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import skein.codecs.ReplyBytes;
import skein.codecs.ResumeToken;
import skein.decisions.Replies;
import skein.loop.EventLoop;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.InstanceRefusals;
import skein.model.WorkflowInstance;
import skein.storage.InstanceStates.Executed;
import skein.storage.NamedState;

/**
 * The first answer to a command, for its repetitions. The reply of a request with a key is kept
 * with the key; any other one follows from the command and the row of the journal.
 */
final class FirstReply {
  private final EventLoop loop;
  private final ExecutionDependencies dependencies;

  FirstReply(EventLoop loop, ExecutionDependencies dependencies) {
    this.loop = loop;
    this.dependencies = dependencies;
  }

  /** {@code state}: of the instance by now; null: it was deleted since. */
  Future<Reply> of(Work work, Executed executed, @Nullable NamedState state) {
    loop.check();
    if (work.key() == null) {
      return derived(work.command(), executed, state);
    }
    return loop.bring(dependencies.rows().keys().find(work.key(), List.of()))
        .compose(found ->
            found != null && found.reply() != null
                ? Future.succeededFuture(ReplyBytes.decode(found.reply().getBytes()))
                : derived(work.command(), executed, state));
  }

  private static Future<Reply> derived(
      Command command, Executed executed, @Nullable NamedState state) {
    if (executed.reply() != null) {
      return Future.succeededFuture(ReplyBytes.decode(executed.reply().getBytes()));
    }
    if (command instanceof Command.MintToken mint) {
      return minted(mint, executed);
    }
    return state == null
        ? Future.failedFuture(InstanceRefusals.instanceNotFound(command.instanceId()))
        : Future.succeededFuture(done(command, executed, state.instance()));
  }

  /** The database has the token's hash alone; the sender of the command has sent the secret. */
  private static Future<Reply> minted(Command.MintToken mint, Executed executed) {
    var secret = secretOf(mint);
    if (secret == null) { // Sent by a node of an older version.
      var cause = new IllegalStateException("The token was made, and only its hash is stored");
      return Future.failedFuture(InstanceRefusals.outcomeUnknown(mint.instanceId(), cause));
    }
    var expiresAt = mint.lifetime() == null ? null : executed.at().plus(mint.lifetime());
    return Future.succeededFuture(
        new Reply.TokenMinted(ResumeToken.make(mint.bookmarkId(), secret), expiresAt));
  }

  private static Reply done(Command command, Executed executed, WorkflowInstance instance) {
    boolean isLatest = instance.revision() == executed.revision();
    var status = executed.status() == null ? instance.status() : executed.status();
    return new Reply.Done(
        instance.id(),
        instance.definition(),
        status,
        executed.revision(),
        null,
        isLatest && Replies.wantsState(command) ? instance : null);
  }

  /** Null when the sender of the command left it to the owner of the instance. */
  static byte @Nullable [] secretOf(Command.MintToken mint) {
    var secret = mint.secret();
    return secret == null
        ? null
        : ByteBuffer.allocate(ResumeToken.SECRET_BYTES)
            .putLong(secret.getMostSignificantBits())
            .putLong(secret.getLeastSignificantBits())
            .array();
  }
}
