package skein.node.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.node.config.NodeConfig;
import skein.node.config.NodeConfig.LogFormat;

/** Sets up the one appender. A file named by {@code logback.configurationFile} is left alone. */
public final class Logging {
  /** What libraries say at info is of no use to who runs a node. */
  private static final Map<String, Level> QUIET =
      Map.of(
          "com.hazelcast", Level.WARN,
          "io.netty", Level.WARN,
          "io.vertx", Level.WARN,
          "io.vertx.sqlclient.impl.SocketConnectionBase", Level.ERROR); // notices of PostgreSQL

  private Logging() {}

  /** Replaces what was set up before. */
  public static void configure(NodeConfig.Logging settings, String nodeName) {
    if (System.getProperty("logback.configurationFile") != null
        || !(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
      return;
    }
    context.reset();
    context.setMaxCallerDataDepth(0);
    context.putProperty("node", nodeName);
    var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(level(settings.level()));
    if (root.getLevel().isGreaterOrEqual(Level.INFO)) {
      QUIET.forEach((name, quiet) -> context.getLogger(name).setLevel(higher(quiet, root)));
    }
    settings.levels().forEach((name, level) -> context.getLogger(name).setLevel(level(level)));
    root.addAppender(
        standardOutput(context, encoder(context, settings.format(), nodeName), settings));
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

  private static Level level(NodeConfig.Level level) {
    return Level.toLevel(level.name());
  }

  private static Encoder<ILoggingEvent> encoder(
      LoggerContext context, LogFormat format, String nodeName) {
    if (format == LogFormat.JSON) {
      var json = new JsonEncoder();
      json.setContext(context);
      json.setWithFormattedMessage(true);
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

  private static QueuedAppender standardOutput(
      LoggerContext context, Encoder<ILoggingEvent> encoder, NodeConfig.Logging settings) {
    var out = new FileOutputStream(FileDescriptor.out);
    var lines = new QueuedAppender(encoder, out, settings.queueMax(), settings.writeDelay());
    lines.setContext(context);
    lines.start();
    return lines;
  }

  /** Writes what is queued; later events are lost. */
  public static void stop() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.stop();
    }
  }
}
