package skein.node.logging;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * Cuts the message and each value of an event that are longer than the bound, before the event is
 * kept: what waits to be written is bounded with it. Thread-safe.
 */
final class BoundedLines {
  private final LoggerContext context;
  private final int charsMax;

  BoundedLines(LoggerContext context, int charsMax) {
    this.context = context;
    this.charsMax = charsMax;
  }

  ILoggingEvent of(ILoggingEvent event) {
    var message = event.getFormattedMessage();
    boolean isLong = message != null && message.length() > charsMax;
    return isLong || hasLongValue(event.getKeyValuePairs()) ? cut(event, message) : event;
  }

  private boolean hasLongValue(@Nullable List<KeyValuePair> pairs) {
    if (pairs == null) {
      return false;
    }
    for (var pair : pairs) {
      if (textOf(pair.value).length() > charsMax) {
        return true;
      }
    }
    return false;
  }

  private ILoggingEvent cut(ILoggingEvent event, @Nullable String message) {
    var logger = context.getLogger(event.getLoggerName());
    var text = LogText.bounded(String.valueOf(message), charsMax);
    var cut = new LoggingEvent("", logger, event.getLevel(), text, null, null);
    cut.setInstant(event.getInstant());
    cut.setThreadName(event.getThreadName());
    var pairs = event.getKeyValuePairs();
    if (pairs != null) {
      pairs.forEach(pair -> cut.addKeyValuePair(new KeyValuePair(pair.key, cut(pair.value))));
    }
    if (event.getThrowableProxy() instanceof ThrowableProxy thrown) {
      cut.setThrowableProxy(thrown);
    }
    return cut;
  }

  private @Nullable Object cut(@Nullable Object value) {
    var text = textOf(value);
    return text.length() > charsMax ? LogText.bounded(text, charsMax) : value;
  }

  /** The text of a value; empty for numbers and the like, which are short. */
  private static String textOf(@Nullable Object value) {
    return switch (value) {
      case null -> "";
      case String text -> text;
      case Number _, Boolean _, Enum<?> _ -> "";
      default -> value.toString();
    };
  }
}
