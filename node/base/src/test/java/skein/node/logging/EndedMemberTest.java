package skein.node.logging;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class EndedMemberTest {
  /** As Hazelcast names it, which this module does not have. */
  private static final class HazelcastInstanceNotActiveException extends IllegalStateException {
    private static final long serialVersionUID = 1;
  }

  private final LoggerContext context = new LoggerContext();
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger migrations =
      context.getLogger("com.hazelcast.internal.partition.impl.MigrationManagerImpl");

  @BeforeEach
  void leave() {
    lines.start();
    context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(lines);
    context.getLogger("com.hazelcast").setLevel(Level.ERROR);
    var filter = new EndedMember();
    filter.start();
    context.addTurboFilter(filter);
  }

  @Test
  void what_the_own_end_cuts_off_is_not_said() {
    migrations.error("Migration commit failed", new HazelcastInstanceNotActiveException());
    migrations.error("Failed", new RuntimeException(new HazelcastInstanceNotActiveException()));

    assertThat(lines.list).isEmpty();
  }

  @Test
  void a_task_for_a_pool_that_ends_is_not_said_and_one_for_a_full_pool_is() throws Exception {
    var monitor =
        context.getLogger("com.hazelcast.spi.impl.operationservice.impl.InvocationMonitor");
    var over = new CountDownLatch(1);
    try (var pool = new ThreadPoolExecutor(1, 1, 1, SECONDS, new SynchronousQueue<>())) {
      pool.execute(() -> awaitQuietly(over));
      monitor.error("busy", rejectedBy(pool));
      pool.shutdown();
      monitor.error("ends", rejectedBy(pool));
      over.countDown();
      assertThat(pool.awaitTermination(10, SECONDS)).isTrue();
      monitor.error("has ended", rejectedBy(pool));
    }

    assertThat(lines.list).extracting(ILoggingEvent::getMessage).containsExactly("busy");
  }

  private static Throwable rejectedBy(ThreadPoolExecutor pool) {
    return catchThrowableOfType(
        RejectedExecutionException.class, () -> pool.execute(Thread::onSpinWait));
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void other_errors_and_those_of_others_are() {
    migrations.error("Migration commit failed", new IllegalStateException("torn"));
    migrations.error("Migration commit failed");
    context.getLogger("skein.node").error("x", new HazelcastInstanceNotActiveException());

    assertThat(lines.list).hasSize(3);
  }

  @Test
  void with_the_level_debug_everything_is() {
    context.getLogger("com.hazelcast").setLevel(Level.DEBUG);

    migrations.error("Migration commit failed", new HazelcastInstanceNotActiveException());

    assertThat(lines.list).hasSize(1);
  }
}
