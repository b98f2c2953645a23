package skein.exchange;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads members of a JSON object; the case of their first letter does not matter. */
final class Members {
  private final Map<String, @Nullable Object> json;
  private final String path;

  /** {@code path}: where the object is in the file, for those who have to correct it. */
  Members(Map<String, @Nullable Object> json, String path) {
    this.json = json;
    this.path = path;
  }

  static Map<String, @Nullable Object> of(Map<?, ?> map) {
    var members = new LinkedHashMap<String, @Nullable Object>();
    map.forEach((name, value) -> members.put(String.valueOf(name), value));
    return members;
  }

  String path(String member) {
    return path.isEmpty() ? member : path + "." + member;
  }

  @Nullable Object get(String member) {
    var value = json.get(member);
    return value == null
        ? json.get(Character.toUpperCase(member.charAt(0)) + member.substring(1))
        : value;
  }

  @Nullable String text(String member) {
    return switch (get(member)) {
      case null -> null;
      case String text -> text;
      case Number number -> number.toString();
      case Boolean flag -> flag.toString();
      default -> throw ImportRefusals.at(path(member), "it is not a text");
    };
  }

  String required(String member) {
    var text = text(member);
    if (text == null || text.isEmpty()) {
      throw ImportRefusals.at(path(member), "it is missing");
    }
    return text;
  }

  long number(String member, long fallback) {
    return switch (get(member)) {
      case null -> fallback;
      case Long number -> number;
      default -> throw ImportRefusals.at(path(member), "it is not a whole number");
    };
  }

  /** A number that counts or numbers something. */
  int count(String member, int fallback) {
    var number = number(member, fallback);
    if (number < 0 || number > Integer.MAX_VALUE) {
      throw ImportRefusals.at(path(member), number + " is out of range");
    }
    return (int) number;
  }

  boolean flag(String member) {
    return switch (get(member)) {
      case null -> false;
      case Boolean flag -> flag;
      default -> throw ImportRefusals.at(path(member), "it is neither true nor false");
    };
  }

  @Nullable Instant time(String member) {
    var text = text(member);
    if (text == null) {
      return null;
    }
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw ImportRefusals.at(path(member), "\"" + text + "\" is not a valid instant");
    }
  }

  Instant requiredTime(String member) {
    var time = time(member);
    if (time == null) {
      throw ImportRefusals.at(path(member), "it is missing");
    }
    return time;
  }

  Map<String, @Nullable Object> object(String member) {
    return switch (get(member)) {
      case null -> Map.of();
      case Map<?, ?> map -> of(map);
      default -> throw ImportRefusals.at(path(member), "it is not an object");
    };
  }

  Members within(String member) {
    return new Members(object(member), path(member));
  }

  /** The objects of a list; none when it is missing. */
  List<Members> each(String member) {
    return switch (get(member)) {
      case null -> List.of();
      case List<?> list -> each(list, path(member));
      default -> throw ImportRefusals.at(path(member), "it is not a list");
    };
  }

  static List<Members> each(List<?> list, String path) {
    var found = new ArrayList<Members>();
    for (var i = 0; i < list.size(); i++) {
      var at = path + "[" + i + "]";
      if (!(list.get(i) instanceof Map<?, ?> map)) {
        throw ImportRefusals.at(at, "it is not an object");
      }
      found.add(new Members(of(map), at));
    }
    return found;
  }
}
