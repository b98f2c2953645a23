package skein.node.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.event.KeyValuePair;

/**
 * Says on standard output that the file of the log cannot be written, at most once a minute. Past
 * the loggers: their line would wait for the thread that says it.
 */
final class LogFileFailures {
  private static final Duration PAUSE = Duration.ofMinutes(1);

  private final LoggerContext context;
  private final Path file;
  private final QueuedAppender output;
  private long last = System.nanoTime() - PAUSE.toNanos();

  LogFileFailures(LoggerContext context, Path file, QueuedAppender output) {
    this.context = context;
    this.file = file;
    this.output = output;
  }

  /** On one thread. */
  void say(IOException why) {
    long now = System.nanoTime();
    if (now - last < PAUSE.toNanos()) {
      return;
    }
    last = now;
    var logger = context.getLogger("skein.node.Log");
    var event = new LoggingEvent("", logger, Level.WARN, "log.fileNotWritten", null, null);
    event.setInstant(Instant.now());
    event.addKeyValuePair(new KeyValuePair("file", file.toString()));
    event.addKeyValuePair(new KeyValuePair("why", why.toString()));
    event.addKeyValuePair(
        new KeyValuePair(
            "cure",
            "make room, or let this process write there, or name another logging.file; lines are"
                + " dropped from the file and counted until then"));
    output.doAppend(event);
  }
}
