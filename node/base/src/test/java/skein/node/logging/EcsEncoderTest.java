package skein.node.logging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class EcsEncoderTest {
  private static LoggingEvent event(String message, @Nullable Throwable thrown) {
    var logger = new LoggerContext().getLogger("skein.execution.PostCommit");
    var event = new LoggingEvent("fqcn", logger, Level.WARN, message, thrown, null);
    event.setInstant(Instant.parse("2026-05-01T02:00:00.123Z"));
    event.setThreadName("lane-0");
    event.setMDCPropertyMap(Map.of("traceId", "4bf92f3577b34da6a3ce929d0e0e4736"));
    return event;
  }

  private static JsonObject json(LoggingEvent event) {
    var line = new String(new EcsEncoder("n1").encode(event), UTF_8);
    assertThat(line).endsWith("}\n").hasLineCount(1);
    return new JsonObject(line);
  }

  @Test
  void a_line_is_a_flat_object_with_the_names_of_the_schema() {
    var event = event("instance.faulted", null);
    event.addKeyValuePair(new KeyValuePair("instanceId", "i1"));
    event.addKeyValuePair(new KeyValuePair("definitionId", "Order"));
    event.addKeyValuePair(new KeyValuePair("activityId", "charge"));
    event.addKeyValuePair(new KeyValuePair("durationMs", 7L));
    event.addKeyValuePair(new KeyValuePair("leftMs", 3));
    event.addKeyValuePair(new KeyValuePair("open", true));
    event.addKeyValuePair(new KeyValuePair("rate", Double.NaN));

    var json = json(event);

    assertThat(json.getMap())
        .containsEntry("@timestamp", "2026-05-01T02:00:00.123Z")
        .containsEntry("log.level", "warn")
        .containsEntry("message", "instance.faulted")
        .containsEntry("event.action", "instance.faulted")
        .containsEntry("service.node.name", "n1")
        .containsEntry("log.logger", "skein.execution.PostCommit")
        .containsEntry("process.thread.name", "lane-0")
        .containsEntry("trace.id", "4bf92f3577b34da6a3ce929d0e0e4736")
        .containsEntry("skein.instance.id", "i1")
        .containsEntry("skein.definition.id", "Order")
        .containsEntry("skein.activity.id", "charge")
        .containsEntry("event.duration", 7_000_000)
        .containsEntry("skein.left_ms", 3)
        .containsEntry("skein.open", true)
        .containsEntry("skein.rate", "NaN")
        .containsKey("ecs.version");
    assertThat(json.getMap().values())
        .noneMatch(value -> value instanceof JsonObject || value instanceof JsonArray);
  }

  @Test
  void a_sentence_is_no_action() {
    assertThat(json(event("Released distributed lock for workflow instance i1", null)).getMap())
        .doesNotContainKey("event.action");
  }

  @Test
  void an_exception_has_fields_of_its_own() {
    var json = json(event("node.broken", new IllegalStateException("why \"x\"")));

    assertThat(json.getString("error.type")).isEqualTo("java.lang.IllegalStateException");
    assertThat(json.getString("error.message")).isEqualTo("why \"x\"");
    assertThat(json.getString("error.stack_trace"))
        .contains("\tat " + EcsEncoderTest.class.getName());
  }

  @Test
  void nothing_in_it_is_obeyed_by_a_terminal() {
    var event = event("ä\u009b\u007f\u2028\u001b", null);
    event.addKeyValuePair(new KeyValuePair("name", "a\nb\\\u202e"));

    var line = new String(new EcsEncoder("n1").encode(event), UTF_8);

    assertThat(new JsonObject(line).getString("message")).isEqualTo("ä\u009b\u007f\u2028\u001b");
    assertThat(new JsonObject(line).getString("skein.name")).isEqualTo("a\nb\\\u202e");
    assertThat(line.strip().chars()).noneMatch(c -> LogText.isControl((char) (int) c));
  }
}
