package skein.http;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/**
 * What a server serves, as its router was told.
 *
 * @param all as {@code GET /elsa/api/timers}, sorted
 */
record RouterRoutes<T>(T server, List<String> all) {
  /** Of the server that is started at the same time. */
  static <T> RouterRoutes<T> of(Supplier<T> start) {
    var logger = (Logger) LoggerFactory.getLogger(Routes.class);
    var level = logger.getLevel();
    var told = new ListAppender<ILoggingEvent>();
    told.start();
    logger.setLevel(Level.DEBUG);
    logger.addAppender(told);
    try {
      var server = start.get();
      return new RouterRoutes<>(
          server, told.list.stream().map(RouterRoutes::route).distinct().sorted().toList());
    } finally {
      logger.detachAppender(told);
      logger.setLevel(level);
    }
  }

  private static String route(ILoggingEvent event) {
    var facts =
        event.getKeyValuePairs().stream()
            .collect(Collectors.toMap(pair -> pair.key, pair -> String.valueOf(pair.value)));
    return facts.get("method") + " " + facts.get("path");
  }
}
