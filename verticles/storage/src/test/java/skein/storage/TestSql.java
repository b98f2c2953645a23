package skein.storage;

import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import skein.model.InstanceId;

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

  /** Deletes rows of instances and leaves all else that is theirs, as a damaged database might. */
  public static void loseInstances(Database database, InstanceId... ids) {
    change(database, "alter table workflow_instances disable trigger user");
    for (var id : ids) {
      change(database, "delete from workflow_instances where id = $1", id.value());
    }
    change(database, "alter table workflow_instances enable trigger user");
  }

  /** Of one's own, for transactions that hold locks; to be closed. */
  public static SqlConnection connection(Database database) {
    return database.connection(Map.of()).await();
  }

  private static Tuple tuple(Object... parameters) {
    return Tuple.from(Arrays.asList(parameters));
  }
}
