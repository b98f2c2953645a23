package skein.work;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log of the node, for those who know nothing of its library. */
final class NodeLogger implements System.Logger {
  private final Logger log;

  NodeLogger(String activityType) {
    log = LoggerFactory.getLogger("skein.own." + activityType);
  }

  @Override
  public String getName() {
    return log.getName();
  }

  @Override
  public boolean isLoggable(Level level) {
    return level != Level.OFF && log.isEnabledForLevel(to(level));
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String message,
      @Nullable Throwable thrown) {
    if (isLoggable(level)) {
      log.atLevel(to(level)).setCause(thrown).log(message);
    }
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String format,
      @Nullable Object @Nullable ... parameters) {
    boolean plain = format == null || parameters == null || parameters.length == 0;
    log(level, bundle, plain ? format : MessageFormat.format(format, parameters), (Throwable) null);
  }

  private static org.slf4j.event.Level to(Level level) {
    return switch (level) {
      case ALL, TRACE -> org.slf4j.event.Level.TRACE;
      case DEBUG -> org.slf4j.event.Level.DEBUG;
      case WARNING -> org.slf4j.event.Level.WARN;
      case ERROR -> org.slf4j.event.Level.ERROR;
      case INFO, OFF -> org.slf4j.event.Level.INFO;
    };
  }
}
