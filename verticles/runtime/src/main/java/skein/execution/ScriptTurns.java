package skein.execution;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import skein.execution.FairQueue.Turn;
import skein.loop.Blocking;
import skein.loop.Blocking.Owner;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.pacing.Pace;

/**
 * Shares the script threads of a node fairly among tenants, and those of a tenant among its
 * definitions, over all lanes: a burst waits for about one burst of each other tenant, and of each
 * other definition of its own. Thread-safe.
 */
public final class ScriptTurns {
  private final Limits limits;
  private final Pace pace;
  private final FairQueue<Piece> queue;

  /** Given to a pool, where no thread has taken it yet: a pool that closes forgets it. */
  private final Set<Turn<Piece>> handedOver = ConcurrentHashMap.newKeySet();

  /** Guarded by {@link #queue}. */
  private boolean isClosed;

  /** {@code nanoTime}: a clock that goes forward. Nothing pauses. */
  public ScriptTurns(Limits limits, LongSupplier nanoTime) {
    this(limits, Quota.UNLIMITED, Pace.unlimited(), nanoTime);
  }

  /**
   * @param tenantShares percent of the time of script threads, from 1 to 100, that a tenant has at
   *     most while others wait; {@link Quota#NONE}: its fair share
   * @param pace of all heavy work of the node
   * @param nanoTime a clock that goes forward
   */
  public ScriptTurns(Limits limits, Quota tenantShares, Pace pace, LongSupplier nanoTime) {
    this.limits = limits;
    this.pace = pace;
    this.queue =
        new FairQueue<>(
            limits.threads(),
            limits.perDefinitionMax(),
            limits.longTime().toNanos(),
            tenant -> share(tenantShares.of(tenant)),
            nanoTime);
  }

  /**
   * @param threads of the node, for bursts whose scripts may take long
   * @param perDefinitionMax bursts of one definition that wait for one; more are refused
   * @param longTime definitions whose last two bursts took longer leave one thread to the others
   */
  public record Limits(int threads, int perDefinitionMax, Duration longTime) {
    public static final Limits DEFAULT = new Limits(2, 5_000, Duration.ofMillis(250));

    public Limits {
      if (threads < 1 || perDefinitionMax < 1 || longTime.isNegative()) {
        throw new IllegalArgumentException(
            "Limits of script threads: " + threads + ", " + perDefinitionMax + ", " + longTime);
      }
    }
  }

  private static int share(int percent) {
    return percent == Quota.NONE ? FairQueue.WHOLE : percent;
  }

  private record Piece(WorkerExecutor pool, Runnable work, Promise<?> promise, LongAdder waiting) {}

  /** That of all heavy work of the node. */
  public Pace pace() {
    return pace;
  }

  int threads() {
    return limits.threads();
  }

  /**
   * What it is given fails with {@code OVERLOADED} when too much of its definition waits, and with
   * {@code NOT_READY} when this is closed, or its pool.
   *
   * @param pool of as many threads as the limits say, shared by all lanes of the node
   * @param waiting counts what waits for a thread
   */
  Blocking on(WorkerExecutor pool, LongAdder waiting) {
    return new Blocking() {
      @Override
      public <T> Future<@Nullable T> run(Callable<T> code) {
        return run(new Owner("", ""), code);
      }

      @Override
      public <T> Future<@Nullable T> run(Owner owner, Callable<T> code) {
        return turn(owner, code, pool, waiting);
      }
    };
  }

  private <T> Future<@Nullable T> turn(
      Owner definition, Callable<T> code, WorkerExecutor pool, LongAdder waiting) {
    Promise<@Nullable T> promise = Promise.promise();
    Runnable work =
        () -> {
          try {
            promise.complete(pace.run(code));
          } catch (Throwable e) { // The waiting caller must be told, whatever it is.
            promise.fail(e);
          }
        };
    List<Turn<Piece>> begun;
    synchronized (queue) {
      if (isClosed) {
        return Future.failedFuture(stopping(null));
      }
      if (!queue.add(definition, new Piece(pool, work, promise, waiting))) {
        return Future.failedFuture(
            SkeinException.overloaded(
                "The queue of scripts of "
                    + definition.name()
                    + " (execution.scripts-per-definition-max)",
                limits.perDefinitionMax()));
      }
      waiting.increment();
      begun = begun();
    }
    go(begun);
    return promise.future();
  }

  private List<Turn<Piece>> begun() {
    var begun = new ArrayList<Turn<Piece>>();
    for (var turn = queue.next(); turn != null; turn = queue.next()) {
      handedOver.add(turn);
      begun.add(turn);
    }
    return begun;
  }

  /** Where the pool is closed the next ones have their turns at once, however many wait. */
  private void go(List<Turn<Piece>> begun) {
    var turns = new ArrayDeque<>(begun);
    for (var turn = turns.poll(); turn != null; turn = turns.poll()) {
      turn.item().waiting().decrement();
      try {
        handOver(turn);
      } catch (RuntimeException e) { // The pool is closed.
        turns.addAll(refused(turn, e));
      }
    }
  }

  private void handOver(Turn<Piece> turn) {
    turn.item()
        .pool()
        .executeBlocking(
            () -> {
              if (handedOver.remove(turn)) {
                try {
                  turn.item().work().run();
                } finally {
                  go(ended(turn));
                }
              }
              return null;
            },
            false);
  }

  /** The turns that begin instead. */
  private List<Turn<Piece>> refused(Turn<Piece> turn, @Nullable Throwable cause) {
    if (!handedOver.remove(turn)) {
      return List.of(); // A thread has taken it, or it was refused before.
    }
    turn.item().promise().tryFail(stopping(cause));
    return ended(turn);
  }

  private List<Turn<Piece>> ended(Turn<Piece> turn) {
    synchronized (queue) {
      queue.done(turn);
      return begun();
    }
  }

  /**
   * What waits for a thread fails with {@code NOT_READY}, and so does what comes from now on; what
   * has a thread ends as usual. For the end of the node: callers can still be answered, which they
   * cannot when the pools close. May be called again.
   */
  public void close() {
    List<Piece> waiting;
    synchronized (queue) {
      isClosed = true;
      waiting = queue.clear();
    }
    for (var piece : waiting) {
      piece.waiting().decrement();
      piece.promise().tryFail(stopping(null));
    }
    for (var turn : List.copyOf(handedOver)) {
      go(refused(turn, null));
    }
  }

  private static SkeinException stopping(@Nullable Throwable cause) {
    return new SkeinException(ErrorCode.NOT_READY, "The node is stopping", List.of(), cause);
  }
}
