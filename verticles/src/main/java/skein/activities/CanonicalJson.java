package skein.activities;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * JSON text that is the same for the same value: keys sorted, no blanks, nulls in objects left out,
 * numbers without exponent or trailing zeros.
 */
public final class CanonicalJson {
  private static final int DEPTH_MAX = 200;

  private CanonicalJson() {}

  /** Throws {@link IllegalArgumentException} past 200 levels, or for what is not JSON. */
  public static String of(@Nullable Object value) {
    var text = new StringBuilder();
    write(text, value, 0);
    return text.toString();
  }

  private static void write(StringBuilder text, @Nullable Object value, int depth) {
    if (depth > DEPTH_MAX) {
      throw new IllegalArgumentException("JSON is nested deeper than " + DEPTH_MAX);
    }
    switch (value) {
      case null -> text.append("null");
      case Boolean bool -> text.append(bool);
      case String string -> quote(text, string);
      case Long number -> text.append(number);
      case BigInteger number -> text.append(number);
      case Double number -> decimal(text, BigDecimal.valueOf(number));
      case BigDecimal number -> decimal(text, number);
      case Map<?, ?> map -> object(text, map, depth);
      case List<?> list -> array(text, list, depth);
      default -> throw new IllegalArgumentException("Not a JSON value: " + value.getClass());
    }
  }

  private static void decimal(StringBuilder text, BigDecimal number) {
    text.append(number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString());
  }

  private static void object(StringBuilder text, Map<?, ?> map, int depth) {
    var sorted = new TreeMap<String, Object>();
    map.forEach((key, value) -> {
      if (value != null) {
        sorted.put(String.valueOf(key), value);
      }
    });
    text.append('{');
    var separator = "";
    for (var entry : sorted.entrySet()) {
      text.append(separator);
      quote(text, entry.getKey());
      text.append(':');
      write(text, entry.getValue(), depth + 1);
      separator = ",";
    }
    text.append('}');
  }

  private static void array(StringBuilder text, List<?> list, int depth) {
    text.append('[');
    var separator = "";
    for (var item : list) {
      text.append(separator);
      write(text, item, depth + 1);
      separator = ",";
    }
    text.append(']');
  }

  private static void quote(StringBuilder text, String string) {
    text.append('"');
    for (var i = 0; i < string.length(); i++) {
      var c = string.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ') {
        text.append(String.format("\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }
}
