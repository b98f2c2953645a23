package skein.node.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * One line an interval in place of the stack traces that Hazelcast writes for each packet that it
 * cannot read: a service that joins with another version of it sends one at every attempt. With the
 * level {@code debug} the stack traces are there, too. Thread-safe.
 */
final class UnreadablePackets extends TurboFilter {
  private static final org.slf4j.Logger log = LoggerFactory.getLogger(UnreadablePackets.class);
  private static final String READERS = "com.hazelcast.spi.impl.operation";
  private static final String FAILURE = "HazelcastSerializationException";

  private final long intervalNanos;
  private final AtomicLong said;

  UnreadablePackets(Duration interval) {
    this.intervalNanos = interval.toNanos();
    this.said = new AtomicLong(System.nanoTime() - intervalNanos);
  }

  @Override
  public FilterReply decide(
      @Nullable Marker marker,
      Logger logger,
      Level level,
      @Nullable String format,
      Object @Nullable [] params,
      @Nullable Throwable failure) {
    if (failure == null
        || !level.isGreaterOrEqual(Level.WARN)
        || !logger.getName().startsWith(READERS)) {
      return FilterReply.NEUTRAL;
    }
    var unreadable = Causes.find(failure, FAILURE);
    if (unreadable == null) {
      return FilterReply.NEUTRAL;
    }
    long now = System.nanoTime();
    long last = said.get();
    if (now - last >= intervalNanos && said.compareAndSet(last, now)) {
      log.atWarn()
          .addKeyValue("cause", unreadable.getMessage())
          .addKeyValue("cure", "give each service that joins the Hazelcast of the nodes")
          .log("cluster.packetUnreadable");
    }
    return logger.isDebugEnabled() ? FilterReply.NEUTRAL : FilterReply.DENY;
  }
}
