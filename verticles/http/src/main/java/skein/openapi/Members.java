package skein.openapi;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes and reads objects of JSON. */
final class Members {
  private Members() {}

  /** Names and values in turn, in this order. */
  static Map<String, @Nullable Object> ordered(Object... namesAndValues) {
    var all = new LinkedHashMap<String, @Nullable Object>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      all.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return all;
  }

  /** Empty for anything else. */
  static Map<?, ?> object(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }

  /** Empty for anything else. */
  static List<?> list(@Nullable Object value) {
    return value instanceof List<?> list ? list : List.of();
  }
}
