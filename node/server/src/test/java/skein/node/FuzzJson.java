package skein.node;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * JSON that is broken on purpose: an object is a list of members, so that a name can be there
 * twice, and what is no text, list or object is a piece of text that need not be JSON.
 */
final class FuzzJson {
  private static final int DEEP_MAX = 3_000;
  private static final List<String> SCALARS =
      List.of(
          "null",
          "true",
          "false",
          "0",
          "-0",
          "-1",
          "1",
          "1.5",
          "1e3",
          "2147483648",
          "-9223372036854775808",
          "9223372036854775807",
          "9223372036854775808",
          "1e308",
          "1e309",
          "-1e999999999",
          "1E-400",
          "0.1000000000000000055511151231257827021181583404541015625",
          "1" + "0".repeat(400),
          "01",
          "+1",
          ".5",
          "NaN",
          "Infinity",
          "undefined",
          "\"\\ud800\"",
          "\"\\u0000\"",
          "\"\\x41\"",
          "\"a\tb\"",
          "'a'",
          "[]",
          "{}",
          "[,]",
          "[[]]",
          "{\"\":\"\"}",
          "{\"__proto__\":{\"a\":1}}",
          "{\"$ref\":\"#\"}",
          "");

  private final FuzzWords words;

  FuzzJson(FuzzWords words) {
    this.words = words;
  }

  private record Member(String name, Object value) {}

  /** Members, in order. */
  private record Thing(List<Member> members) {}

  /** As it is written. */
  private record Raw(String text) {}

  /** The same JSON with so many changes. */
  String broken(JsonObject valid, int changes, Random random) {
    Object tree = tree(valid);
    for (int i = 0; i < changes; i++) {
      tree = changed(tree, random);
    }
    var text = new StringBuilder();
    print(tree, text);
    return text.toString();
  }

  /** An object of any members. */
  JsonObject any(Random random) {
    var json = new JsonObject();
    for (int i = random.nextInt(5); i > 0; i--) {
      json.put(words.name(random), words.text(random));
    }
    return json;
  }

  private static Object tree(Object value) {
    return switch (value) {
      case null -> new Raw("null");
      case JsonObject object -> tree(object.getMap());
      case JsonArray array -> tree(array.getList());
      case Map<?, ?> map -> {
        var members = new ArrayList<Member>();
        map.forEach((name, item) -> members.add(new Member(name.toString(), tree(item))));
        yield new Thing(members);
      }
      case List<?> list -> {
        var items = new ArrayList<Object>();
        list.forEach(item -> items.add(tree(item)));
        yield items;
      }
      case String text -> text;
      default -> new Raw(value.toString());
    };
  }

  /** Goes down at random, and changes something where it ends. */
  private Object changed(Object node, Random random) {
    if (node instanceof Thing(var members) && !members.isEmpty()) {
      int i = random.nextInt(members.size());
      var member = members.get(i);
      if (random.nextInt(4) > 0) {
        members.set(i, new Member(member.name(), changed(member.value(), random)));
        return node;
      }
      changeMember(members, i, random);
      return node;
    }
    if (node instanceof List<?> && random.nextInt(4) > 0) {
      @SuppressWarnings("unchecked")
      var items = (List<Object>) node;
      if (!items.isEmpty()) {
        int i = random.nextInt(items.size());
        items.set(i, changed(items.get(i), random));
        return node;
      }
    }
    return other(node, random);
  }

  private void changeMember(List<Member> members, int i, Random random) {
    var member = members.get(i);
    switch (random.nextInt(7)) {
      case 0 -> members.remove(i);
      case 1 -> members.add(new Member(member.name(), other(member.value(), random)));
      case 2 -> members.add(new Member(otherCase(member.name()), member.value()));
      case 3 -> members.set(i, new Member(words.name(random), member.value()));
      case 4 -> members.set(i, new Member(words.text(random), member.value()));
      case 5 -> members.add(new Member(words.name(random), other(member.value(), random)));
      default -> members.set(i, new Member(member.name(), other(member.value(), random)));
    }
  }

  private static String otherCase(String name) {
    var upper = name.toUpperCase(Locale.ROOT);
    return upper.equals(name) ? name.toLowerCase(Locale.ROOT) : upper;
  }

  private Object other(Object value, Random random) {
    return switch (random.nextInt(24)) {
      case 0 -> new ArrayList<>(List.of(value));
      case 1 -> new Thing(new ArrayList<>(List.of(new Member(words.name(random), value))));
      case 2 -> deep(value, 1 + random.nextInt(DEEP_MAX), random.nextBoolean());
      case 3 -> many(value, 1 + random.nextInt(3_000));
      case 4 -> value instanceof String text ? text.repeat(2) + words.text(random) : value;
      case 5, 6, 7, 8, 9, 10, 11, 12 -> words.text(random);
      case 13 -> new Raw(new JsonArray().add(words.text(random)).encode());
      default -> new Raw(SCALARS.get(random.nextInt(SCALARS.size())));
    };
  }

  private static Object deep(Object value, int depth, boolean lists) {
    var text = new StringBuilder();
    text.append((lists ? "[" : "{\"a\":").repeat(depth));
    print(value, text);
    text.append((lists ? "]" : "}").repeat(depth));
    return new Raw(text.toString());
  }

  private static Object many(Object value, int count) {
    var one = new StringBuilder();
    print(value, one);
    int bounded = Math.max(1, Math.min(count, 200_000 / Math.max(1, one.length())));
    return new Raw("[" + (one + ",").repeat(bounded) + one + "]");
  }

  private static void print(Object node, StringBuilder text) {
    switch (node) {
      case Thing(var members) -> {
        text.append('{');
        for (int i = 0; i < members.size(); i++) {
          text.append(i == 0 ? "" : ",");
          quote(members.get(i).name(), text);
          text.append(':');
          print(members.get(i).value(), text);
        }
        text.append('}');
      }
      case List<?> items -> {
        text.append('[');
        for (int i = 0; i < items.size(); i++) {
          text.append(i == 0 ? "" : ",");
          print(items.get(i), text);
        }
        text.append(']');
      }
      case Raw(var raw) -> text.append(raw);
      default -> quote(node.toString(), text);
    }
  }

  private static void quote(String value, StringBuilder text) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ' || Character.isSurrogate(c) || c == '\uffff') {
        text.append("\\u%04x".formatted((int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }
}
