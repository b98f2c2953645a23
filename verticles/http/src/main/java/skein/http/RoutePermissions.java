package skein.http;

import static skein.identity.Requirement.NOTHING;
import static skein.identity.Requirement.SIGNED_IN;
import static skein.identity.Requirement.oneOf;

import io.vertx.core.http.HttpMethod;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import skein.codecs.ResumeLinks;
import skein.identity.Requirement;

/**
 * The permission that each route needs, in the names of Elsa; there is no other place that defines
 * it. HEAD needs what GET needs.
 */
final class RoutePermissions {
  private static final Requirement READ_DEFINITIONS = oneOf("read:workflow-definitions");
  private static final Requirement WRITE_DEFINITIONS = oneOf("write:workflow-definitions");
  private static final Requirement PUBLISH_DEFINITIONS = oneOf("publish:workflow-definitions");
  private static final Requirement RETRACT_DEFINITIONS = oneOf("retract:workflow-definitions");
  private static final Requirement DELETE_DEFINITIONS = oneOf("delete:workflow-definitions");
  private static final Requirement EXECUTE = oneOf("exec:workflow-definitions");
  private static final Requirement READ_INSTANCES = oneOf("read:workflow-instances");
  private static final Requirement WRITE_INSTANCES = oneOf("write:workflow-instances");
  private static final Requirement CANCEL_INSTANCES = oneOf("cancel:workflow-instances");
  private static final Requirement DELETE_INSTANCES = oneOf("delete:workflow-instances");
  private static final Requirement READ_EXECUTIONS = oneOf("read:activity-execution");
  private static final Requirement RUN_ALTERATIONS = oneOf("run:alterations");
  private static final Requirement READ_SCHEDULES = oneOf("read:schedules");
  private static final Requirement WRITE_SCHEDULES = oneOf("write:schedules");
  private static final Requirement READ_TASKS = oneOf("read:user-tasks");
  private static final Requirement WRITE_TASKS = oneOf("write:user-tasks");
  private static final Requirement MINT_TOKENS = oneOf("create:resume-tokens");
  private static final Requirement READ_ACTIVITIES = oneOf("read:activity-descriptors");

  private static final Map<String, Requirement> ALL = new HashMap<>();

  static {
    definitions();
    starting();
    instances();
    alterations();
    descriptors();
    tasksAndEvents();
    jobs();
    schedules();
    runtime();
    identity();
    links();
  }

  private RoutePermissions() {}

  private static void set(Requirement requirement, String... routes) {
    for (var route : routes) {
      if (ALL.put(route, requirement) != null) {
        throw new IllegalStateException(route + " is there twice");
      }
    }
  }

  private static void definitions() {
    set(
        READ_DEFINITIONS,
        "GET /workflow-definitions",
        "GET /workflow-definitions/many-by-id",
        "GET /workflow-definitions/query/count",
        "POST /workflow-definitions/validate",
        "GET /workflow-definitions/validation/is-name-unique",
        "GET /workflow-definitions/by-definition-id/:definitionId",
        "GET /workflow-definitions/by-id/:id",
        "GET /workflow-definitions/:definitionId",
        "GET /workflow-definitions/:definitionId/versions",
        "GET /workflow-definitions/:definitionId/consumers",
        "GET /workflow-definitions/:definitionId/export",
        "POST /workflow-definitions/:definitionId/export",
        "GET /bulk-actions/export/workflow-definitions",
        "POST /bulk-actions/export/workflow-definitions",
        "GET /workflow-definitions/subgraph/segments/:id",
        "GET /workflow-definitions/subgraph/:id");
    set(
        WRITE_DEFINITIONS,
        "POST /workflow-definitions/import-files",
        "POST /workflow-definitions/import",
        "PUT /workflow-definitions/import",
        "POST /workflow-definitions/:definitionId/import",
        "PUT /workflow-definitions/:definitionId/import");
    set(WRITE_DEFINITIONS, "POST /workflow-definitions");
    set(
        oneOf("write:workflow-definitions").and("publish:workflow-definitions"),
        "PUT /workflow-definitions/:definitionId");
    set(
        PUBLISH_DEFINITIONS,
        "POST /workflow-definitions/:definitionId/publish",
        "POST /workflow-definitions/:definitionId/revert/:version",
        "POST /workflow-definitions/:definitionId/update-references",
        "POST /bulk-actions/publish/workflow-definitions/by-definition-ids");
    set(
        oneOf("publish:workflow-definitions", "actions:workflow-definitions:refresh"),
        "POST /actions/workflow-definitions/refresh");
    set(
        oneOf("publish:workflow-definitions", "actions:workflow-definitions:reload"),
        "POST /actions/workflow-definitions/reload");
    set(
        RETRACT_DEFINITIONS,
        "POST /workflow-definitions/:definitionId/retract",
        "POST /bulk-actions/retract/workflow-definitions/by-definition-ids");
    set(
        DELETE_DEFINITIONS,
        "DELETE /workflow-definitions/:definitionId",
        "DELETE /workflow-definitions/:definitionId/version/:version",
        "DELETE /workflow-definition-versions/:id",
        "POST /bulk-actions/delete/workflow-definitions/by-definition-id",
        "POST /bulk-actions/delete/workflow-definitions/by-id");
  }

