package skein.loop;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Event loops, delays and a clock for one thread. The next task to run is drawn from a seed, so
 * every run of a seed is the same; time passes only as tasks are run, and jumps when there is
 * nothing to do.
 */
public final class Simulator {
  private static final int TASK_NANOS_MAX = 20_000;

  private final SplittableRandom random;
  private final PriorityQueue<Due> agenda = new PriorityQueue<>();
  private final List<SimulatedLoop> ready = new ArrayList<>();
  private @Nullable SimulatedLoop current;
  private @Nullable List<String> trace;
  private @Nullable Throwable failure;
  private long now;
  private long count;
  private long steps;
  private long hash = 1;

  private static final class Due implements Comparable<Due> {
    final long at;
    final long number;
    final Runnable task;
    boolean cancelled;

    Due(long at, long number, Runnable task) {
      this.at = at;
      this.number = number;
      this.task = task;
    }

    @Override
    public int compareTo(Due other) {
      return at != other.at ? Long.compare(at, other.at) : Long.compare(number, other.number);
    }
  }

  public Simulator(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** From here on what happens is written down. */
  public void keepTrace() {
    trace = new ArrayList<>();
  }

  public List<String> trace() {
    return trace == null ? List.of() : trace;
  }

  /** Written down where there is a trace. */
  public void note(Supplier<String> line) {
    if (trace != null) {
      trace.add("%11.3f ms  %s".formatted(now / 1e6, line.get()));
    }
  }

  /** Makes the value part of what two runs are compared by. */
  public void mix(long value) {
    hash = (hash ^ value) * 0x100000001B3L;
    hash ^= hash >>> 29;
  }

  /** Two runs with equal hashes took the same course. */
  public long hash() {
    return hash;
  }

  public long now() {
    return now;
  }

  public long steps() {
    return steps;
  }

  /** What a task has thrown first; null: nothing. */
  public @Nullable Throwable failure() {
    return failure;
  }

  public @Nullable SimulatedLoop current() {
    return current;
  }

  public SimulatedLoop newLoop(String name) {
    return new SimulatedLoop(this, name, count++);
  }

  /** Observes that loop from outside; it must change nothing. */
  public <T> T seenOn(SimulatedLoop loop, Supplier<T> look) {
    var before = current;
    current = loop;
    try {
      return look.get();
    } finally {
      current = before;
    }
  }

  /** Runs a task outside of all loops after so long. */
  public EventLoop.Cancellable after(long nanos, Runnable task) {
    var due = new Due(now + Math.max(0, nanos), count++, task);
    agenda.add(due);
    return () -> due.cancelled = true;
  }

  void becomesReady(SimulatedLoop loop) {
    ready.add(loop);
  }

  void isReadyNoMore(SimulatedLoop loop) {
    ready.remove(loop);
  }

  /** Does the next thing; false when there is nothing to do before that time. */
  public boolean step(long until) {
    boolean due = !agenda.isEmpty() && agenda.peek().at <= now;
    int choices = ready.size() + (due ? 1 : 0);
    if (choices == 0) {
      if (agenda.isEmpty() || agenda.peek().at > until) {
        now = Math.max(now, until);
        return false;
      }
      now = agenda.peek().at;
      return step(until);
    }
    if (now > until) {
      return false;
    }
    steps++;
    int choice = choices == 1 ? 0 : random.nextInt(choices);
    if (choice == ready.size()) {
      var next = agenda.remove();
      if (!next.cancelled) {
        mix(next.number);
        run(null, next.task);
      }
      return true;
    }
    var loop = ready.get(choice);
    mix(loop.number() * 31 + now);
    run(loop, loop.next());
    now += 1 + random.nextInt(TASK_NANOS_MAX);
    return true;
  }

  private void run(@Nullable SimulatedLoop loop, Runnable task) {
    current = loop;
    try {
      task.run();
    } catch (Throwable e) {
      note(() -> "thrown: " + e);
      if (failure == null) {
        failure = e;
      }
    } finally {
      current = null;
    }
  }

  /** Delays that end on the loop from which they were asked for. */
  public Delays delays() {
    return new Delays() {
      @Override
      public long nanoTime() {
        return now;
      }

      @Override
      public Future<Void> after(Duration delay) {
        Answer<Instant> answer = answer();
        Simulator.this.after(delay.toNanos(), () -> answer.succeed(Instant.EPOCH));
        return answer.future().mapEmpty();
      }
    };
  }

  /** An answer that comes on the loop that is current now, if there is one. */
  public <T extends @Nullable Object> Answer<T> answer() {
    return new Answer<>(current);
  }

  /** What is waited for on a loop; the first answer counts. */
  public static final class Answer<T extends @Nullable Object> {
    private final Promise<T> promise = Promise.promise();
    private final @Nullable SimulatedLoop asker;

    private Answer(@Nullable SimulatedLoop asker) {
      this.asker = asker;
    }

    public Future<T> future() {
      return promise.future();
    }

    public @Nullable SimulatedLoop asker() {
      return asker;
    }

    public void succeed(T value) {
      give(() -> promise.tryComplete(value));
    }

    public void fail(Throwable error) {
      give(() -> promise.tryFail(error));
    }

    private void give(Runnable task) {
      if (asker == null) {
        task.run();
      } else {
        asker.execute(task);
      }
    }
  }

  /** Other threads of a node: what they run ends after a while, outside of all loops. */
  public Blocking blocking(long nanosMax) {
    return new Blocking() {
      @Override
      public <T> Future<@Nullable T> run(Callable<T> code) {
        Promise<@Nullable T> promise = Promise.promise();
        after(
            1 + random.nextLong(nanosMax),
            () -> {
              T result;
              try {
                result = code.call();
              } catch (Exception e) {
                promise.fail(e);
                return;
              }
              promise.complete(result);
            });
        return promise.future();
      }
    };
  }
}
