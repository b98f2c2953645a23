package skein.node.cli;

import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** JSON as YAML, in which every JSON text is a scalar as well. */
final class YamlText {
  /** Text that no reader of YAML takes for something else. */
  private static final Pattern PLAIN =
      Pattern.compile("[A-Za-z_][A-Za-z0-9_./-]*( [A-Za-z0-9_./-]+)*");

  private static final Pattern WORD =
      Pattern.compile("(?i)y|n|yes|no|on|off|true|false|null|nan|inf");

  private final StringBuilder out = new StringBuilder();

  private YamlText() {}

  /** No break after the last line. */
  static String of(@Nullable Object json) {
    var text = new YamlText();
    text.value(json, 0, false);
    return text.out.toString().strip();
  }

  private void value(@Nullable Object value, int depth, boolean inItem) {
    switch (value) {
      case JsonObject object when !object.isEmpty() -> object(object, depth, inItem);
      case JsonArray array when !array.isEmpty() -> array(array, depth);
      case JsonObject _ -> out.append(" {}\n");
      case JsonArray _ -> out.append(" []\n");
      case null, default -> out.append(' ').append(scalar(value)).append('\n');
    }
  }

  private void object(JsonObject object, int depth, boolean inItem) {
    boolean first = true;
    if (!inItem && depth > 0) {
      out.append('\n');
    }
    for (var name : object.fieldNames()) {
      out.append(first && inItem ? " " : "  ".repeat(depth));
      out.append(scalar(name)).append(':');
      value(object.getValue(name), depth + 1, false);
      first = false;
    }
  }

  private void array(JsonArray array, int depth) {
    if (depth > 0) {
      out.append('\n');
    }
    for (int i = 0; i < array.size(); i++) {
      out.append("  ".repeat(depth)).append('-');
      value(array.getValue(i), depth + 1, true);
    }
  }

  private static String scalar(@Nullable Object value) {
    return value instanceof String text
            && PLAIN.matcher(text).matches()
            && !WORD.matcher(text).matches()
        ? text
        : Json.encode(value);
  }
}
