package skein.storage;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.loop.ThrottledLog;

/**
 * Says in the log that the database refuses this node, and why: callers are not told. Once a minute
 * at most. Thread-safe.
 */
final class DatabaseRefusals {
  private static final Duration LOG_INTERVAL = Duration.ofMinutes(1);
  private static final Logger log = LoggerFactory.getLogger(DatabaseRefusals.class);

  private final ThrottledLog throttled = new ThrottledLog(LOG_INTERVAL, System::nanoTime);

  /** {@code failure}: of the client, as it came; any other than a refusal is not logged. */
  void noticed(Throwable failure) {
    var refused = DatabaseRefusedException.of(failure);
    if (refused != null) {
      throttled.happened(times ->
          log.atWarn()
              .addKeyValue("cause", refused.said())
              .addKeyValue("cure", refused.cure())
              .addKeyValue("times", times)
              .log("database.refused"));
    }
  }
}
