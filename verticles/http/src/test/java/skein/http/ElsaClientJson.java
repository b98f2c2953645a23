package skein.http;

import static java.util.Objects.requireNonNull;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import skein.http.ElsaClientTable.Member;

/**
 * Writes and reads JSON as Elsa's client library for .NET does, whose serializer (System.Text.Json)
 * tells names by their case, writes members that are null, reads no text as a number, no fraction
 * as a whole number and no null as a value that cannot be null, and ignores what it does not know.
 * What the library declares to be there and not null has to be, which is more than its serializer
 * asks for.
 */
final class ElsaClientJson {
  private static final Pattern SPAN =
      Pattern.compile("-?([0-9]+\\.)?[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,7})?");

  private static final Pattern VERSION = Pattern.compile("[0-9]+(\\.[0-9]+){1,3}");

  private final ElsaClientTable table;

  ElsaClientJson(ElsaClientTable table) {
    this.table = table;
  }

  /** All members of a type of the table: given ones, and the client's own values for the others. */
  Map<String, @Nullable Object> written(String type, Map<?, ?> given) {
    var members = requireNonNull(table.types.get(type), type);
    var all = new LinkedHashMap<String, @Nullable Object>();
    for (var member : members) {
      var value = given.containsKey(member.name()) ? given.get(member.name()) : member.fallback();
      all.put(member.name(), written(member, value));
    }
    if (!all.keySet().containsAll(given.keySet())) {
      throw new IllegalArgumentException(type + " has no such members: " + given);
    }
    return all;
  }

  private @Nullable Object written(Member member, @Nullable Object value) {
    var kind = member.kind().replaceAll("[?=~]$", "");
    if (value instanceof Map<?, ?> map && table.types.containsKey(kind)) {
      return written(kind, map);
    }
    var item = kind.replaceAll("\\[]$", "");
    if (value instanceof List<?> list && table.types.containsKey(item)) {
      var items = new ArrayList<@Nullable Object>();
      for (var one : list) {
        items.add(one instanceof Map<?, ?> map ? written(item, map) : one);
      }
      return items;
    }
    return value;
  }

  /** What the client could not read as that kind, each with its place; empty for nothing. */
  List<String> violations(String kind, @Nullable Object json) {
    var all = new ArrayList<String>();
    check("answer", kind, json, all);
    return all;
  }

  private void check(String at, String kind, @Nullable Object value, List<String> all) {
    if (isOptional(kind)) {
      if (value != null || kind.endsWith("=")) {
        check(at, kind.substring(0, kind.length() - 1), value, all);
      }
      return;
    }
    if (kind.endsWith("[]")) {
      if (value instanceof List<?> list) {
        for (int i = 0; i < list.size(); i++) {
          check(at + "[" + i + "]", kind.substring(0, kind.length() - 2), list.get(i), all);
        }
      } else {
        all.add(at + " is not a list: " + value);
      }
      return;
    }
    if (table.enums.containsKey(kind) || isPlain(kind)) {
      if (!fits(kind, value)) {
        all.add(at + " is not " + kind + ": " + value);
      }
      return;
    }
    if (value instanceof Map<?, ?> map) {
      members(at, kind, map, all);
    } else {
      all.add(at + " is not " + kind + ": " + value);
    }
  }

  private void members(String at, String kind, Map<?, ?> map, List<String> all) {
    int bracket = kind.indexOf('<');
    var name = bracket < 0 ? kind : kind.substring(0, bracket) + "<T>";
    for (var member : requireNonNull(table.types.get(name), name)) {
      var wanted =
          bracket < 0 || !member.kind().equals("T[]")
              ? member.kind()
              : kind.substring(bracket + 1, kind.length() - 1) + "[]";
      var place = at + "." + member.name();
      if (map.containsKey(member.name())) {
        check(place, wanted, map.get(member.name()), all);
      } else if (!isOptional(wanted)) {
        all.add(place + " is not there");
      }
    }
  }

  private static boolean isOptional(String kind) {
    return kind.endsWith("?") || kind.endsWith("=") || kind.endsWith("~");
  }

  private static boolean isPlain(String kind) {
    return switch (kind) {
      case "text",
          "int",
          "long",
          "number",
          "bool",
          "date",
          "span",
          "version",
          "object",
          "map",
          "map<text>",
          "any" ->
          true;
      default -> false;
    };
  }

  private boolean fits(String kind, @Nullable Object value) {
    return switch (kind) {
      case "text" -> value instanceof String;
      case "int" -> value instanceof Long number && number.intValue() == number;
      case "long" -> value instanceof Long;
      case "number" -> value instanceof Number;
      case "bool" -> value instanceof Boolean;
      case "date" -> value instanceof String text && isDate(text);
      case "span" -> value instanceof String text && SPAN.matcher(text).matches();
      case "version" -> value instanceof String text && VERSION.matcher(text).matches();
      case "object", "map" -> value instanceof Map;
      case "map<text>" ->
          value instanceof Map<?, ?> map
              && map.values().stream().allMatch(item -> item == null || item instanceof String);
      case "any" -> true;
      default ->
          value instanceof Long
              || (value instanceof String text
                  && requireNonNull(table.enums.get(kind)).stream()
                      .anyMatch(text::equalsIgnoreCase));
    };
  }

  private static boolean isDate(String text) {
    try {
      OffsetDateTime.parse(text);
      return true;
    } catch (DateTimeException e) {
      return false;
    }
  }
}
