package skein.node.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RepeatedLinesTest {
  private static final String JOIN = "com.hazelcast.internal.cluster.impl.ClusterJoinManager";

  private final RepeatedLines filter = new RepeatedLines("com.hazelcast", Duration.ofMinutes(1));

  private boolean passes(String logger, Level level, String message, int second) {
    var event = new LoggingEvent();
    event.setLoggerName(logger);
    event.setLevel(level);
    event.setMessage(message);
    event.setTimeStamp(second * 1000L);
    return filter.decide(event) != FilterReply.DENY;
  }

  @Test
  void a_warning_of_the_library_is_written_once_a_minute() {
    assertThat(passes(JOIN, Level.WARN, "version 5.5.0 is not compatible", 10)).isTrue();
    assertThat(passes(JOIN, Level.WARN, "version 5.5.0 is not compatible", 11)).isFalse();
    assertThat(passes(JOIN, Level.WARN, "version 5.3.8 is not compatible", 69)).isFalse();
    assertThat(passes(JOIN, Level.WARN, "version 5.5.0 is not compatible", 70)).isTrue();
  }

  @Test
  void other_lines_are_written_each_time() {
    for (int i = 0; i < 2; i++) {
      assertThat(passes(JOIN, Level.ERROR, "out of memory", i)).isTrue();
      assertThat(passes(JOIN, Level.DEBUG, "step", i)).isTrue();
      assertThat(passes("skein.node.Node", Level.WARN, "database.notThereYet", i)).isTrue();
      assertThat(passes(JOIN, Level.WARN, "another text " + (i == 0 ? "a" : "b"), 1)).isTrue();
    }
  }

  @Test
  void what_is_remembered_is_bounded() {
    assertThat(passes(JOIN, Level.WARN, "first", 1)).isTrue();
    for (int i = 0; i < 1_000; i++) {
      assertThat(passes(JOIN, Level.WARN, "x".repeat(i + 1), 1)).isTrue();
    }
    assertThat(passes(JOIN, Level.WARN, "first", 1)).as("forgotten").isTrue();
  }
}
