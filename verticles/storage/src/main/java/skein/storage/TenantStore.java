package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;
import java.util.List;

/**
 * Finds the tenants of the objects that a request names. An object has the same tenant for as long
 * as it exists, so the result does not become stale. Thread-safe.
 */
public final class TenantStore {
  /** The kinds of objects that an id can name. */
  public enum Kind {
    DEFINITION("select distinct definition_id from workflow_definitions where definition_id"),
    DEFINITION_VERSION("select id from workflow_definitions where id"),
    INSTANCE("select id from workflow_instances where id"),
    SCHEDULE("select id from schedules where id"),
    /** By the lane of the schedule, as instances that it has started name it. */
    SCHEDULE_LANE("select instance_id from schedules where instance_id"),
    ALTERATION_PLAN("select id from alteration_plans where id"),
    USER("select id from identity_users where id"),
    APPLICATION("select id from identity_applications where id");

    private final String owned;
    private final String others;

    Kind(String found) {
      this.owned =
          "select count(*) from (" + found + " = any($1::text[]) and tenant_id = $2) as found";
      this.others = "select exists (" + found + " = $1 and tenant_id <> $2)";
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
   * Whether each of these exists, and is the tenant's. A row of another tenant and a missing one
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

  /** Each by an index, or in a table that is small. */
  static final String USED =
      """
      select exists (select from workflow_definitions where tenant_id <> '')
          or exists (select from workflow_instances where tenant_id <> '')
          or exists (select from schedules where tenant_id <> '')
          or exists (select from identity_users where tenant_id <> '')
          or exists (select from identity_applications where tenant_id <> '')
      """;

  /** Whether anything is a tenant's that is not the default tenant. */
  public Future<Boolean> isUsed() {
    return database
        .run("look for tenants", USED, Tuple.tuple())
        .map(rows -> rows.iterator().next().getBoolean(0));
  }

  /**
   * Whether another tenant than this has it; false when there is no such row.
   *
   * @param tenant empty: the default tenant
   */
  public Future<Boolean> isAnothers(Kind kind, String id, String tenant) {
    return database
        .run("ask whose something is", kind.others, Tuple.of(id, tenant))
        .map(rows -> rows.iterator().next().getBoolean(0));
  }
}
