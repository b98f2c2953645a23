package skein.execution;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.decisions.Replies;
import skein.loop.EventLoop;
import skein.loop.EventLoop.Cancellable;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.Effect;
import skein.model.InstanceId;

/**
 * A caller whose reply waits until the instance is idle or has ended, not while a request of its
 * own is under way. Confined to one event loop; what is committed is committed, whether the caller
 * is answered or not.
 */
final class PendingReply {
  private final EventLoop loop;
  private final Promise<Reply> promise;
  private final boolean http;
  private final boolean waits;
  private final boolean wantsState;
  private final InstanceId instanceId;

  /** Work and children whose end is part of the answer, with what ends the wait for each. */
  private final Map<String, Cancellable> open = new HashMap<>();

  private @Nullable Reply last;
  private Effect.@Nullable HttpAnswer answer;

  PendingReply(EventLoop loop, Command command, Promise<Reply> promise) {
    this.loop = loop;
    this.promise = promise;
    this.instanceId = command.instanceId();
    this.waits = !(command instanceof Command.Fire);
    this.wantsState = Replies.wantsState(command);
    this.http =
        switch (command) {
          case Command.Start start -> !start.dispatch() && isHttp(start.request().stimulus());
          case Command.Resume resume -> resume.via() instanceof Command.Via.Http;
          default -> false;
        };
  }

  private static boolean isHttp(@Nullable Object stimulus) {
    return stimulus instanceof java.util.Map<?, ?> map && map.containsKey("method");
  }

  InstanceId instanceId() {
    return instanceId;
  }

  Future<Reply> answer() {
    loop.check();
    return promise.future();
  }

  /** Whether a workflow can still answer the HTTP request. */
  boolean isAnswerable() {
    loop.check();
    return http && !promise.future().isComplete();
  }

  /** Whether what comes is to bring the state that it leads to. */
  boolean wantsState() {
    loop.check();
    return wantsState && waits();
  }

  /** {@code timer}: cancelled when the news arrives. */
  void expect(String what, Cancellable timer) {
    loop.check();
    open.put(what, timer);
  }

  boolean expects(String what) {
    loop.check();
    return open.containsKey(what);
  }

  /** Whether a caller who may be given more than the first answer has not been answered yet. */
  boolean waits() {
    loop.check();
    return waits && !promise.future().isComplete();
  }

  /** One of the expected news has arrived, or will not come soon. */
  void arrived(String what) {
    loop.check();
    var timer = open.remove(what);
    if (timer != null) {
      timer.cancel();
    }
    settle();
  }

  void heard(Reply reply) {
    loop.check();
    if (reply instanceof Reply.Done done && done.httpAnswer() != null) {
      answer = done.httpAnswer();
    }
    last = latest(last, reply);
    settle();
  }

  /** A reply without effect, such as repeated news, does not replace an earlier one. */
  private static Reply latest(@Nullable Reply before, Reply now) {
    if (!(before instanceof Reply.Done first)) {
      return now;
    }
    if (!(now instanceof Reply.Done done)) {
      return before;
    }
    return first.state() == null ? withoutState(done) : done;
  }

  private static Reply.Done withoutState(Reply.Done done) {
    return new Reply.Done(
        done.instanceId(),
        done.definition(),
        done.status(),
        done.revision(),
        done.httpAnswer(),
        null);
  }

  void failed(Throwable e) {
    loop.check();
    promise.tryFail(e);
  }

  private void settle() {
    if (open.isEmpty()) {
      close();
    }
  }

  /** As {@link #close}, but without a state, which may be another one by now. */
  void closeLate() {
    loop.check();
    if (last instanceof Reply.Done done) {
      last = withoutState(done);
    }
    close();
  }

  /** Answers with what is known. */
  void close() {
    loop.check();
    if (last instanceof Reply.Done done) {
      promise.tryComplete(
          new Reply.Done(
              done.instanceId(),
              done.definition(),
              done.status(),
              done.revision(),
              answer,
              done.state()));
    } else if (last != null) {
      promise.tryComplete(last);
    }
  }
}
