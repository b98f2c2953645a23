package skein.cluster;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import skein.loop.ThrottledLog;

/**
 * Polls something for as long as it is deployed: each poll begins an interval after the one before
 * has ended. Deployed when the first poll has succeeded; what fails later is logged, and polled
 * again.
 */
public abstract class PollingVerticle extends VerticleBase {
  private static final Duration LOG_INTERVAL = Duration.ofMinutes(1);

  private final Duration interval;
  private final ThrottledLog failures = new ThrottledLog(LOG_INTERVAL, System::nanoTime);
  private boolean stopped;

  /** {@code interval}: from the end of a poll to the next one. */
  protected PollingVerticle(Duration interval) {
    this.interval = interval;
  }

  /** Called on the verticle's context. */
  protected abstract Future<Void> poll();

  /** {@code times}: how many polls have failed since this was last called, a minute ago or more. */
  protected abstract void logFailure(Throwable cause, long times);

  @Override
  public Future<?> start() {
    return poll().onSuccess(_ -> pollAgain());
  }

  @Override
  public Future<?> stop() {
    stopped = true;
    return Future.succeededFuture();
  }

  private void pollAgain() {
    vertx
        .timer(interval.toMillis(), TimeUnit.MILLISECONDS)
        .compose(_ -> poll())
        .onComplete(result -> {
          if (stopped) {
            return;
          }
          if (result.failed()) {
            failures.happened(times -> logFailure(result.cause(), times));
          }
          pollAgain();
        });
  }
}
