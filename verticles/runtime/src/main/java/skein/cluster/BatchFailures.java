package skein.cluster;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.loop.ThrottledLog;

/** Tells of messages with many parts that came to nothing, of each kind once a minute. */
final class BatchFailures {
  private static final Logger log = LoggerFactory.getLogger(BatchFailures.class);
  private static final Duration INTERVAL = Duration.ofMinutes(1);

  private final ThrottledLog unreadable;
  private final ThrottledLog lost;

  /** {@code nanos}: a monotonic clock. */
  BatchFailures(LongSupplier nanos) {
    unreadable = new ThrottledLog(INTERVAL, nanos);
    lost = new ThrottledLog(INTERVAL, nanos);
  }

  /** A message that came to an address was dropped. */
  void unreadable(String address, Throwable cause) {
    unreadable.happened(count ->
        log.atWarn()
            .addKeyValue("address", address)
            .addKeyValue("cause", cause.toString())
            .addKeyValue("count", count)
            .log("bus.batch_unreadable"));
  }

  /** Answers could not be sent to an address. */
  void lost(String address, Throwable cause) {
    lost.happened(count ->
        log.atWarn()
            .addKeyValue("address", address)
            .addKeyValue("cause", cause.toString())
            .addKeyValue("count", count)
            .log("bus.answers_lost"));
  }
}
