package skein.node.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

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

  private QueuedAppender started() {
    return started(new PatternLayoutEncoder());
  }

  private QueuedAppender started(PatternLayoutEncoder encoder) {
    context.setMDCAdapter(new LogbackMDCAdapter());
    encoder.setContext(context);
    encoder.setPattern("%msg%n");
    encoder.start();
    var appender = new QueuedAppender(encoder, out, 8192, Duration.ofMillis(2));
    appender.setContext(context);
    appender.start();
    return appender;
  }

  private LoggingEvent event(String message) {
    var logger = context.getLogger("test");
    return new LoggingEvent("fqcn", logger, Level.INFO, message, null, null);
  }
}
