package skein.storage;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads pages and lists of suspects. Thread-safe. */
final class SuspectReads {
  private final Database database;

  SuspectReads(Database database) {
    this.database = database;
  }

  /** One row of what {@link SuspectPage} holds, of at most so many rows that were looked at. */
  Future<SuspectPage> page(String what, String sql, Tuple parameters, int max) {
    return database
        .run(what, sql, parameters)
        .map(rows -> {
          var row = rows.iterator().next();
          var suspects = new ArrayList<Suspect>();
          var ids = row.getArrayOfStrings(3);
          var revisions = row.getArrayOfLongs(4);
          var details = row.getArrayOfStrings(5);
          if (ids != null && revisions != null && details != null) {
            for (int i = 0; i < ids.length; i++) {
              suspects.add(new Suspect(ids[i], revisions[i], details[i]));
            }
          }
          var next = row.getLong(1) < max ? null : row.getString(0);
          return new SuspectPage(suspects, next, counts(row.getString(2)));
        });
  }

  private static Map<String, Long> counts(@Nullable String json) {
    var counts = new LinkedHashMap<String, Long>();
    if (json != null) {
      new JsonObject(json)
          .forEach(e -> counts.put(e.getKey(), ((Number) e.getValue()).longValue()));
    }
    return counts;
  }

  /** A row for each suspect. */
  Future<List<Suspect>> again(String what, String sql, Tuple parameters) {
    return database
        .run(what, sql, parameters)
        .map(rows -> {
          var found = new ArrayList<Suspect>();
          rows.forEach(row ->
              found.add(
                  new Suspect(
                      row.getString("id"), row.getLong("revision"), row.getString("detail"))));
          return found;
        });
  }

  static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }

  static String[] array(List<String> texts) {
    return texts.toArray(String[]::new);
  }
}
