package skein.node.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class EndedMemberTest {
  /** As Hazelcast names it, which this module does not have. */
  private static final class HazelcastInstanceNotActiveException extends IllegalStateException {
    private static final long serialVersionUID = 1;
  }

  private final LoggerContext context = new LoggerContext();
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger migrations =
      context.getLogger("com.hazelcast.internal.partition.impl.MigrationManagerImpl");

  @BeforeEach
  void leave() {
    lines.start();
    context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(lines);
    context.getLogger("com.hazelcast").setLevel(Level.ERROR);
    var filter = new EndedMember();
    filter.start();
    context.addTurboFilter(filter);
  }

  @Test
  void what_the_own_end_cuts_off_is_not_said() {
    migrations.error("Migration commit failed", new HazelcastInstanceNotActiveException());
    migrations.error("Failed", new RuntimeException(new HazelcastInstanceNotActiveException()));

    assertThat(lines.list).isEmpty();
  }

  @Test
  void other_errors_and_those_of_others_are() {
    migrations.error("Migration commit failed", new IllegalStateException("torn"));
    migrations.error("Migration commit failed");
    context.getLogger("skein.node").error("x", new HazelcastInstanceNotActiveException());

    assertThat(lines.list).hasSize(3);
  }

  @Test
  void with_the_level_debug_everything_is() {
    context.getLogger("com.hazelcast").setLevel(Level.DEBUG);

    migrations.error("Migration commit failed", new HazelcastInstanceNotActiveException());

    assertThat(lines.list).hasSize(1);
  }
}
