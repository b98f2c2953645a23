package skein.loop;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The timers of Vert.x and the clock of the JVM. */
public final class VertxDelays implements Delays {
  private final Vertx vertx;

  public VertxDelays(Vertx vertx) {
    this.vertx = vertx;
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Future<Void> after(Duration delay) {
    return vertx.timer(millis(delay), TimeUnit.MILLISECONDS).mapEmpty();
  }

  /** Vert.x wants a millisecond at least. */
  static long millis(Duration delay) {
    return Math.max(1, delay.toMillis());
  }
}
