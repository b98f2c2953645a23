package skein.execution;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.cluster.Locks;
import skein.cluster.Order;
import skein.cluster.WaitingCommands;
import skein.cluster.WaitingReport;
import skein.execution.ExecutionDependencies.Peers;
import skein.loop.EventLoop;
import skein.messages.Command;
import skein.messages.Reply;
import skein.metrics.ExecutionMetrics;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.InstanceRefusals;
import skein.model.SkeinException;

/**
 * Has a queue of commands for each instance, and holds the cluster's lock of an instance while
 * there are any. No thread waits. Confined to one event loop.
 */
final class Lane {
  private static final Duration DRAIN_LOOK = Duration.ofMillis(5);
  private static final Logger log = LoggerFactory.getLogger("skein.execution.WorkflowResumer");

  private final EventLoop loop;
  private final Peers peers;
  private final ExecutionOptions options;
  private final RandomGenerator random;
  private final CommandRunner runner;
  private final PendingReplies pendingReplies;
  private final Supplier<Duration> behind;
  private final ExecutionMetrics metrics;
  private final Map<InstanceId, InstanceQueue> queues = new HashMap<>();
  private int waiting;
  private boolean draining;

  /**
   * @param behind how long the oldest commit of the lane has waited to be sent
   */
  Lane(
      EventLoop loop,
      ExecutionDependencies dependencies,
      CommandRunner runner,
      PendingReplies pendingReplies,
      Supplier<Duration> behind,
      ExecutionMetrics metrics) {
    this.loop = loop;
    this.peers = dependencies.peers();
    this.options = dependencies.options();
    this.random = dependencies.deciding().random();
    this.runner = runner;
    this.pendingReplies = pendingReplies;
    this.behind = behind;
    this.metrics = metrics;
  }

  /** Executes a command in its turn. */
  Future<Reply> submit(Order order) {
    loop.check();
    var ongoing = order.repeated() ? pendingReplies.ongoing(order.id()) : null;
    if (ongoing != null) {
      return ongoing.recover(e -> mayBeRefusedForItself(e) ? submit(order) : failed(e));
    }
    var id = order.command().instanceId();
    var queue = queues.get(id);
    var refusal = refusal(order.command(), queue);
    if (refusal != null) {
      metrics.failed(refusal);
      return Future.failedFuture(refusal);
    }
    Promise<Reply> promise = Promise.promise();
    var pendingReply = pendingReplies.of(order.command(), promise);
    var progress = new CommandProgress(loop);
    long arrivedAt = loop.nanoTime();
    var work = new Work(order, promise, pendingReply, progress, arrivedAt, queue != null);
    pendingReplies.begun(order.id(), promise.future());
    waiting++;
    metrics.waiting().increment();
    if (queue != null) {
      metrics.lockContendedInLane().increment();
      if (log.isDebugEnabled()) {
        log.debug(
            "{} for workflow instance {} waits for the lock behind {} commands",
            nameOf(work),
            id,
            queue.size());
      }
      queue.add(work);
      if (queue.isOpen()) {
        next(queue);
      }
      return promise.future();
    }
    var started = new InstanceQueue(loop, id, options.lanes().followersMax());
    started.add(work);
    queues.put(id, started);
    if (order.inPlaceOfOwner()) {
      started.open(() -> {}); // The owner may keep the lock for as long as it lives.
      next(started);
    } else {
      acquire(started, arrivedAt, 1);
    }
    return promise.future();
  }

  /**
   * A first attempt that came late is refused for what its own repetition did elsewhere. That one
   * looks into the history, so it is asked before a refusal is final.
   */
  private static boolean mayBeRefusedForItself(Throwable e) {
    return e instanceof SkeinException refusal && !refusal.code().isTransient();
  }

  private static Future<Reply> failed(Throwable e) {
    return Future.failedFuture(e);
  }

  private @Nullable SkeinException refusal(Command command, @Nullable InstanceQueue queue) {
    if (draining) {
      return new SkeinException(ErrorCode.NOT_READY, "The node is stopping");
    }
    var paused = peers.router().quiescence().refusal(command);
    if (paused != null) {
      return paused;
    }
    if (waiting >= options.lanes().queueMax()) {
      return SkeinException.overloaded("The queue", options.lanes().queueMax());
    }
    if (behind.get().compareTo(options.lanes().commitWaitMax()) > 0) {
      // Callers that are refused now can ask another node; queued, they would wait ever longer.
      return SkeinException.behind(options.lanes().commitWaitMax());
    }
    return queue != null && queue.size() >= options.lanes().queuePerInstanceMax()
        ? SkeinException.overloaded(
            "The queue of instance " + command.instanceId(), options.lanes().queuePerInstanceMax())
        : null;
  }

