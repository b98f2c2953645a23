package skein.http;

import io.vertx.core.MultiMap;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import skein.codecs.StorableText;
import skein.model.InstanceId;
import skein.model.SkeinException;

/**
 * The named values of a body or a query, in any case. A value of a query is text, and a number or a
 * flag in it is read as such. Wrong types are refused with {@code INVALID_REQUEST}.
 */
final class Fields {
  private static final int TEXT_CHARS_MAX = 255;
  private static final int LIST_MAX = 1_000;

  private final Map<String, @Nullable Object> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

  /** Names that were asked for, whether they have a value or not; some more than once. */
  private final List<String> asked = new ArrayList<>();

  private Fields() {}

  static Fields of(Map<String, @Nullable Object> json) {
    var fields = new Fields();
    fields.values.putAll(json);
    if (fields.values.size() < json.size()) {
      throw BadRequest.of("The body has members whose names differ only in case: send each once");
    }
    return fields;
  }

  static Fields of(MultiMap query) {
    var fields = new Fields();
    for (var name : query.names()) {
      var all = query.getAll(name);
      fields.values.put(name, all.size() == 1 ? all.getFirst() : List.copyOf(all));
    }
    return fields;
  }

  /** Names with a value that have not been read so far, in order. */
  List<String> unread() {
    var read = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    read.addAll(asked);
    return values.keySet().stream().filter(name -> !read.contains(name)).toList();
  }

  boolean has(String name) {
    return value(name) != null;
  }

  /** Whether one of these names, in lower case, has a value. */
  boolean hasAny(Set<String> names) {
    asked.addAll(names);
    for (var entry : values.entrySet()) {
      if (entry.getValue() != null && names.contains(entry.getKey().toLowerCase(Locale.ROOT))) {
        return true;
      }
    }
    return false;
  }

  /** Whether each of these names is there, with a value or with null. */
  boolean namesAll(List<String> names) {
    asked.addAll(names);
    return values.keySet().containsAll(names);
  }

  @Nullable Object value(String name) {
    asked.add(name);
    return values.get(name);
  }

  /** Null when it is absent or empty: 1 to 255 characters otherwise. */
  @Nullable String text(String name) {
    return switch (value(name)) {
      case null -> null;
      case String text when text.isEmpty() -> null;
      case String text -> StorableText.check(name, text, TEXT_CHARS_MAX);
      case Object _ -> throw wrong(name, "a string");
    };
  }

  String required(String name) {
    var text = text(name);
    if (text == null) {
      throw BadRequest.of(name + " is missing");
    }
    return text;
  }

  @Nullable InstanceId instanceId(String name) {
    var text = text(name);
    return text == null ? null : new InstanceId(text);
  }

  /** A date and time with its offset, as of RFC 3339; null when absent or empty. */
  @Nullable Instant instant(String name) {
    var text = text(name);
    return text == null ? null : instant(name, text);
  }

  /** An instant within the years that PostgreSQL supports. */
  static Instant instant(String name, String text) {
    try {
      var time = OffsetDateTime.parse(text);
      if (time.getYear() >= 1 && time.getYear() <= 9999) {
        return time.toInstant();
      }
    } catch (DateTimeException _) {
      // It is refused like one of another age.
    }
    throw BadRequest.of(
        "%s is \"%s\", not a date and time with its offset, of the years 1 to 9999"
            .formatted(name, text));
  }

  @Nullable Boolean flag(String name) {
    return switch (value(name)) {
      case null -> null;
      case Boolean flag -> flag;
      case String text when text.isEmpty() -> null;
      case String text when text.equalsIgnoreCase("true") -> true;
      case String text when text.equalsIgnoreCase("false") -> false;
      case Object _ -> throw wrong(name, "true or false");
    };
  }

  boolean isTrue(String name) {
    return Boolean.TRUE.equals(flag(name));
  }

  @Nullable Integer number(String name, int min, int max) {
    var number = longNumber(name, min, max);
    return number == null ? null : number.intValue();
  }

  @Nullable Long longNumber(String name, long min, long max) {
    var value = value(name);
    if (value == null || value.equals("")) {
      return null;
    }
    if (value instanceof String text && text.matches("-?[0-9]{1,18}")) {
      value = Long.valueOf(text);
    }
    if (value instanceof Long number && number >= min && number <= max) {
      return number;
    }
    throw wrong(name, "a whole number from " + min + " to " + max);
  }

  int number(String name, int min, int max, int fallback) {
    var number = number(name, min, max);
    return number == null ? fallback : number;
  }

  /** A list of texts, or one text; empty when absent. */
  List<String> texts(String name) {
    var value = value(name);
    if (value == null || value.equals("")) {
      return List.of();
    }
    if (!(value instanceof List<?> list)) {
      var text = text(name);
      return text == null ? List.of() : List.of(text);
    }
    if (list.size() > LIST_MAX) {
      throw BadRequest.of(name + " has " + list.size() + " values; at most " + LIST_MAX);
    }
    var texts = new ArrayList<String>();
    for (var item : list) {
      if (!(item instanceof String text)) {
        throw wrong(name, "a list of strings");
      }
      texts.add(StorableText.check(name, text, TEXT_CHARS_MAX));
    }
    return List.copyOf(texts);
  }

  /** Both as {@link #texts}, one after the other: the word and its plural are often both taken. */
  List<String> texts(String one, String many) {
    var all = new ArrayList<>(texts(one));
    all.addAll(texts(many));
    return List.copyOf(all);
  }

  /** Empty when absent. */
  Map<String, @Nullable Object> object(String name) {
    return switch (value(name)) {
      case null -> Map.of();
      case Map<?, ?> map -> copy(map);
      case Object _ -> throw wrong(name, "an object");
    };
  }

  /** The same object, as one whose keys are texts. */
  static Map<String, @Nullable Object> copy(Map<?, ?> map) {
    var copy = LinkedHashMap.<String, @Nullable Object>newLinkedHashMap(map.size());
    map.forEach((key, value) -> copy.put(String.valueOf(key), value));
    return copy;
  }

  /** A constant by its name in any case; the fallback when absent. */
  <E extends Enum<E>> E choice(String name, Class<E> type, E fallback) {
    var text = text(name);
    if (text == null) {
      return fallback;
    }
    for (var constant : type.getEnumConstants()) {
      if (constant.name().equalsIgnoreCase(text)) {
        return constant;
      }
    }
    throw BadRequest.of(
        name + " is \"" + text + "\", not one of " + List.of(type.getEnumConstants()));
  }

  /** Without the value, which may be a secret. */
  private static SkeinException wrong(String name, String expected) {
    return BadRequest.of(name + " is not " + expected);
  }

  /** {@code Ascending} unless it says otherwise. */
  boolean descending(boolean fallback) {
    var text = text("orderDirection");
    return text == null ? fallback : text.toLowerCase(Locale.ROOT).startsWith("desc");
  }

  /** {@code page} and {@code pageSize}, or {@code skip} and {@code take}. */
  record Window(int skip, int take) {}

  Window window(int fallback) {
    int take = number("take", 1, 1_000, number("pageSize", 1, 1_000, fallback));
    long byPage = (long) number("page", 0, Integer.MAX_VALUE, 0) * take;
    return new Window(
        number("skip", 0, Integer.MAX_VALUE, (int) Math.min(byPage, Integer.MAX_VALUE)), take);
  }
}
