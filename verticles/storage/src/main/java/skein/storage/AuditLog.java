package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import skein.model.AuditEntry;

/** Records attempts that committed nothing else; the others are written by their commit. */
public final class AuditLog implements AuditRows {
  private final Database database;
  private final String node;

  public AuditLog(Database database, String node) {
    this.database = database;
    this.node = node;
  }

  private static final String ADD =
      """
      insert into audit_log (action, outcome, workflow_instance_id, bookmark_id, actor, node,
          tenant_id)
      values ($1, $2, $3, $4, $5, $6,
          coalesce((select i.tenant_id from workflow_instances i where i.id = $3), $7))
      """;

  @Override
  public Future<Void> add(AuditEntry entry, String tenant) {
    return database
        .run(
            "write the audit log",
            ADD,
            Tuple.of(
                entry.action(),
                entry.outcome(),
                entry.instanceId(),
                entry.bookmarkId(),
                entry.actor(),
                node,
                tenant))
        .mapEmpty();
  }
}
