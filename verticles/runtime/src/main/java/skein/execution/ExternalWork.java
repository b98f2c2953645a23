package skein.execution;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.activities.WorkResult;
import skein.loop.EventLoop;
import skein.loop.EventLoop.Cancellable;
import skein.messages.Command;
import skein.model.BookmarkId;
import skein.model.Effect;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * The external work that instances of a lane wait for. While it is under way, the deadline of its
 * timer is extended again and again; when this node dies, the timer falls due and another node does
 * the work. Confined to one event loop.
 */
final class ExternalWork {
  private static final Logger log = LoggerFactory.getLogger(ExternalWork.class);
  private static final Duration REPORT_RETRY = Duration.ofMillis(500);

  /** A result that an owner fails on is told so often; it may never be accepted. */
  private static final int INTERNAL_MAX = 20;

  private static final Duration DRAIN_LOOK = Duration.ofMillis(20);

  private final EventLoop loop;
  private final ExecutionDependencies dependencies;
  private final PendingReplies pendingReplies;
  private final Map<BookmarkId, Effect.Work> underWay = new HashMap<>();
  private final ArrayDeque<Effect.Work> waiting = new ArrayDeque<>();
  private int performing;
  private @Nullable Cancellable renewal;

  ExternalWork(EventLoop loop, ExecutionDependencies dependencies, PendingReplies pendingReplies) {
    this.loop = loop;
    this.dependencies = dependencies;
    this.pendingReplies = pendingReplies;
  }

  boolean isUnderWay(BookmarkId id) {
    loop.check();
    return underWay.containsKey(id);
  }

  void start(Effect.Work order) {
    loop.check();
    underWay.put(order.bookmarkId(), order);
    if (renewal == null) {
      renewal = loop.repeat(dependencies.options().work().lease().dividedBy(3), this::renew);
    }
    waiting.add(order);
    performNext();
  }

  private void performNext() {
    while (performing < dependencies.options().work().inFlightMax() && !waiting.isEmpty()) {
      var order = waiting.remove();
      performing++;
      loop.bring(perform(order))
          .onComplete(result -> {
            performing--;
            report(order, result.result());
            performNext();
          });
    }
  }

  /** Activities of users may complete on any thread, and may throw. */
  private Future<WorkResult> perform(Effect.Work order) {
    try {
      return dependencies.workers().perform(order);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  /** The instance may be owned elsewhere by now. */
  private void report(Effect.Work order, @Nullable WorkResult result) {
    var told =
        result == null
            ? new WorkResult.Failed("WorkFailed", "The worker gave no result", false)
            : result;
    var command =
        new Command.Resume(
            order.bookmarkId().instanceId(),
            order.bookmarkId(),
            told.toInput(),
            new Command.Via.Work(),
            pendingReplies.wantsState(order.bookmarkId()));
    report(order, command, dependencies.router().newCommandId(), 0);
  }

  /** {@code internal}: how often an owner has failed on it. */
  private void report(Effect.Work order, Command command, UUID commandId, int internal) {
    loop.bring(dependencies.router().send(command, commandId))
        .onSuccess(reply -> {
          pendingReplies.toldElsewhere(order.bookmarkId(), reply);
          forget(order);
        })
        .onFailure(e -> {
          if (isFinal(e)) {
            forget(order); // It was cancelled, has ended, or another attempt came first.
            return;
          }
          int failures = internal + (isInternal(e) ? 1 : 0);
          if (failures >= INTERNAL_MAX) {
            drop(order, e);
            return;
          }
          if (!isPaused(e)) {
            log.atWarn()
                .addKeyValue("bookmarkId", order.bookmarkId())
                .addKeyValue("cause", e.toString())
                .log("work.not_reported");
          }
          loop.schedule(REPORT_RETRY, () -> report(order, command, commandId, failures));
        });
  }

  private static boolean isFinal(Throwable e) {
    return e instanceof SkeinException refused
        && !refused.code().isTransient()
        && refused.code() != ErrorCode.INTERNAL;
  }

  /** It says nothing about the work: the owner failed, or the command could not be sent. */
  private static boolean isInternal(Throwable e) {
    return !(e instanceof SkeinException refused) || refused.code() == ErrorCode.INTERNAL;
  }

  /** The lease ends, and the work counts as lost. */
  private void drop(Effect.Work order, Throwable cause) {
    log.atError()
        .addKeyValue("bookmarkId", order.bookmarkId())
        .addKeyValue("cause", cause.toString())
        .addKeyValue("times", INTERNAL_MAX)
        .log("work.result_dropped");
    forget(order);
  }

  /** The result is kept here, and its timer extended, until the runtime is resumed. */
  private static boolean isPaused(Throwable e) {
    return e instanceof SkeinException refused && refused.code() == ErrorCode.RUNTIME_PAUSED;
  }

  private void forget(Effect.Work order) {
    underWay.remove(order.bookmarkId());
    if (underWay.isEmpty()) {
      stopRenewing();
    }
  }

  private void stopRenewing() {
    if (renewal != null) {
      renewal.cancel();
      renewal = null;
    }
  }

  private void renew() {
    var ids = underWay.keySet().stream().map(BookmarkId::toString).toList();
    renew(ids)
        .onFailure(e -> log.atWarn().addKeyValue("cause", e.toString()).log("work.not_renewed"));
  }

  private Future<Void> renew(List<String> ids) {
    return ids.isEmpty()
        ? Future.succeededFuture()
        : dependencies.timers().extendDeadline(ids, dependencies.options().work().lease());
  }

  int size() {
    loop.check();
    return underWay.size();
  }

  /**
   * Completes when nothing is under way any more. Work that is unfinished when the time is up is
   * left to other nodes: its timers are due at once, and the first result counts, theirs or that of
   * this node's workers.
   */
  Future<Void> drain(LongSupplier deadlineNanos) {
    loop.check();
    if (underWay.isEmpty()) {
      return Future.succeededFuture();
    }
    if (loop.nanoTime() - deadlineNanos.getAsLong() > 0) {
      return handOver();
    }
    return loop.after(DRAIN_LOOK).compose(_ -> drain(deadlineNanos));
  }

  private Future<Void> handOver() {
    stopRenewing(); // It would extend them again.
    var ids = underWay.keySet().stream().map(BookmarkId::toString).toList();
    log.atWarn().addKeyValue("bookmarkIds", ids).log("work.handed_over");
    return dependencies.timers().extendDeadline(ids, Duration.ZERO);
  }
}
