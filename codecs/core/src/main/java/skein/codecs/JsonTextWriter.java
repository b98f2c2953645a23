package skein.codecs;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/** Appends JSON values to a text, as {@link JsonText#print} and {@link JsonText#canonical} say. */
final class JsonTextWriter {
  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  private final StringBuilder text;
  private final boolean canonical;

  JsonTextWriter(StringBuilder text, boolean canonical) {
    this.text = text;
    this.canonical = canonical;
  }

  /** {@code depth}: the number of arrays and objects that the value is in. */
  void value(@Nullable Object value, int depth) {
    if (value == null) {
      text.append("null");
    } else if (value instanceof String string) {
      string(string);
    } else if (value instanceof Boolean truth) {
      text.append(truth.booleanValue());
    } else if (value instanceof Long number) {
      text.append(number.longValue());
    } else if (value instanceof Number number) {
      text.append(number(number));
    } else if (value instanceof Map<?, ?> map) {
      object(map, deeper(depth));
    } else if (value instanceof List<?> list) {
      array(list, deeper(depth));
    } else {
      throw notJson(value);
    }
  }

  private void object(Map<?, ?> map, int depth) {
    Set<Object> taken = null;
    int written = 0;
    for (var entry : (canonical ? sorted(map) : map).entrySet()) {
      if (!(entry.getKey() instanceof String key)) {
        throw new IllegalArgumentException("The key " + entry.getKey() + " is not a string");
      }
      text.append(written == 0 ? '{' : ',');
      if (isPlain(key)) {
        text.append('"').append(key).append('"');
      } else if (canonical || StorableText.isStorable(key)) {
        quoted(key);
      } else {
        taken = taken == null ? new HashSet<Object>(map.keySet()) : taken;
        quoted(storable(key, taken, written));
      }
      text.append(':');
      value(entry.getValue(), depth);
      written++;
    }
    text.append(written == 0 ? "{}" : "}");
  }

  /**
   * A key that can be stored, and that is another one than all others.
   *
   * @param taken all keys of the object, and those that were made; this one is added
   * @param before keys before this one
   */
  private static String storable(String key, Set<Object> taken, int before) {
    var next = StorableText.replaced(key);
    while (!taken.add(next)) {
      next += before; // many keys may become the same text
    }
    return next;
  }

  private void array(List<?> list, int depth) {
    char separator = '[';
    for (var element : list) {
      text.append(separator);
      separator = ',';
      value(element, depth);
    }
    text.append(separator == '[' ? "[]" : "]");
  }

  private void string(String value) {
    if (isPlain(value)) {
      text.append('"').append(value).append('"');
    } else {
      quoted(canonical ? value : StorableText.replaced(value));
    }
  }

  private void quoted(String value) {
    text.append('"');
    int from = 0;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (isEscaped(c)) {
        text.append(value, from, i);
        escape(c);
        from = i + 1;
      }
    }
    text.append(value, from, value.length()).append('"');
  }

  /** Whether it is written as it is: with nothing to escape and nothing to replace. */
  static boolean isPlain(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (isEscaped(c) || Character.isSurrogate(c)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isEscaped(char c) {
    return c < ' ' || c == '"' || c == '\\';
  }

  private void escape(char c) {
    text.append('\\');
    switch (c) {
      case '"', '\\' -> text.append(c);
      case '\b' -> text.append('b');
      case '\t' -> text.append('t');
      case '\n' -> text.append('n');
      case '\f' -> text.append('f');
      case '\r' -> text.append('r');
      default -> text.append("u00").append(HEX[c >> 4]).append(HEX[c & 0xF]);
    }
  }

  /** As deep as is read again. */
  private static int deeper(int depth) {
    if (depth >= JsonLimits.DEPTH_CEILING) {
      throw new SkeinException(
          ErrorCode.TOO_DEEP,
          "The value is more than " + JsonLimits.DEPTH_CEILING + " arrays and objects deep");
    }
    return depth + 1;
  }

  private static Map<?, ?> sorted(Map<?, ?> map) {
    return map.size() < 2 ? map : new TreeMap<>(map);
  }

  private String number(Number number) {
    if (number instanceof Integer n) {
      return n.toString();
    }
    if (number instanceof Short n) {
      return n.toString();
    }
    if (number instanceof Byte n) {
      return n.toString();
    }
    if (number instanceof BigInteger n) {
      return canonical ? minimal(new BigDecimal(n)) : n.toString();
    }
    if (number instanceof BigDecimal n) {
      return canonical ? minimal(n) : n.toString();
    }
    if (number instanceof Double n) {
      return decimal(n.doubleValue(), n.toString());
    }
    if (number instanceof Float n) {
      return decimal(n.doubleValue(), n.toString());
    }
    throw notJson(number);
  }

  private String decimal(double value, String digits) {
    if (!Double.isFinite(value)) {
      return "null";
    }
    return canonical ? minimal(new BigDecimal(digits)) : digits;
  }

  /** Plain up to 21 digits as in JavaScript, else digits and an exponent. */
  private static String minimal(BigDecimal value) {
    if (value.signum() == 0) {
      return "0";
    }
    var stripped = value.stripTrailingZeros();
    int integerDigits = stripped.precision() - stripped.scale();
    return integerDigits <= 21 && stripped.scale() <= 21
        ? stripped.toPlainString()
        : stripped.unscaledValue() + "e" + -(long) stripped.scale();
  }

  private static IllegalArgumentException notJson(Object value) {
    return new IllegalArgumentException(value.getClass().getName() + " is not a JSON value");
  }
}
