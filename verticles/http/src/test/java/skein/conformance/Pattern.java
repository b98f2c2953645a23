package skein.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import skein.codecs.JsonText;

/**
 * What a case wants a value to be. Objects need only have the members that are named, and the first
 * letter of a member may have either case; {@code {"$contains": …}} asks for parts of a text or a
 * list, {@code {"$absent": true}} for nothing or something empty. All else must be equal.
 */
final class Pattern {
  private static final int SHOWN_CHARS_MAX = 300;

  private Pattern() {}

  /** Sentences on how {@code have} differs from {@code want}; none when it fits. */
  static List<String> differences(@Nullable Object want, @Nullable Object have, String where) {
    if (want instanceof Map<?, ?> object) {
      if (object.containsKey("$absent")) {
        var absent = isEmpty(have);
        return Objects.equals(object.get("$absent"), absent)
            ? List.of()
            : List.of(where + (absent ? " is absent" : " is " + shown(have)));
      }
      if (object.containsKey("$contains")) {
        return lacking(object.get("$contains"), have, where);
      }
      if (have instanceof Map<?, ?> members) {
        var found = new ArrayList<String>();
        object.forEach((name, wanted) ->
            found.addAll(
                differences(wanted, member(members, String.valueOf(name)), where + "." + name)));
        return found;
      }
    }
    if (want instanceof List<?> wanted
        && have instanceof List<?> items
        && wanted.size() == items.size()) {
      var found = new ArrayList<String>();
      for (var i = 0; i < wanted.size(); i++) {
        found.addAll(differences(wanted.get(i), items.get(i), where + "[" + i + "]"));
      }
      return found;
    }
    return same(want, have)
        ? List.of()
        : List.of(where + " is " + shown(have) + ", expected " + shown(want));
  }

  /** The member of that name; else of that name with its first letter in the other case. */
  static @Nullable Object member(Map<?, ?> object, String name) {
    if (object.containsKey(name) || name.isEmpty()) {
      return object.get(name);
    }
    var first = name.charAt(0);
    var other =
        Character.isUpperCase(first) ? Character.toLowerCase(first) : Character.toUpperCase(first);
    return object.get(other + name.substring(1));
  }

  /** Follows members, as in {@code "workflowState.output"}; null where the path ends early. */
  static @Nullable Object dig(@Nullable Object value, String path) {
    var dot = path.indexOf('.');
    var name = dot < 0 ? path : path.substring(0, dot);
    var found = value instanceof Map<?, ?> object ? member(object, name) : null;
    return dot < 0 ? found : dig(found, path.substring(dot + 1));
  }

  private static List<String> lacking(@Nullable Object parts, @Nullable Object have, String where) {
    var found = new ArrayList<String>();
    for (var part : parts instanceof List<?> all ? all : List.of(String.valueOf(parts))) {
      var there =
          have instanceof List<?> items
              ? items.stream().anyMatch(item -> same(part, item))
              : text(have).contains(String.valueOf(part));
      if (!there) {
        found.add(where + " lacks " + part + ": " + shown(have));
      }
    }
    return found;
  }

  private static boolean isEmpty(@Nullable Object value) {
    return switch (value) {
      case null -> true;
      case String text -> text.isEmpty();
      case List<?> list -> list.isEmpty();
      case Map<?, ?> map -> map.isEmpty();
      default -> false;
    };
  }

  private static boolean same(@Nullable Object want, @Nullable Object have) {
    if (want instanceof Number wanted && have instanceof Number number) {
      return wanted.doubleValue() == number.doubleValue();
    }
    return Objects.equals(want, have);
  }

  private static String text(@Nullable Object value) {
    return value instanceof String text ? text : JsonText.print(value);
  }

  private static String shown(@Nullable Object value) {
    var text = JsonText.print(value);
    return text.length() <= SHOWN_CHARS_MAX ? text : text.substring(0, SHOWN_CHARS_MAX) + "…";
  }
}
