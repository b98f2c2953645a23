package skein.loop;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;

/** An event-loop context of Vert.x. */
public final class VertxEventLoop implements EventLoop {
  private final Vertx vertx;
  private final Context context;
  private final Delays delays;

  /** {@code context}: an event-loop context. */
  public VertxEventLoop(Vertx vertx, Context context) {
    this.vertx = vertx;
    this.context = context;
    this.delays = new VertxDelays(vertx);
  }

  @Override
  public boolean isCurrent() {
    return ((ContextInternal) context).nettyEventLoop().inEventLoop();
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
