package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import skein.model.InstanceId;

/** Reads how often instances were committed, and nothing else of them. Thread-safe. */
public final class InstanceRevisions {
  private static final String OF = "select id, revision from workflow_instances where id = any($1)";

  private final Database database;

  public InstanceRevisions(Database database) {
    this.database = database;
  }

  /** The revisions of existing instances, by id. */
  public Future<Map<InstanceId, Long>> of(Collection<InstanceId> ids) {
    var texts = ids.stream().map(InstanceId::value).toArray(String[]::new);
    return database
        .run("read revisions", OF, Tuple.tuple().addValue(texts))
        .map(rows -> {
          var revisions = new HashMap<InstanceId, Long>();
          rows.forEach(row -> revisions.put(new InstanceId(row.getString(0)), row.getLong(1)));
          return revisions;
        });
  }
}
