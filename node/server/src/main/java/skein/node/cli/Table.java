package skein.node.cli;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Columns of text for people; nothing is a dash. */
final class Table {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  Table(String... headings) {
    rows.add(List.of(headings));
  }

  /** A row for each object, with those members. */
  static Table of(List<String> members, JsonArray objects) {
    var table = new Table(members.stream().map(Table::heading).toArray(String[]::new));
    for (var object : objects) {
      var json = (JsonObject) object;
      table.row(members.stream().map(json::getValue).toArray());
    }
    return table;
  }

  /** The {@code items} of a list, and how many of all they are. */
  static String ofPage(List<String> members, JsonObject page) {
    var items = page.getJsonArray("items", new JsonArray());
    var total = page.getLong("totalCount");
    return of(members, items) + "\n" + items.size() + (total == null ? "" : " of " + total);
  }

  /** {@code heartbeatAgeMs} is HEARTBEAT-AGE-MS. */
  private static String heading(String member) {
    return member.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-").toUpperCase(Locale.ROOT);
  }

  /** A row for each member of one object that has a value. */
  static Table ofMembers(JsonObject object) {
    var table = new Table("MEMBER", "VALUE");
    for (var name : object.fieldNames()) {
      if (object.getValue(name) != null) {
        table.row(name, object.getValue(name));
      }
    }
    return table;
  }

  Table row(@Nullable Object... values) {
    rows.add(Stream.of(values).map(Table::cell).toList());
    return this;
  }

  private static String cell(@Nullable Object value) {
    return value == null ? "-" : Terminal.plain(value.toString());
  }

  /** Lines; no break after the last. */
  @Override
  public String toString() {
    var lines = new ArrayList<String>();
    var widths = widths();
    for (var row : rows) {
      var line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        line.append(row.get(column)).repeat(' ', widths[column] - width(row.get(column)));
        line.append(GAP);
      }
      lines.add(line.toString().stripTrailing());
    }
    return String.join("\n", lines);
  }

  private int[] widths() {
    var widths = new int[rows.getFirst().size()];
    for (var row : rows) {
      for (int column = 0; column < row.size(); column++) {
        widths[column] = Math.max(widths[column], width(row.get(column)));
      }
    }
    return widths;
  }

  /** Columns on a screen: East Asian letters and pictures take two, marks on a letter none. */
  private static int width(String text) {
    return text.codePoints().map(Table::width).sum();
  }

  private static int width(int c) {
    int type = Character.getType(c);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
      return 0;
    }
    boolean wide =
        (c >= 0x1100 && c <= 0x115F)
            || (c >= 0x2E80 && c <= 0xA4CF)
            || (c >= 0xAC00 && c <= 0xD7A3)
            || (c >= 0xF900 && c <= 0xFAFF)
            || (c >= 0xFE30 && c <= 0xFE6F)
            || (c >= 0xFF00 && c <= 0xFF60)
            || (c >= 0xFFE0 && c <= 0xFFE6)
            || (c >= 0x1F300 && c <= 0x1FAFF)
            || (c >= 0x20000 && c <= 0x3FFFD);
    return wide ? 2 : 1;
  }
}
