package skein.burst;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonLimits;

/**
 * About how many characters JSON values take when they are printed; or in memory, where each value
 * takes some for itself, and characters beyond Latin-1 take two.
 */
final class JsonSize {
  private static final String TRUNCATED = "$truncated";

  /** Characters of numbers that are printed with digits after the point, at most. */
  private static final int DOUBLE_CHARS = 24;

  /** A journal, and answers with entries of it, wrap values in some objects and lists. */
  private static final int DEPTH_WITHIN_OTHERS = JsonLimits.DEPTH_CEILING - 20;

  /** The memory of each value, of each object or list beside it, and of each member. */
  private static final int VALUE_HELD = 16;

  private static final int CONTAINER_HELD = 24;
  private static final int MEMBER_HELD = 16;

  private final long enough;
  private final int depthMax;
  private final boolean held;
  private long chars;

  private JsonSize(long enough, int depthMax, boolean held) {
    this.enough = enough;
    this.depthMax = depthMax;
    this.held = held;
  }

  /** The size in memory of several values that are {@link #add added}. */
  static JsonSize holding(long enough) {
    return new JsonSize(enough, JsonLimits.DEPTH_CEILING, true);
  }

  /** The size of the value in memory; see {@link #of}. */
  static long held(@Nullable Object value, long enough) {
    var size = holding(enough);
    size.add(value);
    return size.chars;
  }

  /**
   * The value; or, if it is larger than {@code max} or too deep to be printed within others, an
   * object that says how large at least.
   */
  static @Nullable Object bounded(@Nullable Object value, int max) {
    long size = of(value, max, DEPTH_WITHIN_OTHERS);
    if (size <= max) {
      return value;
    }
    return value instanceof String text
        ? Map.of(TRUNCATED, (long) text.length(), "start", start(text, Math.min(200, max)))
        : Map.of(TRUNCATED, size);
  }

  /** Whether a value stands for one that was larger than {@link #bounded} leaves. */
  static boolean isCut(@Nullable Object value) {
    return value instanceof Map<?, ?> members && members.containsKey(TRUNCATED);
  }

  /** A text may be shorter than what it takes when it is printed. */
  private static String start(String text, int max) {
    return text.substring(0, Math.min(text.length(), max));
  }

  /** Counts no further once it is past {@code enough}; more than that cannot be printed. */
  static long of(@Nullable Object value, long enough) {
    return of(value, enough, JsonLimits.DEPTH_CEILING);
  }

  private static long of(@Nullable Object value, long enough, int depthMax) {
    var size = new JsonSize(enough, depthMax, false);
    size.add(value);
    return size.chars;
  }

  void add(@Nullable Object value) {
    if (chars <= enough) {
      add(value, 0);
    }
  }

  long chars() {
    return chars;
  }

  private void add(@Nullable Object value, int depth) {
    chars += held ? VALUE_HELD : 0;
    if (depth > depthMax) {
      chars = Math.max(chars, enough + 1);
    }
    switch (value) {
      case Map<?, ?> map -> {
        chars += held ? 2 + CONTAINER_HELD : 2;
        for (var entry : map.entrySet()) {
          if (chars > enough) {
            return;
          }
          chars += scalar(entry.getKey()) + (held ? 2 + MEMBER_HELD : 2);
          add(entry.getValue(), depth + 1);
        }
      }
      case List<?> list -> {
        chars += held ? 2 + CONTAINER_HELD : 2;
        for (var item : list) {
          if (chars > enough) {
            return;
          }
          chars++;
          add(item, depth + 1);
        }
      }
      case null, default -> chars += scalar(value);
    }
  }

  private long scalar(@Nullable Object value) {
    return switch (value) {
      case null -> 4;
      case String text -> text(text);
      case Boolean _ -> 5;
      case Double number -> decimal(number);
      case BigInteger number -> digits(number.bitLength());
      case BigDecimal number -> number.precision() + 12L;
      case Number number -> digits(Long.SIZE - Long.numberOfLeadingZeros(abs(number.longValue())));
      default -> DOUBLE_CHARS;
    };
  }

  /** In a text that is too long without them, escapes are not looked for. */
  private long text(String text) {
    long size = text.length() + 2L;
    int wide = held ? 1 : 0;
    for (int i = 0; i < text.length() && chars + size <= enough; i++) {
      char unit = text.charAt(i);
      size += unit > '\u00ff' ? wide : escape(unit);
    }
    return size;
  }

  /** How many characters more than itself it is printed with. */
  private static int escape(char unit) {
    if (unit >= ' ') {
      return unit == '"' || unit == '\\' ? 1 : 0;
    }
    return switch (unit) {
      case '\b', '\t', '\n', '\f', '\r' -> 1;
      default -> 5;
    };
  }

  private static long abs(long number) {
    return number < 0 ? -number : number;
  }

  /** The digits of a whole number of so many bits, with its sign. */
  private static long digits(int bits) {
    return bits / 3 + 2L;
  }

  /** Most have few digits after the point. */
  private static long decimal(double number) {
    double thousands = number * 1_000;
    return thousands == Math.rint(thousands) && Math.abs(thousands) < 1e10
        ? digits(Long.SIZE - Long.numberOfLeadingZeros(abs((long) thousands))) + 2
        : DOUBLE_CHARS;
  }
}
