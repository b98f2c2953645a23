package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ContextFailuresTest {
  private static final Logger LOG = (Logger) LoggerFactory.getLogger(ContextFailures.class);

  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @BeforeEach
  void listen() {
    LOG.setLevel(Level.DEBUG);
    lines.start();
    LOG.addAppender(lines);
  }

  @AfterEach
  void forget() {
    LOG.detachAppender(lines);
    LOG.setLevel(null);
  }

  /** As the context of a message in Vert.x 5.0 says it of every failure. */
  private static final class Unfailing implements Promise<Void> {
    @Override
    public boolean tryComplete(Void result) {
      return true;
    }

    @Override
    public boolean tryFail(Throwable cause) {
      return false;
    }

    @Override
    public Future<Void> future() {
      throw new UnsupportedOperationException();
    }
  }

  /** What such a promise throws where a future completes it; with the frames of this test. */
  private static IllegalStateException thrown() {
    try {
      new Unfailing().complete(null, new IllegalStateException("closed"));
    } catch (IllegalStateException e) {
      return e;
    }
    throw new AssertionError("such a promise throws");
  }

  private Level levelOf(Throwable e) {
    new ContextFailures().handle(e);
    return lines.list.getLast().getLevel();
  }

  @Test
  void a_message_to_a_node_that_has_stopped_is_no_error() {
    var e = thrown();
    var own = Arrays.stream(e.getStackTrace());
    e.setStackTrace(
        own.takeWhile(frame -> frame.getClassName().startsWith("io.vertx."))
            .toArray(StackTraceElement[]::new));
    assertThat(e.getStackTrace()).as("frames of Vert.x").hasSizeGreaterThan(1);

    assertThat(levelOf(e)).isEqualTo(Level.DEBUG);
    assertThat(lines.list.getLast().getMessage()).isEqualTo("bus.unwritten");
  }

  @Test
  void a_promise_that_a_program_completes_twice_is_one() {
    assertThat(levelOf(thrown())).isEqualTo(Level.ERROR);
    assertThat(levelOf(new IllegalStateException("Promise already completed")))
        .isEqualTo(Level.ERROR);
  }

  /** The other end of the wire: this is how Vert.x completes the promise of a message. */
  @Test
  void a_future_that_fails_such_a_promise_on_an_event_loop_is_no_error() throws Exception {
    var vertx = Vertx.vertx();
    try {
      var handled = new CountDownLatch(1);
      var failures = new ContextFailures();
      vertx.exceptionHandler(e -> {
        failures.handle(e);
        handled.countDown();
      });
      var write = ((VertxInternal) vertx).createEventLoopContext().<Void>promise();
      write.future().onComplete(new Unfailing());

      write.fail("closed"); // not on its event loop, which completes the other promise

      assertThat(handled.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(lines.list).extracting(ILoggingEvent::getMessage).containsExactly("bus.unwritten");
    } finally {
      vertx.close().await(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void what_is_thrown_on_an_event_loop_is_logged_with_its_stack() throws Exception {
    var vertx = Vertx.vertx();
    try {
      var handled = new CountDownLatch(1);
      var failures = new ContextFailures();
      vertx.exceptionHandler(e -> {
        failures.handle(e);
        handled.countDown();
      });

      vertx.runOnContext(_ -> {
        throw new ArithmeticException("two and two");
      });

      assertThat(handled.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(lines.list)
          .singleElement()
          .satisfies(line -> {
            assertThat(line.getMessage()).isEqualTo("loop.failed");
            assertThat(line.getLevel()).isEqualTo(Level.ERROR);
            assertThat(line.getThrowableProxy())
                .extracting("message", InstanceOfAssertFactories.STRING)
                .isEqualTo("two and two");
          });
    } finally {
      vertx.close().await(10, TimeUnit.SECONDS);
    }
  }
}
