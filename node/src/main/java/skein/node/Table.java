package skein.node;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Columns of text that stand below their names. */
final class Table {
  private static final String GAP = "  ";

  private Table() {}

  /** A row for each object, with those members; ends with a line break. */
  static String of(List<String> members, JsonArray objects) {
    var rows = new ArrayList<List<String>>();
    rows.add(members.stream().map(member -> member.toUpperCase(Locale.ROOT)).toList());
    for (var object : objects) {
      rows.add(members.stream().map(member -> cell((JsonObject) object, member)).toList());
    }
    return lines(rows);
  }

  /** A row for each member of one object. */
  static String ofMembers(JsonObject object) {
    return lines(
        object.fieldNames().stream().map(name -> List.of(name, cell(object, name))).toList());
  }

  private static String cell(JsonObject object, String member) {
    var value = object.getValue(member);
    return value == null ? "-" : value.toString();
  }

  private static String lines(List<List<String>> rows) {
    var text = new StringBuilder();
    for (var row : rows) {
      var line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        line.append(row.get(column))
            .append(" ".repeat(width(rows, column) - row.get(column).length()))
            .append(GAP);
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  private static int width(List<List<String>> rows, int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
