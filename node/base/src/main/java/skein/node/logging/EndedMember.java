package skein.node.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * For a node that leaves: drops what Hazelcast logs, with a stack, of each of its own operations
 * that this ends, such as a partition that was on its way to another member. With the level {@code
 * debug} it is there. Thread-safe.
 */
final class EndedMember extends TurboFilter {
  private static final String FAILURE = "HazelcastInstanceNotActiveException";

  @Override
  public FilterReply decide(
      @Nullable Marker marker,
      Logger logger,
      Level level,
      @Nullable String format,
      Object @Nullable [] params,
      @Nullable Throwable failure) {
    return failure != null
            && logger.getName().startsWith("com.hazelcast")
            && Causes.find(failure, FAILURE) != null
            && !logger.isDebugEnabled()
        ? FilterReply.DENY
        : FilterReply.NEUTRAL;
  }
}
