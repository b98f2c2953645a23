package skein.node.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.node.config.LogLevel;
import skein.node.config.LogNames;
import skein.node.config.LoggingConfig;
import skein.node.config.LoggingConfig.LogFormat;

/**
 * Sets up standard output and, if there is to be one, a file. A file named by {@code
 * logback.configurationFile} is left alone.
 */
public final class Logging {
  /** Messages of libraries at level info are of no use to operators. */
  private static final Map<String, Level> QUIET =
      Map.of(
          "com.hazelcast", Level.WARN,
          "io.netty", Level.WARN,
          "io.vertx", Level.WARN,
          "io.vertx.sqlclient.impl.SocketConnectionBase", Level.ERROR); // notices of PostgreSQL

  /** Loggers that warn when members leave. */
  private static final List<String> CLUSTER =
      List.of("com.hazelcast", "io.vertx.core.eventbus.impl.clustered");

  private static final Duration REPEAT_INTERVAL = Duration.ofMinutes(1);

  private static volatile List<QueuedAppender> current = List.of();
  private static volatile RecentLines recent = new RecentLines(1);

  private Logging() {}

  /** Lines that were dropped since the log was set up, because they were not read in time. */
  public static long dropped() {
    return current.stream().mapToLong(QueuedAppender::dropped).sum();
  }

  /**
   * A sentence when the log has not been read for longer than that, or its file cannot be written;
   * null when all is well.
   */
  public static @Nullable String trouble(Duration max) {
    var found = new ArrayList<String>();
    for (var appender : current) {
      var stuck = appender.stuckFor();
      var failure = appender.failure();
      if (stuck.compareTo(max) > 0) {
        found.add("The log has not been taken for " + stuck.toMillis() + " ms");
      } else if (failure != null) {
        found.add("The log cannot be written (" + failure + ")");
      }
    }
    return found.isEmpty()
        ? null
        : String.join("; ", found) + ", " + dropped() + " lines were dropped since the start";
  }

  /** Standard output alone, for programs that may run beside a node that writes the file. */
  public static void configureWithoutFile(LoggingConfig settings, String nodeName) {
    configure(settings, nodeName, null);
  }

  /** Replaces what was set up before. */
  public static void configure(LoggingConfig settings, String nodeName) {
    configure(settings, nodeName, settings.file());
  }

  private static void configure(
      LoggingConfig settings, String nodeName, LoggingConfig.@Nullable LogFile file) {
    if (System.getProperty("logback.configurationFile") != null
        || !(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
      return;
    }
    context.reset();
    context.setMaxCallerDataDepth(0);
    context.putProperty("node", nodeName);
    var unreadable = new UnreadablePackets(REPEAT_INTERVAL);
    unreadable.start();
    context.addTurboFilter(unreadable);
    var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(level(settings.level()));
    if (root.getLevel().isGreaterOrEqual(Level.INFO)) {
      QUIET.forEach((name, quiet) -> context.getLogger(name).setLevel(higher(quiet, root)));
    }
    settings.levels().forEach((name, level) -> context.getLogger(name).setLevel(level(level)));
    var output = appender(context, settings, nodeName, standardOutput());
    if (settings.recentBytes() > 0) {
      recent = new RecentLines(settings.recentBytes());
      output.keepIn(recent);
    }
    output.start();
    root.addAppender(output);
    current = List.of(output);
    if (file != null) {
      var lines = fileAppender(context, settings, nodeName, file);
      lines.onFailure(new LogFileFailures(context, file.path(), output)::say);
      lines.start();
      root.addAppender(lines);
      current = List.of(output, lines);
    }
  }

  /**
   * Lines that were written to standard output, as far as {@code logging.recent-bytes} keeps them.
   *
   * @param next from where to continue reading, in bytes since the start
   * @param skipped bytes from {@code position} on that are no longer kept
   */
  public record Recent(List<String> lines, long next, long skipped) {}

  /**
   * Whole lines, the oldest first.
   *
   * @param position of {@link Recent#next}; negative: as many of the newest lines as fit
   * @param bytesMax of all lines, from 1
   */
  public static Recent recent(long position, int bytesMax) {
    var part = recent.after(position, bytesMax);
    return new Recent(part.lines(), part.next(), part.skipped());
  }

  /** The loggers that have a level of their own, {@link LogNames#DEFAULT} first. */
  public static Map<String, LogLevel> levels() {
    var levels = new LinkedHashMap<String, LogLevel>();
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      for (var logger : context.getLoggerList()) { // sorted, the root first
        if (logger.getLevel() != null) {
          levels.put(nameOf(logger), levelOf(logger.getLevel()));
        }
      }
    }
    return levels;
  }

