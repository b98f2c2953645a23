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
    return value == null ? "-" : value.toString();
  }

  /** Lines; no break after the last. */
  @Override
  public String toString() {
    var lines = new ArrayList<String>();
    for (var row : rows) {
      var line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        line.append(row.get(column)).repeat(' ', width(column) - row.get(column).length());
        line.append(GAP);
      }
      lines.add(line.toString().stripTrailing());
    }
    return String.join("\n", lines);
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
