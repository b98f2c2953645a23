package skein.node.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Lines of equal columns for people; a value that is null is left empty. */
final class Table {
  private final List<List<String>> rows = new ArrayList<>();

  Table(String... headings) {
    rows.add(List.of(headings));
  }

  Table row(@Nullable Object... values) {
    rows.add(Stream.of(values).map(v -> v == null ? "" : String.valueOf(v)).toList());
    return this;
  }

  @Override
  public String toString() {
    var text = new StringBuilder();
    for (var row : rows) {
      var line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        line.append(row.get(i));
        line.repeat(' ', width(i) - row.get(i).length() + 2);
      }
      text.append(line.toString().stripTrailing()).append(System.lineSeparator());
    }
    return text.toString().stripTrailing();
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