  private static void starting() {
    set(oneOf("exec:workflow-definitions", "exec:tests"), "POST /tests/activities");
    set(
        EXECUTE,
        "POST /workflow-definitions/:definitionId/execute",
        "GET /workflow-definitions/:definitionId/execute",
        "POST /workflow-definitions/:definitionId/dispatch",
        "POST /workflow-definitions/:definitionId/bulk-dispatch");
  }

  private static void instances() {
    set(
        READ_INSTANCES,
        "GET /workflow-instances",
        "GET /workflow-instances/:id",
        "GET /workflow-definitions/:definitionId/activity-usage",
        "GET /workflow-definitions/:definitionId/instances-by-data",
        "GET /workflow-instances/:id/execution-state",
        "GET /workflow-instances/:id/variables",
        "GET /workflow-instances/:id/notes",
        "GET /workflow-instances/:id/journal",
        "POST /workflow-instances/:id/journal",
        "GET /workflow-instances/:id/journal/:activityId",
        "GET /workflow-instances/:id/export",
        "POST /workflow-instances/:id/export",
        "GET /bulk-actions/export/workflow-instances",
        "POST /bulk-actions/export/workflow-instances");
    // Elsa's list and Skein's start are one route: what the body asks for decides
    set(oneOf("read:workflow-instances", "exec:workflow-definitions"), "POST /workflow-instances");
    set(
        READ_INSTANCES,
        "GET " + HubRoutes.PATH,
        "POST " + HubRoutes.PATH,
        "DELETE " + HubRoutes.PATH,
        "POST " + HubRoutes.PATH + "/negotiate");
    set(
        WRITE_INSTANCES,
        "POST /workflow-instances/:id/variables",
        "POST /bulk-actions/import/workflow-instances");
    set(oneOf("run:alterations", "write:workflow-instances"), "POST /workflow-instances/:id/notes");
    set(oneOf("resume:workflow-instances"), "POST /workflow-instances/:id/resume");
    set(
        CANCEL_INSTANCES,
        "POST /workflow-instances/:id/cancel",
        "POST /cancel/workflow-instances/:id",
        "POST /bulk-actions/cancel/workflow-instances",
        "POST /bulk-actions/cancel/workflow-instances/");
    set(
        DELETE_INSTANCES,
        "DELETE /workflow-instances/:id",
        "POST /bulk-actions/delete/workflow-instances",
        "POST /bulk-actions/delete/workflow-instances/by-id");
    set(
        MINT_TOKENS,
        "POST /workflow-instances/:id/bookmarks/:bookmarkId/tokens",
        "DELETE /workflow-instances/:id/bookmarks/:bookmarkId/tokens");
    set(
        READ_EXECUTIONS,
        "GET /activity-executions/list",
        "GET /activity-execution-summaries/list",
        "GET /activity-executions/count",
        "GET /activity-executions/by-id",
        "POST /activity-executions/report",
        "GET /activity-executions/:id",
        "GET /activity-executions/:id/call-stack");
  }

  private static void alterations() {
    set(oneOf("read:alterations"), "GET /alterations/:id");
    set(
        RUN_ALTERATIONS,
        "POST /alterations/run",
        "POST /alterations/submit",
        "POST /alterations/dry-run",
        "GET /alterations/workflows/retry",
        "POST /alterations/workflows/retry",
        "POST /workflow-instances/:id/bookmarks/:bookmarkId/due",
        "POST /workflow-instances/:id/retry");
  }

  private static void descriptors() {
    set(READ_ACTIVITIES, "GET /descriptors/activities", "GET /descriptors/activities/:typeName");
    set(
        oneOf("read:activity-descriptors-options"),
        "POST /descriptors/activities/:typeName/options/:propertyName");
    set(oneOf("read:variable-descriptors"), "GET /descriptors/variables");
    set(oneOf("read:storage-drivers"), "GET /descriptors/storage-drivers");
    set(oneOf("read:expression-descriptors"), "GET /descriptors/expression-descriptors");
    set(oneOf("read:incident-strategies"), "GET /descriptors/incident-strategies");
    set(oneOf("read:log-persistence-strategies"), "GET /descriptors/log-persistence-strategies");
    set(
        oneOf("read:workflow-activation-strategies"),
        "GET /descriptors/workflow-activation-strategies");
    set(
        oneOf("read:commit-strategies"),
        "GET /descriptors/commit-strategies/workflows",
        "GET /descriptors/commit-strategies/activities");
    set(oneOf("read:output-converters"), "GET /descriptors/output-converters");
    set(oneOf("read:workflow-context-providers"), "GET /workflow-contexts/provider-descriptors");
    set(oneOf("read:resilience:strategies", "read:resilience"), "GET /resilience/strategies");
    set(
        oneOf("read:installed-features"),
        "GET /features/installed",
        "GET /features/installed/:fullName");
    set(
        SIGNED_IN,
        "GET /errors",
        "GET /openapi.json",
        "GET /package/version",
        "GET /reference",
        "GET /schemas/workflow-definition.json");
    set(
        oneOf("read:javascript-type-definitions"),
        "POST /scripting/javascript/type-definitions/:definitionId");
  }

