package skein.activities;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads JSON values whose shape is unvalidated. */
public final class Json {
  private Json() {}

  @SuppressWarnings("unchecked") // JSON objects have string keys
  public static @Nullable Map<String, @Nullable Object> object(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, @Nullable Object>) map : null;
  }

  /** A list, the list in a {@code $values} wrapper, or a single value as a list of one. */
  public static List<? extends @Nullable Object> list(@Nullable Object value) {
    return switch (value) {
      case null -> List.of();
      case List<?> list -> list;
      case Map<?, ?> map when map.get("$values") instanceof List<?> list -> list;
      default -> List.of(value);
    };
  }

  /** Null for what is neither text, number nor truth value. */
  public static @Nullable String text(Map<String, @Nullable Object> object, String member) {
    return switch (object.get(member)) {
      case String text -> text;
      case Number number -> number.toString();
      case Boolean bool -> bool.toString();
      case null, default -> null;
    };
  }

  /** {@code fallback}: in place of what is not a number; of a fraction the whole part. */
  static long number(Map<String, @Nullable Object> object, String member, long fallback) {
    return object.get(member) instanceof Number number ? number.longValue() : fallback;
  }

  /** An object from names and values in turn; it may hold nulls and be changed. */
  public static Map<String, @Nullable Object> members(@Nullable Object... namesAndValues) {
    var members = new LinkedHashMap<String, @Nullable Object>();
    for (var i = 0; i < namesAndValues.length; i += 2) {
      members.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return members;
  }

  /** The member; its first letter may be of either case. */
  public static @Nullable Object member(Map<String, @Nullable Object> object, String name) {
    var value = object.get(name);
    return value != null || name.isEmpty()
        ? value
        : object.get(Character.toUpperCase(name.charAt(0)) + name.substring(1));
  }
}
