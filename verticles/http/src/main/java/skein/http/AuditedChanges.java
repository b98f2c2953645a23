package skein.http;

import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import skein.storage.ChangeLog;

/** Puts a line into the audit log for each request that changes something. */
final class AuditedChanges {
  private static final Logger log = LoggerFactory.getLogger(AuditedChanges.class);

  /** The first word is what is changed. */
  private static final Map<String, String> ACTIONS =
      Map.ofEntries(
          Map.entry("POST /workflow-definitions", "definition.save"),
          Map.entry("PUT /workflow-definitions/:definitionId", "definition.save"),
          Map.entry("POST /workflow-definitions/import", "definition.import"),
          Map.entry("PUT /workflow-definitions/import", "definition.import"),
          Map.entry("POST /workflow-definitions/:definitionId/import", "definition.import"),
          Map.entry("PUT /workflow-definitions/:definitionId/import", "definition.import"),
          Map.entry("POST /workflow-definitions/import-files", "definition.import"),
          Map.entry("POST /workflow-definitions/:definitionId/publish", "definition.publish"),
          Map.entry(
              "POST /bulk-actions/publish/workflow-definitions/by-definition-ids",
              "definition.publish"),
          Map.entry("POST /workflow-definitions/:definitionId/retract", "definition.retract"),
          Map.entry(
              "POST /bulk-actions/retract/workflow-definitions/by-definition-ids",
              "definition.retract"),
          Map.entry(
              "POST /workflow-definitions/:definitionId/revert/:version", "definition.revert"),
          Map.entry(
              "POST /workflow-definitions/:definitionId/update-references",
              "definition.update-references"),
          Map.entry("DELETE /workflow-definitions/:definitionId", "definition.delete"),
          Map.entry(
              "DELETE /workflow-definitions/:definitionId/version/:version", "definition.delete"),
          Map.entry("DELETE /workflow-definition-versions/:id", "definition.delete"),
          Map.entry(
              "POST /bulk-actions/delete/workflow-definitions/by-definition-id",
              "definition.delete"),
          Map.entry("POST /bulk-actions/delete/workflow-definitions/by-id", "definition.delete"),
          Map.entry("POST /actions/workflow-definitions/refresh", "definition.refresh"),
          Map.entry("POST /actions/workflow-definitions/reload", "definition.reload"),
          Map.entry("POST /workflow-instances/:id/cancel", "instance.cancel"),
          Map.entry("POST /cancel/workflow-instances/:id", "instance.cancel"),
          Map.entry("POST /bulk-actions/cancel/workflow-instances", "instance.cancel"),
          Map.entry("POST /bulk-actions/cancel/workflow-instances/", "instance.cancel"),
          Map.entry("DELETE /workflow-instances/:id", "instance.delete"),
          Map.entry("POST /bulk-actions/delete/workflow-instances", "instance.delete"),
          Map.entry("POST /bulk-actions/delete/workflow-instances/by-id", "instance.delete"),
          Map.entry("POST /bulk-actions/import/workflow-instances", "instance.import"),
          Map.entry("POST /workflow-instances/:id/notes", "instance.note"),
          Map.entry("POST /alterations/submit", "alteration.submit"),
          Map.entry("POST /schedules", "schedule.create"),
          Map.entry("PUT /schedules/:id", "schedule.update"),
          Map.entry("DELETE /schedules/:id", "schedule.delete"),
          Map.entry("POST /schedules/:id/pause", "schedule.pause"),
          Map.entry("POST /schedules/:id/resume", "schedule.resume"),
          Map.entry("POST /schedules/:id/trigger", "schedule.trigger"),
          Map.entry("POST /schedules/:id/backfill", "schedule.backfill"),
          Map.entry("POST /timers/fire", "timer.fire"),
          Map.entry("POST /bookmark-queue/dead-letters/:id/replay", "dead-letter.replay"),
          Map.entry("DELETE /bookmark-queue/dead-letters/:id", "dead-letter.delete"),
          Map.entry("POST /invariants/scan", "scanner.run"),
          Map.entry("POST /retention/run", "retention.run"),
          Map.entry("POST /cluster/nodes/:node/pause", "node.pause"),
          Map.entry("POST /cluster/nodes/:node/resume", "node.resume"),
          Map.entry("POST /cluster/nodes/:node/drain", "node.drain"),
          Map.entry("POST /cluster/nodes/:node/kill", "node.kill"),
          Map.entry("POST /admin/workflow-runtime/pause", "runtime.pause"),
          Map.entry("POST /admin/workflow-runtime/resume", "runtime.resume"),
          Map.entry("POST /admin/workflow-runtime/force-drain", "runtime.force-drain"),
          Map.entry("POST /log-levels", "log.level"),
          Map.entry("POST /identity/users", "user.create"),
          Map.entry("PUT /identity/users/:id", "user.update"),
          Map.entry("DELETE /identity/users/:id", "user.delete"),
          Map.entry("POST /identity/roles", "role.create"),
          Map.entry("PUT /identity/roles/:id", "role.update"),
          Map.entry("DELETE /identity/roles/:id", "role.delete"),
          Map.entry("POST /identity/applications", "application.create"),
          Map.entry("DELETE /identity/applications/:id", "application.delete"));

