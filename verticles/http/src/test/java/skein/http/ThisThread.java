package skein.http;

import io.vertx.core.Future;
import java.time.Duration;
import skein.loop.EventLoop;

/** An event loop that is any thread, for classes that are only set up. */
final class ThisThread implements EventLoop {
  @Override
  public boolean isCurrent() {
    return true;
  }

  @Override
  public void execute(Runnable task) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Cancellable schedule(Duration delay, Runnable task) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Cancellable repeat(Duration interval, Runnable task) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Future<Void> after(Duration delay) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }
}
