package skein.links;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("alone")
class LoopWatchIT {
  private static final Duration INTERVAL = Duration.ofMillis(20);
  private static final long LATE = Duration.ofMillis(300).toNanos();
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @Test
  void a_loop_that_stands_still_is_seen_until_it_goes_on() throws Exception {
    var vertx = Vertx.vertx();
    try {
      var watch = new LoopWatch();
      watch.start(vertx, INTERVAL).await();
      assertThat(isLate(watch)).isFalse();
      var goOn = new CountDownLatch(1);

      vertx.getOrCreateContext().runOnContext(_ -> await(goOn));

      assertThat(becomes(watch, true)).as("seen").isTrue();
      assertThat(watch.trouble(System.nanoTime(), Duration.ofNanos(LATE)))
          .startsWith("Event loop vert.x-eventloop-thread-")
          .contains("has not turned for");
      assertThat(watch.lag(System.nanoTime()).toNanos()).isGreaterThan(LATE - INTERVAL.toNanos());
      goOn.countDown();
      assertThat(becomes(watch, false)).as("over").isTrue();
      assertThat(watch.trouble(System.nanoTime(), Duration.ofSeconds(5))).isNull();
      assertThat(lagIsOver(watch)).as("the lag is over when the loop has turned in time").isTrue();
    } finally {
      vertx.close().await();
    }
  }

  @Test
  void a_loop_that_has_ended_is_told_once() throws Exception {
    var vertx = Vertx.vertx();
    try {
      var died = new LinkedBlockingQueue<Thread>();
      var watch = new LoopWatch(died::add);
      var dead = Thread.ofPlatform().name("loop").start(() -> {});
      dead.join();
      watch.add(dead);
      watch.start(vertx, INTERVAL).await();

      assertThat(died.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isSameAs(dead);
      assertThat(died.poll(10 * INTERVAL.toMillis(), TimeUnit.MILLISECONDS)).isNull();
    } finally {
      vertx.close().await();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean becomes(LoopWatch watch, boolean late) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (isLate(watch) != late && System.nanoTime() < end) {
      Thread.sleep(INTERVAL);
    }
    return isLate(watch) == late;
  }

  private static boolean lagIsOver(LoopWatch watch) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (watch.lag(System.nanoTime()).toNanos() > LATE / 2 && System.nanoTime() < end) {
      Thread.sleep(INTERVAL);
    }
    return watch.lag(System.nanoTime()).toNanos() <= LATE / 2;
  }

  private static boolean isLate(LoopWatch watch) {
    return watch.isLate(System.nanoTime(), LATE);
  }
}
