package skein.cluster;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PollingVerticleTest {
  private static final Duration INTERVAL = Duration.ofMillis(5);

  private final Vertx vertx = Vertx.vertx();
  private final AtomicInteger polls = new AtomicInteger();
  private final AtomicInteger logged = new AtomicInteger();

  @AfterEach
  void close() throws Exception {
    vertx.close().await(10, SECONDS);
  }

  /** Fails the polls with these numbers; the first is 1. */
  private final class Polling extends PollingVerticle {
    private final int failFrom;
    private final int failTo;
    private final CountDownLatch ended;

    Polling(int failFrom, int failTo, int awaited) {
      super(INTERVAL);
      this.failFrom = failFrom;
      this.failTo = failTo;
      this.ended = new CountDownLatch(awaited);
    }

    @Override
    protected Future<Void> poll() {
      int number = polls.incrementAndGet();
      ended.countDown();
      return number >= failFrom && number <= failTo
          ? Future.failedFuture("poll " + number)
          : Future.succeededFuture();
    }

    @Override
    protected void logFailure(Throwable cause, long times) {
      logged.incrementAndGet();
    }
  }

  @Test
  void a_first_poll_that_fails_fails_the_deployment_and_is_the_last() throws Exception {
    var polling = new Polling(1, 1, 1);

    assertThatThrownBy(() -> vertx.deployVerticle(polling).await(10, SECONDS)).hasMessage("poll 1");

    Thread.sleep(INTERVAL.multipliedBy(10));
    assertThat(polls).hasValue(1);
    assertThat(logged).hasValue(0);
  }

  @Test
  void later_failures_are_logged_once_a_minute_and_polled_again() throws Exception {
    var polling = new Polling(2, 4, 6);

    vertx.deployVerticle(polling).await(10, SECONDS);

    assertThat(polling.ended.await(10, SECONDS)).isTrue();
    assertThat(logged).hasValue(1);
  }

  @Test
  void nothing_is_polled_any_more_when_it_was_undeployed() throws Exception {
    var polling = new Polling(0, 0, 3);
    var id = vertx.deployVerticle(polling).await(10, SECONDS);
    assertThat(polling.ended.await(10, SECONDS)).isTrue();

    vertx.undeploy(id).await(10, SECONDS);
    Thread.sleep(INTERVAL.multipliedBy(4)); // one that had begun
    int then = polls.get();
    Thread.sleep(INTERVAL.multipliedBy(10));

    assertThat(polls).hasValue(then);
  }
}
