package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;
import java.util.List;

/**
 * Says whose things are that a request names. A thing has the same tenant for as long as it is
 * there, so what was read does not get out of date. Thread-safe.
 */
public final class TenantStore {
  /** The kinds of objects that an id can name. */
  public enum Kind {
    DEFINITION("select distinct definition_id from workflow_definitions where definition_id"),
    DEFINITION_VERSION("select id from workflow_definitions where id"),
    INSTANCE("select id from workflow_instances where id"),
    SCHEDULE("select id from schedules where id"),
    ALTERATION_PLAN("select id from alteration_plans where id"),
    USER("select id from identity_users where id"),
    APPLICATION("select id from identity_applications where id");

    private final String owned;

    Kind(String found) {
      this.owned =
          "select count(*) from (" + found + " = any($1::text[]) and tenant_id = $2) as found";
    }

    /** Counts those of the ids {@code $1} that the tenant {@code $2} has. */
    String owned() {
      return owned;
    }
  }

  private final Database database;

  public TenantStore(Database database) {
    this.database = database;
  }

  /**
   * Whether each of these is there, and the tenant's. A row of another tenant and a missing one
   * give the same result.
   *
   * @param tenant empty: the default tenant
   */
  public Future<Boolean> ownsAll(Kind kind, Collection<String> ids, String tenant) {
    var distinct = List.copyOf(ids).stream().distinct().toArray(String[]::new);
    return distinct.length == 0
        ? Future.succeededFuture(true)
        : database
            .run(
                "ask whose something is",
                kind.owned(),
                Tuple.tuple().addValue(distinct).addString(tenant))
            .map(rows -> rows.iterator().next().getLong(0) == distinct.length);
  }
}
