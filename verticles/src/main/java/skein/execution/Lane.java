package skein.execution;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.Locks;
import skein.cluster.Router;
import skein.messages.Command;
import skein.messages.Reply;
import skein.metrics.ExecutionFigures;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;

/**
 * Puts the commands of one instance in a row and holds the cluster's lock while there are any. A
 * command begins when the one before it has decided, so that many of one instance share a commit.
 * No thread waits; of one event loop.
 */
final class Lane {
  private static final long DRAIN_LOOK_MILLIS = 5;
  private static final Logger log = LoggerFactory.getLogger("skein.execution.WorkflowResumer");

  /**
   * @param key an idempotency key that the commit demands and answers; null: none
   * @param conversation in which the reply is part of the answer; somebody else's where the command
   *     is the news that he waits for
   */
  record Work(
      Command command,
      UUID commandId,
      boolean repeated,
      @Nullable String key,
      Promise<Reply> promise,
      Conversation conversation,
      Course course) {}

  /** The commands of one instance, from the first until there is none left. */
  private static final class Row {
    final InstanceId id;
    final int followersMax;
    final ArrayDeque<Work> waiting = new ArrayDeque<>();
    boolean begun;
    boolean starting;
    int running;
    @Nullable Course last;
    Runnable whenEmpty = () -> {};

    Row(InstanceId id, int followersMax) {
      this.id = id;
      this.followersMax = followersMax;
    }

    void begin(Runnable atTheEnd) {
      begun = true;
      whenEmpty = atTheEnd;
    }

    int size() {
      return running + waiting.size();
    }

    boolean isEmpty() {
      return size() == 0;
    }

    /** The next one that may begin; null when none may. */
    @Nullable Work takeNext() {
      var next = waiting.peek();
      if (next == null || (last != null && !mayFollow(last, next))) {
        return null;
      }
      return waiting.poll();
    }

    private boolean mayFollow(Course previous, Work next) {
      return running < followersMax && previous.decided() != null && CommandRunner.mayFollow(next);
    }
  }

  private final Vertx vertx;
  private final Locks locks;
  private final Predicate<InstanceId> isOurs;
  private final ExecutionOptions options;
  private final CommandRunner runner;
  private final Conversations conversations;
  private final Supplier<Duration> behind;
  private final ExecutionFigures figures;
  private final Map<InstanceId, Row> rows = new HashMap<>();
  private int waiting;
  private boolean draining;

  /**
   * @param isOurs whether this node executes the commands of an instance
   * @param behind how long the oldest commit of the lane has waited to be sent
   */
  Lane(
      Vertx vertx,
      Locks locks,
      Predicate<InstanceId> isOurs,
      ExecutionOptions options,
      CommandRunner runner,
      Conversations conversations,
      Supplier<Duration> behind,
      ExecutionFigures figures) {
    this.vertx = vertx;
    this.locks = locks;
    this.isOurs = isOurs;
    this.options = options;
    this.runner = runner;
    this.conversations = conversations;
    this.behind = behind;
    this.figures = figures;
  }

  /** Executes a command in its turn. */
  Future<Reply> submit(Router.Order order) {
    var command = order.command();
    var commandId = order.id();
    boolean repeated = order.repeated();
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
    var work =
        new Work(command, commandId, repeated, order.key(), promise, conversation, new Course());
    conversations.begun(commandId, promise.future());
    waiting++;
    figures.waiting().increment();
    if (row != null) {
      row.waiting.add(work);
      if (row.begun) {
        next(row);
      }
      return promise.future();
    }
    var started = new Row(id, options.followersMax());
    started.waiting.add(work);
    rows.put(id, started);
    if (order.inPlaceOfOwner()) {
      started.begin(() -> {}); // The owner may go on holding the lock for as long as it lives.
      next(started);
    } else {
      acquire(started, System.nanoTime());
    }
    return promise.future();
  }

  private Future<Reply> refuse(SkeinException refusal) {
    figures.failed(refusal);
    return Future.failedFuture(refusal);
  }

  private void acquire(Row row, long since) {
    locks
        .tryAcquire(row.id)
        .onComplete(result -> {
          if (result.failed()) {
            // The lock only saves work: the commit decides, with it or without.
            log.warn("Went on without the lock of {}: {}", row.id, result.cause().toString());
            figures.lockErrors().increment();
            row.begin(() -> {});
            next(row);
            return;
          }
          long token = result.result();
          if (token != Locks.HELD) {
            log.info("Acquired distributed lock for workflow instance {}", row.id);
            figures.lockWait().since(since);
            long acquired = System.nanoTime();
            row.begin(() -> release(row.id, token, acquired));
            next(row);
            return;
          }
          figures.lockContended().increment();
          if (!isOurs.test(row.id)) {
            // Its new owner has the lock for as long as it works with such instances.
            refuseAll(row, movedAway(row.id));
            return;
          }
          if (System.nanoTime() - since < options.lockTimeout().toNanos()) {
            vertx.setTimer(options.lockRetryDelay().toMillis(), _ -> acquire(row, since));
            return;
          }
          figures.lockTimeouts().increment();
          log.info("Lock acquisition failed; resume already in progress for workflow {}", row.id);
          refuseAll(row, SkeinException.inProgress(row.id));
        });
  }

  private static SkeinException movedAway(InstanceId id) {
    return new SkeinException(
        ErrorCode.NOT_READY, "Instance " + id + " belongs to another node by now");
  }

  private void release(InstanceId id, long token, long acquired) {
    locks.release(id, token);
    figures.lockHold().since(acquired);
    log.info("Released distributed lock for workflow instance {}", id);
  }

  /** Starts whatever may begin now. */
  private void next(Row row) {
    if (row.starting) {
      return;
    }
    row.starting = true;
    for (var work = row.takeNext(); work != null; work = row.takeNext()) {
      start(row, work);
    }
    row.starting = false;
    if (row.isEmpty()) {
      rows.remove(row.id);
      row.whenEmpty.run();
    }
  }

  private void start(Row row, Work work) {
    work.course().begin(row.last, () -> next(row));
    row.last = work.course();
    row.running++;
    var running = runner.run(work);
    if (running.isComplete()) {
      // A long row of immediate refusals must not become a deep stack.
      vertx.runOnContext(_ -> finish(row, work, running));
      return;
    }
    running.onComplete(_ -> finish(row, work, running));
  }

  private void finish(Row row, Work work, Future<Reply> ended) {
    row.running--;
    if (row.running == 0) {
      row.last = null;
    }
    waiting--;
    figures.waiting().decrement();
    if (ended.failed()) {
      figures.failed(ended.cause());
    }
    work.course().end(ended);
    conversations.ended(work, ended);
    next(row);
  }

  private void refuseAll(Row row, SkeinException refusal) {
    rows.remove(row.id);
    waiting -= row.waiting.size();
    for (var work : row.waiting) {
      figures.waiting().decrement();
      figures.failed(refusal);
      conversations.ended(work, Future.failedFuture(refusal));
    }
  }

  /** Commands that run or wait to run. */
  int size() {
    return waiting;
  }

  /** Refuses what comes now with {@code NOT_READY}; done when all that was accepted is finished. */
  Future<Void> drain() {
    draining = true;
    Promise<Void> drained = Promise.promise();
    vertx.setPeriodic(
        1,
        DRAIN_LOOK_MILLIS,
        timer -> {
          if (rows.isEmpty()) {
            vertx.cancelTimer(timer);
            drained.complete();
          }
        });
    return drained.future();
  }
}
