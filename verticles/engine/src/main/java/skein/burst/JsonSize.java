package skein.burst;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** About how many characters a JSON value takes when it is printed. */
final class JsonSize {
  private static final String TRUNCATED = "$truncated";

  private JsonSize() {}

  /** The value; or, if it is larger than {@code max}, an object that says how large at least. */
  static @Nullable Object bounded(@Nullable Object value, int max) {
    long size = of(value, max);
    if (size <= max) {
      return value;
    }
    return value instanceof String text
        ? Map.of(TRUNCATED, (long) text.length(), "start", text.substring(0, Math.min(200, max)))
        : Map.of(TRUNCATED, size);
  }

  /** Counts no further once it is past {@code enough}. */
  static long of(@Nullable Object value, long enough) {
    if (!(value instanceof Map<?, ?>) && !(value instanceof List<?>)) {
      return scalar(value);
    }
    long size = 0;
    var open = new ArrayDeque<Object>(List.of(value));
    while (!open.isEmpty() && size <= enough) {
      switch (open.pop()) {
        case Map<?, ?> map -> {
          for (var entry : map.entrySet()) {
            size += scalar(entry.getKey()) + 2 + sizeOrLater(entry.getValue(), open);
          }
        }
        case List<?> list -> {
          for (var item : list) {
            size += 1 + sizeOrLater(item, open);
          }
        }
        default -> throw new AssertionError("only containers are put aside");
      }
    }
    return size;
  }

  private static long sizeOrLater(@Nullable Object value, ArrayDeque<Object> open) {
    if (value instanceof Map<?, ?> || value instanceof List<?>) {
      open.push(value);
      return 2;
    }
    return scalar(value);
  }

  private static long scalar(@Nullable Object value) {
    return value instanceof String text ? text.length() + 2L : 8;
  }
}