  private static void tasksAndEvents() {
    set(oneOf("trigger:event"), "POST /events/:eventName/trigger");
    set(oneOf("tasks:complete"), "POST /tasks/:taskId/complete");
    set(READ_TASKS, "GET /user-tasks", "GET /user-tasks/:id");
    set(
        WRITE_TASKS,
        "POST /user-tasks/:id/claim",
        "POST /user-tasks/:id/unclaim",
        "POST /user-tasks/:id/assign");
    set(oneOf("write:user-tasks", "tasks:complete"), "POST /user-tasks/:id/complete");
  }

  private static void jobs() {
    set(oneOf("read:jobs"), "GET /jobs");
    set(
        oneOf("exec:jobs"),
        "POST /jobs/lease",
        "POST /jobs/:id/heartbeat",
        "POST /jobs/:id/complete",
        "POST /jobs/:id/fail");
  }

  private static void schedules() {
    set(
        READ_SCHEDULES,
        "GET /schedules",
        "GET /schedules/:id",
        "GET /schedules/:id/next",
        "POST /schedules/preview");
    set(
        WRITE_SCHEDULES,
        "POST /schedules",
        "PUT /schedules/:id",
        "DELETE /schedules/:id",
        "POST /schedules/:id/pause",
        "POST /schedules/:id/resume",
        "POST /schedules/:id/trigger",
        "POST /schedules/:id/backfill");
    set(oneOf("trigger:timers"), "POST /timers/fire");
  }

  private static void runtime() {
    RuntimePermissions.ALL.forEach((route, requirement) -> set(requirement, route));
  }

  /** The permission for a followed topic, beside that of the route. */
  static Requirement ofTopic(String topic) {
    return switch (topic) {
      case "overview" -> RuntimePermissions.OVERVIEW;
      case "cluster" -> RuntimePermissions.READ;
      case "tasks" -> READ_TASKS;
      default -> READ_INSTANCES;
    };
  }

  private static void identity() {
    set(
        NOTHING,
        "POST /identity/login",
        "POST /identity/logout",
        "POST /identity/refresh-token",
        "GET /identity/oidc/providers",
        "GET /identity/oidc/login",
        "GET /identity/oidc/callback",
        "GET /identity/oidc/callback/:provider",
        "POST /identity/oidc/session");
    set(SIGNED_IN, "GET /identity/me");
    set(oneOf("read:user"), "GET /identity/users");
    set(oneOf("create:user"), "POST /identity/users");
    set(oneOf("update:user"), "PUT /identity/users/:id");
    set(oneOf("delete:user"), "DELETE /identity/users/:id");
    set(oneOf("read:role"), "GET /identity/roles");
    set(oneOf("create:role"), "POST /identity/roles");
    set(oneOf("update:role"), "PUT /identity/roles/:id");
    set(oneOf("delete:role"), "DELETE /identity/roles/:id");
    set(oneOf("read:application"), "GET /identity/applications");
    set(oneOf("create:application"), "POST /identity/applications");
    set(oneOf("delete:application"), "DELETE /identity/applications/:id");
    set(oneOf("create:user", "create:application"), "POST /identity/secrets/hash");
  }

  /** A link is its own permission; endpoints of workflows have their own policies. */
  private static void links() {
    set(
        NOTHING,
        "* " + EndpointRequest.BASE + "*",
        "GET " + ConsoleFiles.BASE,
        "GET " + ConsoleFiles.BASE + "/:view",
        "GET " + ConsoleFiles.BASE + "/:view/:id",
        "GET " + ConsoleFiles.BASE + "/assets/:name",
        "GET " + StudioFiles.BASE,
        "GET " + StudioFiles.BASE + "/*",
        "GET " + ResumeLinks.RESUME_PATH + ":token",
        "POST " + ResumeLinks.RESUME_PATH + ":token",
        "GET " + below(ResumeLinks.BOOKMARK_PATH),
        "POST " + below(ResumeLinks.BOOKMARK_PATH),
        "GET " + below(ResumeLinks.EVENT_PATH),
        "POST " + below(ResumeLinks.EVENT_PATH));
  }

  /**
   * Of a route.
   *
   * @param method {@code *} is any
   * @param path the whole path
   * @throws IllegalStateException for a route without an entry that says what it needs
   */
  static Requirement of(String method, String path) {
    var asked = method.equals(HttpMethod.HEAD.name()) ? HttpMethod.GET.name() : method;
    var route = asked + " " + below(path);
    var requirement = ALL.get(route);
    if (requirement == null) {
      throw new IllegalStateException(route + ": say what a caller needs for it");
    }
    return requirement;
  }

  /** Those that are served, as the table names them. */
  static Set<String> routes() {
    return Set.copyOf(ALL.keySet());
  }

  private static String below(String path) {
    return path.startsWith(Routes.API) ? path.substring(Routes.API.length()) : path;
  }
}
