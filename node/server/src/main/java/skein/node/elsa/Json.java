package skein.node.elsa;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads members of JSON objects; the case of their first letter does not matter. */
final class Json {
  /** What Elsa's serializers put around a list. */
  private static final List<String> WRAPPERS = List.of("$values", "_items");

  private Json() {}

  static @Nullable Object get(Map<?, ?> json, String member) {
    var value = json.get(member);
    return value == null
        ? json.get(Character.toUpperCase(member.charAt(0)) + member.substring(1))
        : value;
  }

  static @Nullable String text(Map<?, ?> json, String member) {
    var value = get(json, member);
    return value instanceof String || value instanceof Number ? value.toString() : null;
  }

  /** Empty where there is none. */
  static String textOr(Map<?, ?> json, String member) {
    var text = text(json, member);
    return text == null ? "" : text;
  }

  static int number(Map<?, ?> json, String member) {
    return get(json, member) instanceof Number number ? number.intValue() : 0;
  }

  static boolean flag(Map<?, ?> json, String member) {
    return Boolean.TRUE.equals(get(json, member));
  }

  /** Empty where there is none. */
  static Map<?, ?> object(Map<?, ?> json, String member) {
    return get(json, member) instanceof Map<?, ?> map ? map : Map.of();
  }

  /** The objects of a list, with or without what Elsa's serializers put around it. */
  static List<Map<?, ?>> objects(Map<?, ?> json, String member) {
    var value = get(json, member);
    if (value instanceof Map<?, ?> wrapped) {
      for (var name : WRAPPERS) {
        if (wrapped.get(name) instanceof List<?> list) {
          return objects(list);
        }
      }
    }
    return list(value);
  }

  /** The objects of a list; empty where it is none. */
  static List<Map<?, ?>> list(@Nullable Object value) {
    return value instanceof List<?> list ? objects(list) : List.of();
  }

  private static List<Map<?, ?>> objects(List<?> list) {
    var objects = new ArrayList<Map<?, ?>>();
    for (var item : list) {
      if (item instanceof Map<?, ?> map) {
        objects.add(map);
      }
    }
    return objects;
  }

  /** A copy that can be changed. */
  static Map<String, @Nullable Object> copy(Map<?, ?> json) {
    var copy = new LinkedHashMap<String, @Nullable Object>();
    json.forEach((name, value) -> copy.put(String.valueOf(name), value));
    return copy;
  }
}
