package skein.loop;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;

/** An event loop of a node in a simulation. */
public final class SimulatedLoop implements EventLoop {
  private final Simulator simulator;
  private final String name;
  private final long number;
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private boolean stopped;
  private boolean frozen;

  SimulatedLoop(Simulator simulator, String name, long number) {
    this.simulator = simulator;
    this.name = name;
    this.number = number;
  }

  long number() {
    return number;
  }

  @Override
  public boolean isCurrent() {
    return simulator.current() == this;
  }

  @Override
  public void execute(Runnable task) {
    if (stopped) {
      return;
    }
    tasks.add(task);
    if (tasks.size() == 1 && !frozen) {
      simulator.becomesReady(this);
    }
  }

  Runnable next() {
    var task = tasks.remove();
    if (tasks.isEmpty()) {
      simulator.isReadyNoMore(this);
    }
    return task;
  }

  /** For good: nothing of it happens any more. */
  public void stop() {
    stopped = true;
    if (!tasks.isEmpty() && !frozen) {
      simulator.isReadyNoMore(this);
    }
    tasks.clear();
  }

  public boolean isStopped() {
    return stopped;
  }

  /** What is to be done waits. */
  public void freeze() {
    if (!frozen && !tasks.isEmpty()) {
      simulator.isReadyNoMore(this);
    }
    frozen = true;
  }

  public void thaw() {
    if (frozen && !tasks.isEmpty()) {
      simulator.becomesReady(this);
    }
    frozen = false;
  }

  @Override
  public Cancellable schedule(Duration delay, Runnable task) {
    boolean[] cancelled = {false};
    var due =
        simulator.after(
            delay.toNanos(),
            () ->
                execute(() -> {
                  if (!cancelled[0]) {
                    task.run();
                  }
                }));
    return () -> {
      cancelled[0] = true;
      due.cancel();
    };
  }

  @Override
  public Cancellable repeat(Duration interval, Runnable task) {
    return new Repetition(interval, task);
  }

  private final class Repetition implements Cancellable {
    private final Duration interval;
    private final Runnable task;
    private Cancellable next;

    Repetition(Duration interval, Runnable task) {
      this.interval = interval;
      this.task = task;
      this.next = schedule(interval, this::run);
    }

    private void run() {
      next = schedule(interval, this::run);
      task.run();
    }

    @Override
    public void cancel() {
      next.cancel();
    }
  }

  @Override
  public long nanoTime() {
    return simulator.now();
  }

  @Override
  public Future<Void> after(Duration delay) {
    Simulator.Answer<Instant> answer = simulator.answer();
    simulator.after(delay.toNanos(), () -> answer.succeed(Instant.EPOCH));
    return answer.future().mapEmpty();
  }

  @Override
  public String toString() {
    return name;
  }
}