  /** {@code looks}: at the lock, this one included. */
  private void acquire(InstanceQueue queue, long since, int looks) {
    loop.bring(peers.locks().tryAcquire(queue.id()))
        .onComplete(result -> {
          if (result.failed()) {
            // The lock only saves work: the commit decides, with it or without.
            log.warn("Went on without the lock of {}: {}", queue.id(), result.cause().toString());
            metrics.lockErrors().increment();
            queue.open(() -> {});
            next(queue);
            return;
          }
          long token = result.result();
          if (token > Locks.HELD) {
            if (log.isInfoEnabled()) { // concatenated: SLF4J takes several times as long
              log.info("Acquired distributed lock for workflow instance " + queue.id());
            }
            metrics.lockWait().since(since);
            long acquired = loop.nanoTime();
            queue.open(() -> release(queue.id(), token, acquired));
            next(queue);
            return;
          }
          if (token < Locks.HELD) {
            log.debug("No distributed lock to take for workflow instance {}", queue.id());
            queue.open(() -> peers.locks().release(queue.id(), token));
            next(queue);
            return;
          }
          metrics.lockContendedInCluster().increment();
          if (!peers.router().executesHere(queue.id())) {
            // Its new owner has the lock for as long as it works with such instances.
            refuseAll(queue, movedAway(queue.id()));
            return;
          }
          if (loop.nanoTime() - since < options.contention().lockTimeout().toNanos()) {
            log.debug("Another node holds the lock of workflow instance {}", queue.id());
            var delay = options.contention().lockRetryDelay(looks, random.nextDouble());
            loop.schedule(delay, () -> acquire(queue, since, looks + 1));
            return;
          }
          metrics.lockTimeouts().increment();
          log.warn(
              "Failed to acquire lock after timeout of {} ms for workflow instance {}",
              options.contention().lockTimeout().toMillis(),
              queue.id());
          refuseAll(queue, InstanceRefusals.inProgress(queue.id()));
        });
  }

  private static SkeinException movedAway(InstanceId id) {
    return new SkeinException(
        ErrorCode.NOT_READY, "Instance " + id + " belongs to another node by now");
  }

  private void release(InstanceId id, long token, long acquired) {
    peers.locks().release(id, token);
    metrics.lockHold().since(acquired);
    if (log.isInfoEnabled()) {
      log.info("Released distributed lock for workflow instance " + id);
    }
  }

  /** Begins whatever may begin now. */
  private void next(InstanceQueue queue) {
    if (queue.isBeginning) {
      return;
    }
    queue.isBeginning = true;
    Runnable again = () -> next(queue);
    for (var work = queue.beginNext(again); work != null; work = queue.beginNext(again)) {
      run(queue, work);
    }
    queue.isBeginning = false;
    if (queue.size() == 0) {
      queues.remove(queue.id());
      queue.close();
    }
  }

  private void run(InstanceQueue queue, Work work) {
    if (work.contended()) {
      metrics.lockWait().since(work.arrivedAt());
    }
    var running = loop.bring(runner.run(work));
    if (running.isComplete()) {
      // A long row of immediate refusals must not become a deep stack.
      loop.execute(() -> finish(queue, work, running));
      return;
    }
    running.onComplete(_ -> finish(queue, work, running));
  }

  private void finish(InstanceQueue queue, Work work, Future<Reply> ended) {
    queue.ended();
    waiting--;
    metrics.waiting().decrement();
    if (ended.failed()) {
      metrics.failed(ended.cause());
      if (work.contended()) {
        noteLostResume(work, ended.cause());
      }
    }
    if (log.isDebugEnabled()) {
      noteEnd(work, ended);
    }
    work.progress().end();
    pendingReplies.ended(work, ended);
    next(queue);
  }

  /** The caller gets the same error. The other errors do not mean that another caller was first. */
  private static void noteLostResume(Work work, Throwable refusal) {
    if (work.command() instanceof Command.Resume resume
        && refusal instanceof SkeinException lost
        && (lost.code() == ErrorCode.ALREADY_RESUMED || lost.code() == ErrorCode.IN_PROGRESS)) {
      log.info(
          "Lock acquisition failed; resume already in progress for workflow {}",
          resume.instanceId());
    }
  }

  private void noteEnd(Work work, Future<Reply> ended) {
    log.debug(
        "{} for workflow instance {} {} after {} ms",
        nameOf(work),
        work.command().instanceId(),
        ended.succeeded() ? "ended" : "was refused (" + ended.cause().getMessage() + ")",
        (loop.nanoTime() - work.arrivedAt()) / 1_000_000);
  }

  private static String nameOf(Work work) {
    return work.command().getClass().getSimpleName();
  }

  private void refuseAll(InstanceQueue queue, SkeinException refusal) {
    queues.remove(queue.id());
    for (var work : queue.takeWaiting()) {
      waiting--;
      metrics.waiting().decrement();
      metrics.failed(refusal);
      noteLostResume(work, refusal);
      pendingReplies.ended(work, Future.failedFuture(refusal));
    }
  }

  /** Commands that run or wait to run. */
  int size() {
    loop.check();
    return waiting;
  }

  /** Of the instances with the most commands that have not begun. */
  List<WaitingCommands> mostWaiting() {
    loop.check();
    var all = new ArrayList<WaitingCommands>();
    for (var queue : queues.values()) {
      var commands = queue.waiting();
      if (commands != null) {
        all.add(commands);
      }
    }
    return WaitingReport.most(all);
  }

  /** Refuses what comes now with {@code NOT_READY}; done when all that was accepted is finished. */
  Future<Void> drain() {
    loop.check();
    draining = true;
    return drained();
  }

  private Future<Void> drained() {
    return queues.isEmpty()
        ? Future.succeededFuture()
        : loop.after(DRAIN_LOOK).compose(_ -> drained());
  }
}