  private static LogLevel levelOf(Level level) {
    return level.toInt() < Level.TRACE_INT ? LogLevel.TRACE : LogLevel.valueOf(level.toString());
  }

  private static String nameOf(ch.qos.logback.classic.Logger logger) {
    return logger.getName().equals(Logger.ROOT_LOGGER_NAME) ? LogNames.DEFAULT : logger.getName();
  }

  /**
   * Gives a logger another level, from the next line on.
   *
   * @param logger a name, or {@link LogNames#DEFAULT}
   * @param level null: that of the loggers above it
   */
  public static void change(String logger, @Nullable LogLevel level) {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      var name = logger.equals(LogNames.DEFAULT) ? Logger.ROOT_LOGGER_NAME : logger;
      context.getLogger(name).setLevel(level == null ? null : level(level));
    }
  }

  /**
   * For a node that leaves and itself says what it could not hand over: Hazelcast would warn of
   * each member that leaves at the same time and of each part that is then lost, which holds
   * nothing that lasts, of each operation that its own end cuts off, and the event bus of each node
   * that it no longer reaches. A level that was configured stays.
   */
  public static void ignoreLeavingMembers() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      for (var name : CLUSTER) {
        var logger = context.getLogger(name);
        if (logger.getEffectiveLevel() == Level.WARN) {
          logger.setLevel(Level.ERROR);
        }
      }
      if (context.getTurboFilterList().stream().noneMatch(EndedMember.class::isInstance)) {
        var ended = new EndedMember();
        ended.start();
        context.addTurboFilter(ended);
      }
    }
  }

  /**
   * For a node whose event loops end: Vert.x would log each answer that comes for them after that.
   * A level that was configured stays.
   */
  public static void ignoreLateAnswers() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      var queues = context.getLogger("io.vertx.core.impl.TaskQueue");
      if (queues.getLevel() == null) {
        queues.setLevel(Level.OFF);
      }
    }
  }

  /** Nothing is logged: for commands whose output is for programs. */
  public static void silence() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.reset();
      context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.OFF);
    }
  }

  private static Level higher(Level quiet, ch.qos.logback.classic.Logger root) {
    return root.getLevel().isGreaterOrEqual(quiet) ? root.getLevel() : quiet;
  }

  private static Level level(LogLevel level) {
    return Level.toLevel(level.name());
  }

  private static Encoder<ILoggingEvent> encoder(
      LoggerContext context, LogFormat format, String nodeName) {
    if (format == LogFormat.JSON) {
      var json = new EcsEncoder(nodeName);
      json.setContext(context);
      json.start();
      return json;
    }
    var layout = new TextLayout(nodeName);
    layout.setContext(context);
    layout.start();
    var text = new LayoutWrappingEncoder<ILoggingEvent>();
    text.setContext(context);
    text.setCharset(StandardCharsets.UTF_8);
    text.setLayout(layout);
    text.start();
    return text;
  }

  /** Others write to it, too, also when the log has stopped. */
  private static OutputStream standardOutput() {
    return new FileOutputStream(FileDescriptor.out) {
      @Override
      public void close() {
        // it stays open
      }
    };
  }

  private static QueuedAppender fileAppender(
      LoggerContext context, LoggingConfig settings, String nodeName, LoggingConfig.LogFile file) {
    var out = new RotatingFile(file.path(), file.bytesMax(), file.kept());
    var lines = appender(context, settings, nodeName, out);
    lines.setName("log-file");
    return lines;
  }

  private static QueuedAppender appender(
      LoggerContext context, LoggingConfig settings, String nodeName, OutputStream out) {
    var lines =
        new QueuedAppender(
            encoder(context, settings.format(), nodeName),
            out,
            new BoundedLines(context, settings.lineCharsMax()),
            new QueuedAppender.Options(
                settings.queueMax(), settings.queueWaitMax(), settings.writeDelay()));
    lines.setContext(context);
    var repeated = new RepeatedLines("com.hazelcast", REPEAT_INTERVAL);
    repeated.start();
    lines.addFilter(repeated);
    return lines;
  }

  /** Writes what is queued; later events are lost. */
  public static void stop() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.stop();
    }
  }
}
