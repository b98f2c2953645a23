package skein.node.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * For a node that leaves: drops what Hazelcast logs, with a stack, of each of its own operations
 * that this ends, such as a partition that was on its way to another member, or a task for one of
 * its pools. With the level {@code debug} it is there. Thread-safe.
 */
final class EndedMember extends TurboFilter {
  private static final String NOT_ACTIVE = "HazelcastInstanceNotActiveException";
  private static final String REJECTED = "RejectedExecutionException";

  /** How a pool of the JDK gives its state in a rejection; else it is too busy. */
  private static final List<String> ENDED = List.of("[Shutting down,", "[Terminated,");

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
            && isOfItsEnd(failure)
            && !logger.isDebugEnabled()
        ? FilterReply.DENY
        : FilterReply.NEUTRAL;
  }

  private static boolean isOfItsEnd(Throwable failure) {
    if (Causes.find(failure, NOT_ACTIVE) != null) {
      return true;
    }
    var rejected = Causes.find(failure, REJECTED);
    var said = rejected == null ? null : rejected.getMessage();
    return said != null && ENDED.stream().anyMatch(said::contains);
  }
}