  /** Done without a line, too, when the database does not answer: they may repair it. */
  private static final Set<String> URGENT =
      Set.of(
          "node.pause",
          "node.resume",
          "node.drain",
          "node.kill",
          "runtime.force-drain",
          "log.level");

  /** Change an instance by a commit that writes the line itself. */
  private static final Set<String> AUDITED_BY_COMMIT =
      Set.of(
          "POST /workflow-instances/:id/bookmarks/:bookmarkId/tokens",
          "DELETE /workflow-instances/:id/bookmarks/:bookmarkId/tokens",
          "POST /workflow-instances/:id/bookmarks/:bookmarkId/due",
          "POST /workflow-instances/:id/retry",
          "POST /workflow-instances/:id/variables",
          "POST /alterations/run",
          "POST /alterations/workflows/retry",
          "GET /alterations/workflows/retry",
          "POST /user-tasks/:id/claim",
          "POST /user-tasks/:id/unclaim",
          "POST /user-tasks/:id/assign",
          "POST /user-tasks/:id/complete");

  /**
   * The ordinary work: the journal has each start and resume. A line for each would be one more
   * write for every one of them.
   */
  private static final Set<String> JOURNALED =
      Set.of(
          "POST /bookmarks/resume",
          "POST /events/trigger",
          "POST /workflow-instances",
          "POST /workflow-instances/:id/resume",
          "POST /workflow-definitions/:definitionId/execute",
          "GET /workflow-definitions/:definitionId/execute",
          "POST /workflow-definitions/:definitionId/dispatch",
          "POST /workflow-definitions/:definitionId/bulk-dispatch",
          "POST /jobs/lease",
          "POST /jobs/:id/heartbeat",
          "POST /jobs/:id/complete",
          "POST /jobs/:id/fail",
          "POST /events/:eventName/trigger",
          "POST /tasks/:taskId/complete");

  /** Write their lines themselves: a line for each guess would be what fills the database. */
  private static final Set<String> AUDITED_THEMSELVES =
      Set.of(
          "POST /identity/login",
          "POST /identity/logout",
          "POST /identity/oidc/session",
          "POST /identity/refresh-token");

  /** Change nothing. */
  private static final Set<String> READING =
      Set.of(
          "POST /activity-executions/report",
          "POST /alterations/dry-run",
          "POST /bookmark-queue/dead-letters",
          "POST /bulk-actions/export/workflow-definitions",
          "POST /bulk-actions/export/workflow-instances",
          "POST /descriptors/activities/:typeName/options/:propertyName",
          "POST /identity/secrets/hash",
          "POST /schedules/preview",
          "POST /tests/activities",
          "POST /scripting/javascript/type-definitions/:definitionId",
          "POST /workflow-definitions/:definitionId/export",
          "POST /workflow-instances/:id/export",
          "POST /workflow-definitions/validate",
          "POST /workflow-instances/:id/journal");

  private final ChangeLog lines;

  AuditedChanges(ChangeLog lines) {
    this.lines = lines;
  }

  /**
   * The same action with its line.
   *
   * @param path below {@link Routes#API}
   * @throws IllegalStateException for a route without an entry that says whether it changes
   *     anything
   */
  Action of(HttpMethod method, String path, Action action) {
    var route = method.name() + " " + path;
    var change = ACTIONS.get(route);
    if (change != null) {
      return call -> audited(call, change, action);
    }
    if (AUDITED_BY_COMMIT.contains(route)
        || AUDITED_THEMSELVES.contains(route)
        || JOURNALED.contains(route)
        || READING.contains(route)) {
      return action;
    }
    throw new IllegalStateException(route + ": say whether it changes something");
  }

  /** Whether a request changes nothing, though its method might. */
  static boolean isReading(HttpMethod method, String path) {
    return READING.contains(method.name() + " " + path);
  }

  private Future<Answer> audited(Call call, String change, Action action) {
    return lines
        .begin(change, call.subject(), call.actor(), call.scope())
        .recover(e -> URGENT.contains(change) ? withoutLine(change, e) : Future.failedFuture(e))
        .compose(id -> done(call, action).compose(answer -> ended(id, answer, call)));
  }

  private static Future<UUID> withoutLine(String change, Throwable e) {
    log.atWarn().addKeyValue("action", change).setCause(e).log("audit.lineMissing");
    return Future.succeededFuture(null);
  }

  private static Future<Answer> done(Call call, Action action) {
    try {
      return action.answer(call).otherwise(Problems::of);
    } catch (RuntimeException e) {
      return Future.succeededFuture(Problems.of(e));
    }
  }

  /**
   * A line that cannot be completed keeps its unknown outcome: the change is answered all the same.
   */
  private Future<Answer> ended(@Nullable UUID id, Answer answer, Call call) {
    if (id == null) {
      return Future.succeededFuture(answer);
    }
    var refusal = answer.refusal();
    return lines
        .end(id, refusal == null ? "ok" : refusal.name(), call.subject())
        .map(answer)
        .otherwise(answer);
  }
}
