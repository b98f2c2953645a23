package skein.codecs;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.model.ErrorCode;
import skein.model.SkeinException;

/**
 * Copies of values that callers built in Java: unmodifiable, of the classes a JSON value has, and
 * within the limits that a text would have to keep.
 */
public final class JsonValues {
  private final JsonLimits limits;
  private long size;
  private int values;

  private JsonValues(JsonLimits limits) {
    this.limits = limits;
  }

  /**
   * Throws {@code INVALID_REQUEST} for what is no JSON value, {@code TOO_LARGE}, {@code TOO_DEEP}
   * or {@code UNSTORABLE_TEXT}, naming {@code what}.
   */
  public static @Nullable Object copy(String what, @Nullable Object value, JsonLimits limits) {
    return new JsonValues(limits).copy(what, value, 0);
  }

  /** As {@link #copy}, of a map. */
  public static Map<String, @Nullable Object> copyMap(
      String what, Map<String, ? extends @Nullable Object> map, JsonLimits limits) {
    return new JsonValues(limits).object(what, map, 0);
  }

  private @Nullable Object copy(String what, @Nullable Object value, int depth) {
    count(what);
    if (value == null) {
      return null;
    }
    if (value instanceof Boolean truth) {
      return truth;
    }
    if (value instanceof String text) {
      return text(what, text);
    }
    if (value instanceof Number number) {
      return number(what, number);
    }
    if (value instanceof Map<?, ?> map) {
      return object(what, map, depth);
    }
    if (value instanceof List<?> list) {
      return array(what, list, depth);
    }
    throw new SkeinException(
        ErrorCode.INVALID_REQUEST,
        what + ": " + value.getClass().getName() + " is not a JSON value");
  }

  private Map<String, @Nullable Object> object(String what, Map<?, ?> map, int depth) {
    requireDepth(what, depth);
    if (map.isEmpty()) {
      return Collections.emptyMap();
    }
    var copy = new LinkedHashMap<String, @Nullable Object>();
    for (var entry : map.entrySet()) {
      if (!(entry.getKey() instanceof String key)) {
        throw new SkeinException(
            ErrorCode.INVALID_REQUEST, what + ": the key " + entry.getKey() + " is not a string");
      }
      copy.put(text(what, key), copy(what, entry.getValue(), depth + 1));
    }
    return Collections.unmodifiableMap(copy);
  }

  private List<@Nullable Object> array(String what, List<?> list, int depth) {
    requireDepth(what, depth);
    var copy = new ArrayList<@Nullable Object>();
    for (var element : list) {
      copy.add(copy(what, element, depth + 1));
    }
    return Collections.unmodifiableList(copy);
  }

  private String text(String what, String text) {
    if (text.length() > limits.stringCharsMax()) {
      throw tooLarge(what, "a string of " + text.length() + " characters");
    }
    int bad = StorableText.firstUnstorable(text);
    if (bad >= 0) {
      throw new SkeinException(
          ErrorCode.UNSTORABLE_TEXT, what + " has " + StorableText.name(text.charAt(bad)));
    }
    add(what, text.length());
    return text;
  }

  private Number number(String what, Number number) {
    if (number instanceof Long n) {
      return n;
    }
    if (number instanceof Integer n) {
      return n.longValue();
    }
    if (number instanceof Short n) {
      return n.longValue();
    }
    if (number instanceof Byte n) {
      return n.longValue();
    }
    if (number instanceof Double n) {
      return finite(what, n);
    }
    if (number instanceof Float n) {
      return finite(what, Double.parseDouble(n.toString()));
    }
    if (number instanceof BigInteger n) {
      requireDigits(what, n.bitLength() / 3);
      return n.bitLength() < Long.SIZE ? (Number) n.longValue() : n;
    }
    if (number instanceof BigDecimal n) {
      requireDigits(what, n.precision());
      requireDigits(what, Math.abs((long) n.scale()));
      return n;
    }
    throw new SkeinException(
        ErrorCode.INVALID_REQUEST,
        what + ": " + number.getClass().getName() + " is not a JSON value");
  }

  private static Double finite(String what, double value) {
    if (!Double.isFinite(value)) {
      throw new SkeinException(ErrorCode.INVALID_REQUEST, what + ": JSON has no number " + value);
    }
    return value;
  }

  private void requireDigits(String what, long digits) {
    if (digits > limits.numberDigitsMax()) {
      throw tooLarge(what, "a number of more than " + limits.numberDigitsMax() + " digits");
    }
    add(what, digits);
  }

  private void requireDepth(String what, int depth) {
    if (depth >= limits.depthMax()) {
      throw new SkeinException(
          ErrorCode.TOO_DEEP,
          what + " has more than " + limits.depthMax() + " arrays and objects within one another");
    }
  }

  private void count(String what) {
    if (++values > limits.membersMax()) {
      throw tooLarge(what, "more than " + limits.membersMax() + " values");
    }
    add(what, 1);
  }

  private void add(String what, long more) {
    size += more;
    if (size > limits.bytesMax()) {
      throw tooLarge(what, "more than " + limits.bytesMax() + " characters in all");
    }
  }

  private static SkeinException tooLarge(String what, String found) {
    return new SkeinException(ErrorCode.TOO_LARGE, what + " has " + found);
  }
}
