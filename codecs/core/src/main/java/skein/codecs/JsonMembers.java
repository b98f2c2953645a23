package skein.codecs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import skein.model.BookmarkId;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;

/**
 * Takes the members of one JSON object by name and remembers all that is wrong: missing, of the
 * wrong type, or not read at all.
 */
final class JsonMembers {
  private final Map<String, @Nullable Object> json;
  private final Set<String> taken = new HashSet<>();
  private final List<String> errors = new ArrayList<>();

  JsonMembers(Map<String, @Nullable Object> json) {
    this.json = json;
  }

  /** Takes {@code v}, which may be missing. */
  void version(int known) {
    var version = take("v");
    if (version != null && !version.equals((long) known)) {
      errors.add("v is not " + known + ", the version this node knows");
    }
  }

  boolean has(String member) {
    return json.get(member) != null;
  }

  /** An empty string when it is wrong; {@link #end} then throws. */
  String text(String member) {
    var text = optionalText(member);
    if (text == null && json.get(member) == null) {
      errors.add(member + " is missing");
    }
    return text == null ? "" : text;
  }

  @Nullable String optionalText(String member) {
    var given = take(member);
    if (given == null) {
      return null;
    }
    if (given instanceof String text) {
      return text;
    }
    errors.add(member + " is not a string");
    return null;
  }

  boolean flag(String member) {
    var given = take(member);
    if (given == null) {
      return false;
    }
    if (given instanceof Boolean flag) {
      return flag;
    }
    errors.add(member + " is not true or false");
    return false;
  }

  /** A whole number; {@code absent} when there is none. */
  long number(String member, long absent) {
    var given = take(member);
    if (given == null) {
      return absent;
    }
    if (given instanceof Long number) {
      return number;
    }
    errors.add(member + " is not a whole number");
    return absent;
  }

  @SuppressWarnings("unchecked")
  Map<String, @Nullable Object> object(String member) {
    var given = take(member);
    if (given == null) {
      return Collections.emptyMap();
    }
    if (given instanceof Map<?, ?> map) {
      return (Map<String, @Nullable Object>) map;
    }
    errors.add(member + " is not an object");
    return Collections.emptyMap();
  }

  @Nullable Object value(String member) {
    return take(member);
  }

  /** Call after {@link #end}: throws INVALID_ID at once. */
  static InstanceId instanceId(String text) {
    return new InstanceId(text);
  }

  static @Nullable InstanceId optionalInstanceId(@Nullable String text) {
    return text == null ? null : new InstanceId(text);
  }

  static @Nullable BookmarkId optionalBookmarkId(@Nullable String text) {
    return text == null ? null : BookmarkId.parse(text);
  }

  /** Throws {@code INVALID_REQUEST} with every error, if there is one. */
  void end() {
    for (var member : json.keySet()) {
      if (!taken.contains(member)) {
        errors.add("\"" + shown(member) + "\" is not a member of this request");
      }
    }
    if (!errors.isEmpty()) {
      throw new SkeinException(
          ErrorCode.INVALID_REQUEST,
          "The request was refused: " + errors.get(0),
          errors.subList(0, Math.min(errors.size(), 20)),
          null);
    }
  }

  private @Nullable Object take(String member) {
    taken.add(member);
    return json.get(member);
  }

  private static String shown(String text) {
    return text.length() > 80 ? text.substring(0, 80) + "…" : text;
  }
}
