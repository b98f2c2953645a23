package skein.storage;

import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Statements with which a test looks behind the engine, or harms it. */
public final class TestSql {
  private TestSql() {}

  /** Returns how many rows were changed. */
  public static int change(Database database, String sql, Object... parameters) {
    return database.run(sql, sql, tuple(parameters)).await().rowCount();
  }

  /** The first column as text. */
  public static List<String> texts(Database database, String sql, Object... parameters) {
    var texts = new ArrayList<String>();
    for (Row row : database.run(sql, sql, tuple(parameters)).await()) {
      texts.add(row.getString(0));
    }
    return texts;
  }

  private static Tuple tuple(Object... parameters) {
    return Tuple.from(Arrays.asList(parameters));
  }
}
