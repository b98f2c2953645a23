package skein.storage;

import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import skein.model.InstanceId;

/**
 * Lines of the audit log about changes that are not one commit of an instance. Each is written
 * before its change begins, with an unknown outcome, and completed after it: there is no change
 * without a line, and a line whose outcome stays unknown is of a node that died during the change.
 */
public final class ChangeLog {
  private static final String BEGIN =
      """
      insert into audit_log (id, action, outcome, subject, actor, node, tenant_id)
      values ($1, $2, 'unknown', $3, $4, $5, $6)
      """;
  private static final String END =
      """
      update audit_log set outcome = $2, subject = coalesce(subject, $3)
       where id = $1 and outcome = 'unknown'
      """;

  private static final String BEGIN_OF_INSTANCE =
      """
      insert into audit_log (id, action, outcome, subject, actor, node, tenant_id)
      values ($1, $2, 'unknown', $3, $4, $5,
          coalesce((select i.tenant_id from workflow_instances i where i.id = $3), ''))
      """;

  private final Database database;
  private final String node;

  public ChangeLog(Database database, String node) {
    this.database = database;
    this.node = node;
  }

  /**
   * @param action such as {@code definition.publish}
   * @param subject what is changed, as far as it is known
   * @param actor who does it
   * @param scope who reads the line
   */
  public Future<UUID> begin(
      String action, @Nullable String subject, @Nullable String actor, TenantScope scope) {
    var id = UUID.randomUUID();
    return database
        .run(
            "begin a line of the audit log",
            BEGIN,
            Tuple.of(id, action, subject, actor, node, scope.owner()))
        .map(id);
  }

  /**
   * The same for the tenant of an instance, where its change is not asked for by a caller of a
   * tenant; of one that is not there, for the default tenant.
   *
   * @param id of the instance, which is what is changed
   */
  public Future<UUID> beginOfInstance(String action, InstanceId id, @Nullable String actor) {
    var line = UUID.randomUUID();
    return database
        .run(
            "begin a line of the audit log",
            BEGIN_OF_INSTANCE,
            Tuple.of(line, action, id.value(), actor, node))
        .map(line);
  }

  /** {@code outcome}: {@code ok} or the code of the refusal. */
  public Future<Void> end(UUID id, String outcome, @Nullable String subject) {
    return database
        .run("complete a line of the audit log", END, Tuple.of(id, outcome, subject))
        .mapEmpty();
  }
}
