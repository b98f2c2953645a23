package skein.execution;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.Locks;
import skein.messages.Command;
import skein.messages.Reply;
import skein.metrics.ExecutionFigures;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;

/**
 * Puts the commands of one instance in a row and holds the cluster's lock while there are any. No
 * thread waits; of one event loop.
 */
final class Lane {
  private static final Logger log = LoggerFactory.getLogger("skein.execution.WorkflowResumer");

  /**
   * @param conversation in which the reply is part of the answer; somebody else's where the command
   *     is the news that he waits for
   */
  record Work(
      Command command,
      UUID commandId,
      boolean repeated,
      Promise<Reply> promise,
      Conversation conversation) {}

  private final Vertx vertx;
  private final Locks locks;
  private final ExecutionOptions options;
  private final CommandRunner runner;
  private final Conversations conversations;
  private final Supplier<Duration> behind;
  private final ExecutionFigures figures;
  private final Map<InstanceId, ArrayDeque<Work>> rows = new HashMap<>();
  private int waiting;
  private boolean draining;

  /** {@code behind}: how long the oldest commit of the lane has waited to be sent. */
  Lane(
      Vertx vertx,
      Locks locks,
      ExecutionOptions options,
      CommandRunner runner,
      Conversations conversations,
      Supplier<Duration> behind,
      ExecutionFigures figures) {
    this.vertx = vertx;
    this.locks = locks;
    this.options = options;
    this.runner = runner;
    this.conversations = conversations;
    this.behind = behind;
    this.figures = figures;
  }

  /**
   * Executes a command in its turn.
   *
   * @param commandId becomes the id of the commit
   * @param repeated an earlier attempt of this command may have been committed
   */
  Future<Reply> submit(Command command, UUID commandId, boolean repeated) {
    var ongoing = repeated ? conversations.ongoing(commandId) : null;
    if (ongoing != null) {
      return ongoing;
    }
    if (draining) {
      return refuse(new SkeinException(ErrorCode.NOT_READY, "The node is stopping"));
    }
    if (waiting >= options.queueMax()) {
      return refuse(SkeinException.overloaded("The queue", options.queueMax()));
    }
    if (behind.get().compareTo(options.commitWaitMax()) > 0) {
      // Whoever is told now can go elsewhere; queued, he would wait ever longer for the same.
      return refuse(SkeinException.behind(options.commitWaitMax()));
    }
    var id = command.instanceId();
    var row = rows.get(id);
    if (row != null && row.size() >= options.queuePerInstanceMax()) {
      return refuse(
          SkeinException.overloaded("The queue of instance " + id, options.queuePerInstanceMax()));
    }
    Promise<Reply> promise = Promise.promise();
    var conversation = conversations.of(command, promise);
    var work = new Work(command, commandId, repeated, promise, conversation);
    conversations.begun(commandId, promise.future());
    waiting++;
    figures.waiting().increment();
    if (row != null) {
      row.add(work);
      return work.promise().future();
    }
    var started = new ArrayDeque<Work>();
    started.add(work);
    rows.put(id, started);
    acquire(id, started, System.nanoTime());
    return work.promise().future();
  }

  private Future<Reply> refuse(SkeinException refusal) {
    figures.failed(refusal);
    return Future.failedFuture(refusal);
  }

  private void acquire(InstanceId id, ArrayDeque<Work> row, long since) {
    locks
        .tryAcquire(id)
        .onComplete(result -> {
          if (result.failed()) {
            // The lock only saves work: the commit decides, with it or without.
            log.warn("Went on without the lock of {}: {}", id, result.cause().toString());
            figures.lockErrors().increment();
            next(row, () -> rows.remove(id));
            return;
          }
          if (result.result() != Locks.HELD) {
            log.info("Acquired distributed lock for workflow instance {}", id);
            figures.lockWait().since(since);
            holdWhileBusy(id, row, result.result());
            return;
          }
          figures.lockContended().increment();
          if (System.nanoTime() - since < options.lockTimeout().toNanos()) {
            vertx.setTimer(options.lockRetryDelay().toMillis(), _ -> acquire(id, row, since));
            return;
          }
          log.info("Lock acquisition failed; resume already in progress for workflow {}", id);
          figures.lockTimeouts().increment();
          refuseAll(id, row, SkeinException.inProgress(id));
        });
  }

  private void holdWhileBusy(InstanceId id, ArrayDeque<Work> row, long token) {
    long since = System.nanoTime();
    next(
        row,
        () -> {
          rows.remove(id);
          locks.release(id, token);
          log.info("Released distributed lock for workflow instance {}", id);
          figures.lockHold().since(since);
        });
  }

  private void next(ArrayDeque<Work> row, Runnable done) {
    var work = row.peek();
    if (work == null) {
      done.run();
      return;
    }
    var running = runner.run(work);
    if (running.isComplete()) {
      // A long row of immediate refusals must not become a deep stack.
      vertx.runOnContext(_ -> finish(work, running, row, done));
      return;
    }
    running.onComplete(_ -> finish(work, running, row, done));
  }

  private void finish(Work work, Future<Reply> ended, ArrayDeque<Work> row, Runnable done) {
    row.poll();
    waiting--;
    figures.waiting().decrement();
    if (ended.failed()) {
      figures.failed(ended.cause());
    }
    conversations.ended(work, ended);
    next(row, done);
  }

  private void refuseAll(InstanceId id, ArrayDeque<Work> row, SkeinException refusal) {
    rows.remove(id);
    waiting -= row.size();
    figures.waiting().add(-row.size());
    row.forEach(_ -> figures.failed(refusal));
    row.forEach(work -> conversations.ended(work, Future.failedFuture(refusal)));
  }

  /** Refuses what comes now with {@code NOT_READY}; done when all that was accepted is finished. */
  Future<Void> drain() {
    draining = true;
    if (rows.isEmpty()) {
      return Future.succeededFuture();
    }
    return vertx.timer(5, TimeUnit.MILLISECONDS).compose(_ -> drain());
  }
}
