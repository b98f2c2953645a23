package skein.node.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class QueuedAppenderTest {
  private static final int LINES = 5_000;

  private final LoggerContext context = new LoggerContext();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Test
  void lines_of_many_threads_are_all_written_each_threads_in_its_order() throws Exception {
    var appender = started();
    var threads = new ArrayList<Thread>();
    for (var name : new String[] {"a", "b", "c", "d"}) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; i < LINES; i++) {
                  appender.doAppend(event(name + " " + i));
                }
              }));
    }
    for (var thread : threads) {
      thread.join();
    }
    appender.stop();

    var lines = out.toString(StandardCharsets.UTF_8).lines().toList();
    assertThat(lines).hasSize(4 * LINES);
    for (var name : new String[] {"a", "b", "c", "d"}) {
      var numbers =
          lines.stream()
              .filter(line -> line.startsWith(name))
              .map(line -> Integer.valueOf(line.substring(2)))
              .toList();
      assertThat(numbers).hasSize(LINES).isSorted();
    }
  }

  @Test
  void a_line_is_written_without_another_after_it() throws Exception {
    var appender = started();

    appender.doAppend(event("alone"));

    long end = System.nanoTime() + 5_000_000_000L;
    while (out.size() == 0) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.sleep(1);
    }
    appender.stop();
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("alone\n");
  }

  @Test
  void an_event_that_cannot_be_written_does_not_end_the_log() {
    var encoder =
        new PatternLayoutEncoder() {
          @Override
          public byte[] encode(ILoggingEvent event) {
            if (event.getMessage().equals("broken")) {
              throw new IllegalStateException("no text");
            }
            return super.encode(event);
          }
        };
    var appender = started(encoder);

    appender.doAppend(event("broken"));
    appender.doAppend(event("whole"));
    appender.stop();

    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("whole\n");
  }

  @Test
  void a_log_that_nobody_takes_says_for_how_long() throws Exception {
    var writing = new CountDownLatch(1);
    var taken = new CountDownLatch(1);
    var held =
        new FilterOutputStream(out) {
          @Override
          public void write(byte[] bytes, int from, int count) throws IOException {
            writing.countDown();
            try {
              taken.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            out.write(bytes, from, count);
          }
        };
    var options = new QueuedAppender.Options(10, Duration.ofMillis(1), Duration.ofMillis(1));
    var appender = started(new PatternLayoutEncoder(), held, options);
    assertThat(appender.stuckFor()).isZero();
    appender.doAppend(event("held"));
    assertThat(writing.await(10, TimeUnit.SECONDS)).isTrue();
    Thread.sleep(50);

    assertThat(appender.stuckFor()).isGreaterThanOrEqualTo(Duration.ofMillis(50));

    taken.countDown();
    appender.stop();
    assertThat(appender.stuckFor()).isZero();
  }

  @Test
  void a_log_whose_thread_ends_does_not_end_silently() throws Exception {
    var died = new AtomicReference<Throwable>();
    var before = Thread.getDefaultUncaughtExceptionHandler();
    var over = new CountDownLatch(1);
    Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
      if (thread.getName().equals("log")) {
        died.set(e);
        over.countDown();
      }
    });
    try {
      var broken =
          new FilterOutputStream(out) {
            @Override
            public void write(byte[] bytes, int from, int count) {
              throw new LinkageError("broken");
            }
          };
      var options = new QueuedAppender.Options(10, Duration.ofMillis(1), Duration.ofMillis(1));
      var appender = started(new PatternLayoutEncoder(), broken, options);
      appender.doAppend(event("line"));

      assertThat(over.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(died.get()).isInstanceOf(LinkageError.class);
      assertThat(appender.stuckFor()).isZero();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  @Test
  void a_log_that_nobody_takes_holds_up_a_caller_once_and_says_what_was_dropped() throws Exception {
    var taken = new CountDownLatch(1);
    var held =
        new FilterOutputStream(out) {
          @Override
          public void write(byte[] bytes, int from, int count) throws IOException {
            try {
              taken.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            out.write(bytes, from, count);
          }
        };
    var options = new QueuedAppender.Options(10, Duration.ofMillis(200), Duration.ofMillis(1));
    var appender = started(new PatternLayoutEncoder(), held, options);

    long since = System.nanoTime();
    for (int i = 0; i < 2_000; i++) {
      appender.doAppend(event("line " + i));
    }
    var took = Duration.ofNanos(System.nanoTime() - since);
    long dropped = appender.dropped();
    taken.countDown();
    awaitWritten("log.dropped lines=");
    awaitWritten("line " + (2_000 - dropped - 1) + "\n");
    appender.doAppend(event("after"));
    appender.stop();

    assertThat(took).isBetween(Duration.ofMillis(200), Duration.ofMillis(1_500));
    assertThat(dropped).isBetween(1_900L, 1_999L);
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .contains("line 0", "log.dropped lines=" + dropped, "after")
        .hasSize((int) (2_000 - dropped) + 2);
  }

  @Test
  void a_stop_does_not_break_a_write_that_goes_on() throws Exception {
    var writing = new CountDownLatch(1);
    var taken = new CountDownLatch(1);
    var interruptible =
        new FilterOutputStream(out) {
          @Override
          public void write(byte[] bytes, int from, int count) throws IOException {
            writing.countDown();
            try {
              taken.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            out.write(bytes, from, count);
          }
        };
    var options = new QueuedAppender.Options(10, Duration.ofMinutes(1), Duration.ofMillis(1));
    var appender = started(new PatternLayoutEncoder(), interruptible, options);

    appender.doAppend(event("first"));
    assertThat(writing.await(10, TimeUnit.SECONDS)).isTrue();
    appender.doAppend(event("second"));
    var stop = Thread.ofPlatform().start(appender::stop);
    while (appender.isStarted() || stop.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    taken.countDown();
    stop.join();

    assertThat(out.toString(StandardCharsets.UTF_8).lines()).containsExactly("first", "second");
    assertThat(appender.dropped()).isZero();
  }

  @Test
  void lines_that_could_not_be_written_are_counted_and_said() throws Exception {
    var failures = new AtomicInteger(1);
    var full =
        new FilterOutputStream(out) {
          @Override
          public void write(byte[] bytes, int from, int count) throws IOException {
            if (failures.getAndDecrement() > 0) {
              throw new IOException("No space left on device");
            }
            out.write(bytes, from, count);
          }
        };
    var options = new QueuedAppender.Options(10, Duration.ofMinutes(1), Duration.ofMillis(1));
    var appender = started(new PatternLayoutEncoder(), full, options);

    appender.doAppend(event("lost"));
    awaitWritten("log.dropped lines=1\n");
    appender.doAppend(event("whole"));
    appender.stop();

    assertThat(appender.dropped()).isEqualTo(1);
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("log.dropped lines=1\nwhole\n");
  }

  @Test
  void what_is_too_long_is_cut_before_it_waits() {
    var appender = started();
    var event = event("m".repeat(20_000));
    event.addKeyValuePair(new KeyValuePair("text", "v".repeat(9_000)));
    event.addKeyValuePair(new KeyValuePair("list", List.of("w".repeat(9_000))));

    appender.doAppend(event);
    appender.stop();

    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            "m".repeat(8_192)
                + "… (11808 more characters) text="
                + "v".repeat(8_192)
                + "… (808 more characters) list=["
                + "w".repeat(8_191)
                + "… (810 more characters)\n");
  }

  private void awaitWritten(String text) throws InterruptedException {
    long end = System.nanoTime() + 10_000_000_000L;
    while (!out.toString(StandardCharsets.UTF_8).contains(text)) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.sleep(1);
    }
  }

  private QueuedAppender started() {
    return started(new PatternLayoutEncoder());
  }

  private QueuedAppender started(PatternLayoutEncoder encoder) {
    var options = new QueuedAppender.Options(8192, Duration.ofMinutes(1), Duration.ofMillis(2));
    return started(encoder, out, options);
  }

  private QueuedAppender started(
      PatternLayoutEncoder encoder, OutputStream to, QueuedAppender.Options options) {
    context.setMDCAdapter(new LogbackMDCAdapter());
    encoder.setContext(context);
    encoder.setPattern("%msg%replace( %kvp{NONE}){'^ $', ''}%n");
    encoder.start();
    var appender = new QueuedAppender(encoder, to, new BoundedLines(context, 8_192), options);
    appender.setContext(context);
    appender.start();
    return appender;
  }

  private LoggingEvent event(String message) {
    var logger = context.getLogger("test");
    return new LoggingEvent("fqcn", logger, Level.INFO, message, null, null);
  }
}
