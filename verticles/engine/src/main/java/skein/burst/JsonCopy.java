package skein.burst;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Copies of an activity's memory, so that no burst changes what another one holds. */
final class JsonCopy {
  private static final int DEPTH_MAX = 20;

  private JsonCopy() {}

  static Map<String, @Nullable Object> changeable(Map<String, @Nullable Object> memory) {
    return map(memory, false, 0);
  }

  static Map<String, @Nullable Object> fixed(Map<String, @Nullable Object> memory) {
    return memory.isEmpty() ? Map.of() : map(memory, true, 0);
  }

  /**
   * Below the depth that an activity's own bookkeeping has, values are shared: they are never
   * changed.
   */
  private static @Nullable Object copy(@Nullable Object value, boolean fixed, int depth) {
    if (depth > DEPTH_MAX) {
      return value;
    }
    return switch (value) {
      case Map<?, ?> map -> map(map, fixed, depth);
      case List<?> list -> list(list, fixed, depth);
      case null, default -> value;
    };
  }

  private static Map<String, @Nullable Object> map(Map<?, ?> map, boolean fixed, int depth) {
    var copy = new LinkedHashMap<String, @Nullable Object>();
    map.forEach((key, value) -> copy.put(String.valueOf(key), copy(value, fixed, depth + 1)));
    return fixed ? Collections.unmodifiableMap(copy) : copy;
  }

  private static List<@Nullable Object> list(List<?> list, boolean fixed, int depth) {
    var copy = new ArrayList<@Nullable Object>(list.size());
    for (var item : list) {
      copy.add(copy(item, fixed, depth + 1));
    }
    return fixed ? Collections.unmodifiableList(copy) : copy;
  }
}
