package skein.node.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One flat JSON object a line, with the field names of the Elastic Common Schema: what other
 * programs search by has a field of its own, whichever event it belongs to. Facts without a field
 * there are {@code skein.} and their name in snake case.
 */
final class EcsEncoder extends EncoderBase<ILoggingEvent> {
  private static final String VERSION = "8.17.0";
  private static final int STACK_CHARS_MAX = 65_536;

  /** Of most lines. */
  private static final int CHARS_EXPECTED = 448;

  private static final char DELETE = 0x7f;

  /** Messages that name what has happened; others are sentences. */
  private static final Pattern EVENT = Pattern.compile("[a-z][A-Za-z]*(\\.[a-z][A-Za-z_]*)+");

  private static final Pattern WORD = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");

  private static final String MILLIS = "durationMs";

  /** The ECS names of the facts in the source, and of the context of a trace. */
  private static final Map<String, String> FIELDS =
      Map.ofEntries(
          Map.entry("instanceId", "skein.instance.id"),
          Map.entry("workflowInstanceId", "skein.instance.id"),
          Map.entry("definitionId", "skein.definition.id"),
          Map.entry("bookmarkId", "skein.bookmark.id"),
          Map.entry("timerId", "skein.timer.id"),
          Map.entry("activityId", "skein.activity.id"),
          Map.entry("activityType", "skein.activity.type"),
          Map.entry("traceId", "trace.id"),
          Map.entry("trace_id", "trace.id"),
          Map.entry("spanId", "span.id"),
          Map.entry("span_id", "span.id"),
          Map.entry("url", "url.full"),
          Map.entry("user", "user.name"));

  /** The fields that all lines have with the same values. */
  private final String ofAllLines;

  /** {@code node}: the name of this node. */
  EcsEncoder(String node) {
    var fields = new StringBuilder().append(',');
    quoted(fields, "ecs.version").append(':');
    quoted(fields, VERSION).append(',');
    quoted(fields, "service.name").append(':');
    quoted(fields, "skein").append(',');
    quoted(fields, "service.node.name").append(':');
    this.ofAllLines = quoted(fields, node).toString();
  }

  @Override
  public byte[] headerBytes() {
    return new byte[0];
  }

  @Override
  public byte[] footerBytes() {
    return new byte[0];
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    var json = new StringBuilder(CHARS_EXPECTED).append('{');
    var message = event.getFormattedMessage();
    text(json, "@timestamp", Instant.ofEpochMilli(event.getTimeStamp()).toString());
    text(json, "log.level", event.getLevel().toString().toLowerCase(Locale.ROOT));
    text(json, "message", message);
    json.append(ofAllLines);
    text(json, "log.logger", event.getLoggerName());
    text(json, "process.thread.name", event.getThreadName());
    if (message.indexOf(' ') < 0 && EVENT.matcher(message).matches()) {
      text(json, "event.action", message);
    }
    event.getMDCPropertyMap().forEach((name, value) -> fact(json, name, value));
    var facts = event.getKeyValuePairs();
    if (facts != null) {
      facts.forEach(fact -> fact(json, fact.key, fact.value));
    }
    var thrown = event.getThrowableProxy();
    if (thrown != null) {
      thrown(json, thrown);
    }
    return json.append("}\n").toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void fact(StringBuilder json, String name, @Nullable Object value) {
    if (value == null) {
      return;
    }
    if (name.equals(MILLIS) && value instanceof Number millis) {
      number(json, "event.duration", Duration.ofMillis(millis.longValue()).toNanos());
      return;
    }
    var field = field(name);
    switch (value) {
      case Number number when isJson(number) -> number(json, field, number);
      case Boolean flag -> name(json, field).append(flag.booleanValue());
      default -> text(json, field, value.toString());
    }
  }

  static String field(String name) {
    var known = FIELDS.get(name);
    return known == null
        ? "skein." + WORD.matcher(name).replaceAll("_").toLowerCase(Locale.ROOT)
        : known;
  }

  private static void thrown(StringBuilder json, IThrowableProxy thrown) {
    text(json, "error.type", thrown.getClassName());
    var message = thrown.getMessage();
    if (message != null) {
      text(json, "error.message", message);
    }
    text(
        json,
        "error.stack_trace",
        LogText.bounded(ThrowableProxyUtil.asString(thrown), STACK_CHARS_MAX));
  }

  /** Not a number, and those without an end, are none in JSON. */
  private static boolean isJson(Number number) {
    return Double.isFinite(number.doubleValue());
  }

  private static void number(StringBuilder json, String field, Number value) {
    name(json, field).append(value);
  }

  private static void text(StringBuilder json, String field, String value) {
    quoted(name(json, field), value);
  }

  private static StringBuilder name(StringBuilder json, String field) {
    if (json.length() > 1) {
      json.append(',');
    }
    return quoted(json, field).append(':');
  }

  /** Also the controls that JSON allows as they are: a terminal would obey them. */
  private static StringBuilder quoted(StringBuilder json, String text) {
    json.append('"');
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!isPlain(c)) {
        json.append(text, from, i);
        escape(json, c);
        from = i + 1;
      }
    }
    return (from == 0 ? json.append(text) : json.append(text, from, text.length())).append('"');
  }

  private static boolean isPlain(char c) {
    return c < DELETE ? c >= ' ' && c != '"' && c != '\\' : !LogText.isControl(c);
  }

  private static void escape(StringBuilder json, char c) {
    switch (c) {
      case '"' -> json.append("\\\"");
      case '\\' -> json.append("\\\\");
      case '\n' -> json.append("\\n");
      case '\r' -> json.append("\\r");
      case '\t' -> json.append("\\t");
      default -> json.append("\\u%04x".formatted((int) c));
    }
  }
}
