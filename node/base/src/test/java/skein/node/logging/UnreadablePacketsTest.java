package skein.node.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class UnreadablePacketsTest {
  private static final String READER =
      "com.hazelcast.spi.impl.operationexecutor.impl.OperationExecutorImpl";

  /** As Hazelcast names it, which this module does not have. */
  private static final class HazelcastSerializationException extends RuntimeException {
    HazelcastSerializationException(String message) {
      super(message);
    }
  }

  private final LoggerContext context = new LoggerContext();
  private final ListAppender<ILoggingEvent> library = new ListAppender<>();
  private final ListAppender<ILoggingEvent> own = new ListAppender<>();

  @BeforeEach
  void listen() {
    library.start();
    context.getLogger("com.hazelcast").addAppender(library);
    context.getLogger("com.hazelcast").setLevel(Level.WARN);
    own.start();
    ownLogger().addAppender(own);
  }

  @AfterEach
  void leave() {
    ownLogger().detachAppender(own);
  }

  private static ch.qos.logback.classic.Logger ownLogger() {
    return (ch.qos.logback.classic.Logger) LoggerFactory.getLogger(UnreadablePackets.class);
  }

  private void limit(Duration interval) {
    var filter = new UnreadablePackets(interval);
    filter.start();
    context.addTurboFilter(filter);
  }

  private static Throwable unreadable() {
    return new IllegalStateException(
        "Failed to process", new HazelcastSerializationException("classId: 11"));
  }

  @Test
  void packets_that_cannot_be_read_are_one_line_an_interval() {
    limit(Duration.ofMinutes(1));

    for (int i = 0; i < 50; i++) {
      context.getLogger(READER).error("Failed to process: Packet{" + i + "}", unreadable());
    }

    assertThat(library.list).isEmpty();
    assertThat(own.list).hasSize(1);
    assertThat(own.list.getFirst().getMessage()).isEqualTo("cluster.packetUnreadable");
    assertThat(own.list.getFirst().getKeyValuePairs().toString()).contains("classId: 11");
  }

  @Test
  void the_line_comes_again_after_the_interval() {
    limit(Duration.ZERO);

    for (int i = 0; i < 3; i++) {
      context.getLogger(READER).error("Failed to process", unreadable());
    }

    assertThat(own.list).hasSize(3);
  }

  @Test
  void other_failures_stay() {
    limit(Duration.ofMinutes(1));

    context.getLogger(READER).error("Failed to process", new IllegalStateException("other"));
    context.getLogger(READER).error("Failed to process");
    context.getLogger("com.hazelcast.map.impl").error("Entry", unreadable());

    assertThat(library.list).hasSize(3);
    assertThat(own.list).isEmpty();
  }

  @Test
  void at_debug_the_stack_traces_are_there_too() {
    limit(Duration.ofMinutes(1));
    context.getLogger("com.hazelcast").setLevel(Level.DEBUG);

    context.getLogger(READER).error("Failed to process", unreadable());

    assertThat(library.list).hasSize(1);
    assertThat(own.list).hasSize(1);
  }
}
