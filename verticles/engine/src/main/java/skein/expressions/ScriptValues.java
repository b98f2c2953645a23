package skein.expressions;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON values as texts on their way into a script and out of it. Unlike what is stored, a text may
 * have any characters here; numbers are doubles, so very large ones lose digits.
 */
final class ScriptValues {
  /** Levels of lists and maps. */
  static final int DEPTH_MAX = 200;

  /** The key under which an object has the members that it has in Elsa; the prelude removes it. */
  static final String ELSA_MEMBERS = "\u0000members";

  private ScriptValues() {}

  /** A sign, which is + where there are objects with the members of Elsa's, and the JSON. */
  static String in(@Nullable Object value) {
    var writer = new Writer();
    writer.text.append('-');
    writer.write(value, 0);
    if (writer.members) {
      writer.text.setCharAt(0, '+');
    }
    return writer.text.toString();
  }

  static String json(@Nullable Object value) {
    return in(value).substring(1);
  }

  /** Numbers are Long where that is exact, else Double. */
  static @Nullable Object out(String json) {
    var reader = new Reader(json);
    var value = reader.read();
    if (reader.at != json.length()) {
      throw reader.unexpected();
    }
    return value;
  }

  private static final class Writer {
    private final StringBuilder text = new StringBuilder();
    private boolean members;

    void write(@Nullable Object value, int depth) {
      if (depth > DEPTH_MAX) {
        throw new BudgetExceededError("a value nested deeper than " + DEPTH_MAX + " levels");
      }
      switch (value) {
        case null -> text.append("null");
        case Boolean bool -> text.append(bool.booleanValue());
        case Double number -> text.append(Double.isFinite(number) ? number.toString() : "null");
        case Number number -> text.append(number);
        case List<?> list -> {
          text.append('[');
          for (var item : list) {
            separate('[');
            write(item, depth + 1);
          }
          text.append(']');
        }
        case Map<?, ?> map -> {
          text.append('{');
          map.forEach((name, member) -> member(String.valueOf(name), member, depth));
          elsaMembers(map, depth);
          text.append('}');
        }
        default -> quote(value.toString());
      }
    }

    private void member(String name, @Nullable Object value, int depth) {
      separate('{');
      quote(name);
      text.append(':');
      write(value, depth + 1);
    }

    private void separate(char open) {
      if (text.charAt(text.length() - 1) != open) {
        text.append(',');
      }
    }

    private void elsaMembers(Map<?, ?> map, int depth) {
      var aliases = ElsaMembers.aliases(map);
      if (aliases.isEmpty()) {
        return;
      }
      members = true;
      var made = new LinkedHashMap<String, @Nullable Object>();
      for (var name : ElsaMembers.madeNames(map)) {
        made.put(name, ElsaMembers.made(map, name));
      }
      member(
          ELSA_MEMBERS,
          Map.of("aliases", aliases, "made", made, "file", ElsaMembers.isFile(map)),
          depth);
    }

    private void quote(String value) {
      text.append('"');
      for (var i = 0; i < value.length(); i++) {
        var c = value.charAt(i);
        if (c == '"' || c == '\\') {
          text.append('\\').append(c);
        } else if (c < ' ' || Character.isSurrogate(c)) {
          text.append("\\u").append(Character.forDigit(c >> 12, 16));
          text.append(Character.forDigit((c >> 8) & 15, 16));
          text.append(Character.forDigit((c >> 4) & 15, 16));
          text.append(Character.forDigit(c & 15, 16));
        } else {
          text.append(c);
        }
      }
      text.append('"');
    }
  }

  private static final class Reader {
    private final String json;
    private int at;

    Reader(String json) {
      this.json = json;
    }

    @Nullable Object read() {
      return switch (peek()) {
        case '"' -> text();
        case '[' -> list();
        case '{' -> map();
        case 't' -> word("true", true);
        case 'f' -> word("false", false);
        case 'n' -> word("null", null);
        default -> number();
      };
    }

    private char peek() {
      if (at >= json.length()) {
        throw unexpected();
      }
      return json.charAt(at);
    }

    private boolean take(char expected) {
      if (peek() != expected) {
        return false;
      }
      at++;
      return true;
    }

    private void demand(char expected) {
      if (!take(expected)) {
        throw unexpected();
      }
    }

    private @Nullable Object word(String word, @Nullable Object value) {
      if (!json.startsWith(word, at)) {
        throw unexpected();
      }
      at += word.length();
      return value;
    }

    private List<@Nullable Object> list() {
      demand('[');
      var list = new ArrayList<@Nullable Object>();
      if (!take(']')) {
        do {
          list.add(read());
        } while (take(','));
        demand(']');
      }
      return list;
    }

    private Map<String, @Nullable Object> map() {
      demand('{');
      var map = new LinkedHashMap<String, @Nullable Object>();
      if (!take('}')) {
        do {
          var name = text();
          demand(':');
          map.put(name, read());
        } while (take(','));
        demand('}');
      }
      return map;
    }

    private String text() {
      demand('"');
      var start = at;
      while (peek() != '"' && peek() != '\\') {
        at++;
      }
      if (peek() == '"') {
        return json.substring(start, at++);
      }
      var text = new StringBuilder().append(json, start, at);
      while (!take('"')) {
        var c = peek();
        at++;
        text.append(c == '\\' ? escaped() : c);
      }
      return text.toString();
    }

    private char escaped() {
      var c = peek();
      at++;
      return switch (c) {
        case 'n' -> '\n';
        case 'r' -> '\r';
        case 't' -> '\t';
        case 'b' -> '\b';
        case 'f' -> '\f';
        case 'u' -> {
          at += 4;
          yield (char) Integer.parseInt(json, at - 4, at, 16);
        }
        default -> c;
      };
    }

    private @Nullable Object number() {
      var start = at;
      while (at < json.length() && "+-.eE0123456789".indexOf(json.charAt(at)) >= 0) {
        at++;
      }
      if (at == start) {
        throw unexpected();
      }
      return Numbers.out(Double.parseDouble(json.substring(start, at)));
    }

    IllegalStateException unexpected() {
      return new IllegalStateException("the prelude made no JSON at " + at);
    }
  }
}
