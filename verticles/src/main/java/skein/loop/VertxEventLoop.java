package skein.loop;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;

/** An event-loop context of Vert.x. */
public final class VertxEventLoop implements EventLoop {
  private final Vertx vertx;
  private final Context context;
  private final Delays delays;
  private final Thread thread = Thread.currentThread();

  private VertxEventLoop(Vertx vertx, Context context) {
    this.vertx = vertx;
    this.context = context;
    this.delays = new VertxDelays(vertx);
  }

  /**
   * The loop of the calling thread.
   *
   * @throws IllegalStateException when the caller is not on an event loop
   */
  public static VertxEventLoop current(Vertx vertx) {
    var context = Vertx.currentContext();
    if (context == null || !Context.isOnEventLoopThread()) {
      throw new IllegalStateException(Thread.currentThread() + " is not an event loop");
    }
    return new VertxEventLoop(vertx, context);
  }

  @Override
  public boolean isCurrent() {
    return thread.equals(Thread.currentThread());
  }

  @Override
  public void execute(Runnable task) {
    context.runOnContext(_ -> task.run());
  }

  @Override
  public Cancellable schedule(Duration delay, Runnable task) {
    long id = vertx.setTimer(VertxDelays.millis(delay), _ -> task.run());
    return () -> vertx.cancelTimer(id);
  }

  @Override
  public Cancellable repeat(Duration interval, Runnable task) {
    long id = vertx.setPeriodic(VertxDelays.millis(interval), _ -> task.run());
    return () -> vertx.cancelTimer(id);
  }

  @Override
  public long nanoTime() {
    return delays.nanoTime();
  }

  @Override
  public Future<Void> after(Duration delay) {
    return delays.after(delay);
  }
}
