package skein.node.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.CoreConstants;
import ch.qos.logback.core.LayoutBase;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.slf4j.event.KeyValuePair;

/** {@code 12:00:00.000 INFO [n1] skein.node.Node - node.ready durationMs=800}. */
final class TextLayout extends LayoutBase<ILoggingEvent> {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneId.systemDefault());

  private static final int STACK_CHARS_MAX = 65_536;

  private final String node;

  /** That of the last line: there are many lines in one second. */
  private Second second = Second.of(0);

  private record Second(long epochSecond, String time) {
    static Second of(long epochSecond) {
      return new Second(epochSecond, TIME.format(Instant.ofEpochSecond(epochSecond)));
    }
  }

  TextLayout(String node) {
    this.node = node;
  }

  @Override
  public String doLayout(ILoggingEvent event) {
    var line = new StringBuilder(160);
    appendTime(line, event.getTimeStamp());
    line.append(' ').append(event.getLevel());
    if (event.getLevel().toString().length() == 4) {
      line.append(' ');
    }
    line.append(" [").append(node).append("] ").append(event.getLoggerName()).append(" - ");
    line.append(LogText.oneLine(event.getFormattedMessage()));
    var pairs = event.getKeyValuePairs();
    if (pairs != null) {
      pairs.forEach(pair -> append(line, pair));
    }
    line.append(CoreConstants.LINE_SEPARATOR);
    if (event.getThrowableProxy() != null) {
      appendStack(line, ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }
    return line.toString();
  }

  private void appendTime(StringBuilder line, long epochMillis) {
    long epochSecond = Math.floorDiv(epochMillis, 1_000);
    var at = second;
    if (at.epochSecond() != epochSecond) {
      at = Second.of(epochSecond);
      second = at;
    }
    int millis = Math.floorMod(epochMillis, 1_000);
    line.append(at.time()).append(millis < 10 ? ".00" : millis < 100 ? ".0" : ".").append(millis);
  }

  private static void append(StringBuilder line, KeyValuePair pair) {
    var value = LogText.oneLine(String.valueOf(pair.value));
    boolean quoted = value.isEmpty() || value.indexOf(' ') >= 0 || value.indexOf('"') >= 0;
    line.append(' ').append(pair.key).append('=');
    line.append(quoted ? '"' + value.replace("\"", "\\\"") + '"' : value);
  }

  /** A line break in a message must not look like another event: no line begins as one does. */
  private static void appendStack(StringBuilder line, String stack) {
    LogText.stack(LogText.bounded(stack, STACK_CHARS_MAX))
        .lines()
        .forEach(each -> {
          line.append(each.startsWith("\t") ? "" : "\t").append(each);
          line.append(CoreConstants.LINE_SEPARATOR);
        });
  }
}
