package skein.node.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Lets each warning of a library through once an interval, however often it is repeated with other
 * numbers: Hazelcast warns at each attempt of a service that it does not admit, and of each of 271
 * partitions. Thread-safe.
 */
final class RepeatedLines extends Filter<ILoggingEvent> {
  private static final int KNOWN_MAX = 200;
  private static final Pattern NUMBER = Pattern.compile("\\d+");

  private final String loggers;
  private final long intervalMillis;

  /** When each was let through last. */
  private final Map<String, Long> known =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > KNOWN_MAX;
        }
      };

  /** {@code loggers}: how the names of the library's loggers begin. */
  RepeatedLines(String loggers, Duration interval) {
    this.loggers = loggers;
    this.intervalMillis = interval.toMillis();
  }

  @Override
  public FilterReply decide(ILoggingEvent event) {
    if (event.getLevel() != Level.WARN || !event.getLoggerName().startsWith(loggers)) {
      return FilterReply.NEUTRAL;
    }
    var line = event.getLoggerName() + NUMBER.matcher(event.getFormattedMessage()).replaceAll("#");
    synchronized (known) {
      var last = known.get(line);
      if (last != null && event.getTimeStamp() - last < intervalMillis) {
        return FilterReply.DENY;
      }
      known.remove(line); // to the end of the order
      known.put(line, event.getTimeStamp());
      return FilterReply.NEUTRAL;
    }
  }
}
