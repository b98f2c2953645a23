package skein.node.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class TextLayoutTest {
  private final TextLayout layout = new TextLayout("n1");

  @Test
  void an_event_is_one_line_with_its_facts_after_it() {
    var event = event("burst.committed", null);
    event.addKeyValuePair(new KeyValuePair("instanceId", "i1"));
    event.addKeyValuePair(new KeyValuePair("cause", "no \"room\""));

    assertThat(layout.doLayout(event))
        .matches("\\d\\d:\\d\\d:\\d\\d\\.\\d{3} INFO  \\[n1] skein\\.node\\.Node - .*\\R")
        .contains(" - burst.committed instanceId=i1 cause=\"no \\\"room\\\"\"");
  }

  @Test
  void each_line_has_the_time_of_its_own_event() {
    var time = DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneId.systemDefault());
    for (long millis : new long[] {0, 7, 42, 999, 1_000, 61_001, 5, -1, 1_760_000_000_123L}) {
      var event = event("burst.committed", null);
      var at = Instant.ofEpochMilli(millis);
      event.setInstant(at);

      assertThat(layout.doLayout(event)).startsWith(time.format(at) + " INFO ");
    }
  }

  @Test
  void a_line_break_from_outside_makes_no_second_event() {
    var event = event("a\n12:00:00.000 ERROR [n1] forged - b", null);
    event.addKeyValuePair(new KeyValuePair("name", "x\r\ny"));

    assertThat(layout.doLayout(event).lines()).hasSize(1);
  }

  @Test
  void what_a_terminal_would_obey_is_shown_by_its_code() {
    var event = event("a\u001b[31mb\u009b2Jc\u0085d\u2028e\u202ef\u000bg\u007fh\u0000", null);

    assertThat(layout.doLayout(event))
        .contains("a\\u001b[31mb\\u009b2Jc\\u0085d\\u2028e\\u202ef\\u000bg\\u007fh\\u0000");
  }

  @Test
  void the_message_of_an_exception_makes_no_second_event() {
    var thrown = new IllegalStateException("why\n12:00:00.000 ERROR [n1] forged - b\u001b[2J");

    assertThat(layout.doLayout(event("node.broken", thrown)).lines().skip(1))
        .isNotEmpty()
        .allMatch(line -> line.startsWith("\t") && line.indexOf('\u001b') < 0);
  }

  @Test
  void an_exception_is_told_with_its_stack() {
    assertThat(layout.doLayout(event("node.broken", new IllegalStateException("why"))).lines())
        .anyMatch(line -> line.contains("IllegalStateException: why"))
        .anyMatch(line -> line.contains("at " + TextLayoutTest.class.getName()));
  }

  private static LoggingEvent event(String message, @Nullable Throwable thrown) {
    var logger = new LoggerContext().getLogger("skein.node.Node");
    var event = new LoggingEvent("fqcn", logger, Level.INFO, message, thrown, null);
    event.setInstant(Instant.EPOCH);
    return event;
  }
}
