package skein.http;

import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import skein.codecs.ResumeLinks;
import skein.http.TenantRule.Name;
import skein.http.TenantRule.Thing;
import skein.http.TenantRule.Where;

/**
 * How each route relates to tenants; there is no other place that defines it. HEAD is as GET is.
 */
final class RouteTenants {
  private static final TenantRule OPEN = new TenantRule.Open();
  private static final TenantRule OF_CLUSTER = new TenantRule.OfCluster();
  private static final TenantRule SCOPED = new TenantRule.Scoped();
  private static final TenantRule DEFINITION = path("definitionId", Thing.DEFINITION);
  private static final TenantRule VERSION = path("id", Thing.DEFINITION_VERSION);
  private static final TenantRule INSTANCE = path("id", Thing.INSTANCE);
  private static final TenantRule TASK = path("id", Thing.BOOKMARK);
  private static final TenantRule SCHEDULE = path("id", Thing.SCHEDULE);

  private static final Map<String, TenantRule> ALL = new HashMap<>();

  static {
    definitions();
    instances();
    alterations();
    waiting();
    schedules();
    cluster();
    identity();
    open();
  }

  private RouteTenants() {}

  private static TenantRule path(String parameter, Thing thing) {
    return named(new Name(Where.PATH, parameter, thing));
  }

  private static TenantRule named(Name... names) {
    return new TenantRule.Named(List.of(names));
  }

  private static Name body(String member, Thing thing) {
    return new Name(Where.BODY, member, thing);
  }

  private static Name query(String parameter, Thing thing) {
    return new Name(Where.QUERY, parameter, thing);
  }

  private static void set(TenantRule rule, String... routes) {
    for (var route : routes) {
      if (ALL.put(route, rule) != null) {
        throw new IllegalStateException(route + " is there twice");
      }
    }
  }

  private static void definitions() {
    set(
        SCOPED,
        "GET /workflow-definitions",
        "GET /workflow-definitions/many-by-id",
        "GET /workflow-definitions/query/count",
        "POST /workflow-definitions/validate",
        "GET /workflow-definitions/validation/is-name-unique",
        "GET /bulk-actions/export/workflow-definitions",
        "POST /bulk-actions/export/workflow-definitions",
        "POST /scripting/javascript/type-definitions/:definitionId",
        "POST /tests/activities",
        "GET /descriptors/activities",
        "GET /descriptors/activities/:typeName",
        "POST /descriptors/activities/:typeName/options/:propertyName");
    // Saved over one's own, or new: an id that is taken is refused.
    set(
        SCOPED,
        "POST /workflow-definitions",
        "PUT /workflow-definitions/:definitionId",
        "POST /workflow-definitions/import-files",
        "POST /workflow-definitions/import",
        "PUT /workflow-definitions/import",
        "POST /workflow-definitions/:definitionId/import",
        "PUT /workflow-definitions/:definitionId/import");
    set(
        DEFINITION,
        "GET /workflow-definitions/by-definition-id/:definitionId",
        "GET /workflow-definitions/:definitionId",
        "GET /workflow-definitions/:definitionId/versions",
        "GET /workflow-definitions/:definitionId/consumers",
        "GET /workflow-definitions/:definitionId/export",
        "POST /workflow-definitions/:definitionId/export",
        "GET /workflow-definitions/:definitionId/activity-usage",
        "GET /workflow-definitions/:definitionId/instances-by-data",
        "POST /workflow-definitions/:definitionId/publish",
        "POST /workflow-definitions/:definitionId/revert/:version",
        "POST /workflow-definitions/:definitionId/update-references",
        "POST /workflow-definitions/:definitionId/retract",
        "DELETE /workflow-definitions/:definitionId",
        "DELETE /workflow-definitions/:definitionId/version/:version",
        "POST /workflow-definitions/:definitionId/execute",
        "GET /workflow-definitions/:definitionId/execute",
        "POST /workflow-definitions/:definitionId/dispatch",
        "POST /workflow-definitions/:definitionId/bulk-dispatch");
    set(
        VERSION,
        "GET /workflow-definitions/by-id/:id",
        "GET /workflow-definitions/subgraph/segments/:id",
        "GET /workflow-definitions/subgraph/:id",
        "DELETE /workflow-definition-versions/:id");
    set(
        named(body("definitionIds", Thing.DEFINITION)),
        "POST /bulk-actions/publish/workflow-definitions/by-definition-ids",
        "POST /bulk-actions/retract/workflow-definitions/by-definition-ids",
        "POST /bulk-actions/delete/workflow-definitions/by-definition-id");
    set(
        named(body("ids", Thing.DEFINITION_VERSION)),
        "POST /bulk-actions/delete/workflow-definitions/by-id");
    set(
        OF_CLUSTER,
        "POST /actions/workflow-definitions/refresh",
        "POST /actions/workflow-definitions/reload");
  }

  private static void instances() {
    set(
        SCOPED,
        "GET /workflow-instances",
        "POST /workflow-instances",
        "GET /bulk-actions/export/workflow-instances",
        "POST /bulk-actions/export/workflow-instances",
        "POST /bulk-actions/import/workflow-instances");
    set(
        INSTANCE,
        "GET /workflow-instances/:id",
        "GET /workflow-instances/:id/execution-state",
        "GET /workflow-instances/:id/variables",
        "POST /workflow-instances/:id/variables",
        "GET /workflow-instances/:id/notes",
        "POST /workflow-instances/:id/notes",
        "GET /workflow-instances/:id/journal",
        "POST /workflow-instances/:id/journal",
        "GET /workflow-instances/:id/journal/:activityId",
        "GET /workflow-instances/:id/export",
        "POST /workflow-instances/:id/export",
        "POST /workflow-instances/:id/resume",
        "POST /workflow-instances/:id/cancel",
        "POST /cancel/workflow-instances/:id",
        "DELETE /workflow-instances/:id",
        "POST /workflow-instances/:id/bookmarks/:bookmarkId/tokens",
        "DELETE /workflow-instances/:id/bookmarks/:bookmarkId/tokens",
        "POST /workflow-instances/:id/bookmarks/:bookmarkId/due",
        "POST /workflow-instances/:id/retry");
    set(
        named(
            body("ids", Thing.INSTANCE),
            body("definitionId", Thing.DEFINITION),
            body("definitionVersionId", Thing.DEFINITION_VERSION)),
        "POST /bulk-actions/cancel/workflow-instances",
        "POST /bulk-actions/cancel/workflow-instances/");
    set(
        named(
            body("ids", Thing.INSTANCE),
            body("workflowDefinitionId", Thing.DEFINITION),
            body("workflowDefinitionIds", Thing.DEFINITION)),
        "POST /bulk-actions/delete/workflow-instances",
        "POST /bulk-actions/delete/workflow-instances/by-id");
    set(
        named(query("workflowInstanceId", Thing.INSTANCE)),
        "GET /activity-executions/list",
        "GET /activity-execution-summaries/list",
        "GET /activity-executions/count");
    set(named(query("id", Thing.EXECUTION)), "GET /activity-executions/by-id");
    set(named(body("workflowInstanceId", Thing.INSTANCE)), "POST /activity-executions/report");
    set(
        path("id", Thing.EXECUTION),
        "GET /activity-executions/:id",
        "GET /activity-executions/:id/call-stack");
  }

  private static void alterations() {
    set(SCOPED, "POST /alterations/submit", "POST /alterations/dry-run");
    set(path("id", Thing.ALTERATION_PLAN), "GET /alterations/:id");
    set(
        named(body("workflowInstanceIds", Thing.INSTANCE)),
        "POST /alterations/run",
        "POST /alterations/workflows/retry");
    set(named(query("workflowInstanceIds", Thing.INSTANCE)), "GET /alterations/workflows/retry");
  }

  private static void waiting() {
    set(SCOPED, "POST /events/:eventName/trigger", "GET /user-tasks", "GET /jobs");
    set(SCOPED, "POST /jobs/lease", "* " + EndpointRequest.BASE + "*", "GET /live");
    set(
        TASK,
        "GET /user-tasks/:id",
        "POST /user-tasks/:id/claim",
        "POST /user-tasks/:id/unclaim",
        "POST /user-tasks/:id/assign",
        "POST /user-tasks/:id/complete",
        "POST /jobs/:id/heartbeat",
        "POST /jobs/:id/complete",
        "POST /jobs/:id/fail");
    set(SCOPED, "POST /tasks/:taskId/complete");
    set(
        SCOPED,
        "GET " + HubRoutes.PATH,
        "POST " + HubRoutes.PATH,
        "DELETE " + HubRoutes.PATH,
        "POST " + HubRoutes.PATH + "/negotiate");
  }

  private static void schedules() {
    set(SCOPED, "GET /schedules");
    set(OPEN, "POST /schedules/preview");
    var definition = body("definitionId", Thing.DEFINITION);
    var version = body("definitionVersionId", Thing.DEFINITION_VERSION);
    set(named(definition, version), "POST /schedules");
    set(
        named(new Name(Where.PATH, "id", Thing.SCHEDULE), definition, version),
        "PUT /schedules/:id");
    set(
        SCHEDULE,
        "GET /schedules/:id",
        "GET /schedules/:id/next",
        "DELETE /schedules/:id",
        "POST /schedules/:id/pause",
        "POST /schedules/:id/resume",
        "POST /schedules/:id/trigger",
        "POST /schedules/:id/backfill");
  }

  private static void cluster() {
    var others = new ArrayList<>(RuntimePermissions.ALL.keySet());
    var known = Set.of("GET /", "GET /live", "GET /audit");
    others.removeIf(route -> known.contains(route) || route.startsWith("GET /health/"));
    set(OF_CLUSTER, others.toArray(String[]::new));
    set(OF_CLUSTER, "POST /timers/fire");
    set(SCOPED, "GET /audit");
    set(
        OPEN,
        "GET /",
        "GET /health/live",
        "GET /health/started",
        "GET /health/startup",
        "GET /health/ready");
  }

  /** Roles are those of the cluster; users and applications are their tenant's. */
  private static void identity() {
    set(SCOPED, "GET /identity/users", "POST /identity/users");
    set(path("id", Thing.USER), "PUT /identity/users/:id", "DELETE /identity/users/:id");
    set(SCOPED, "GET /identity/applications", "POST /identity/applications");
    set(path("id", Thing.APPLICATION), "DELETE /identity/applications/:id");
    set(
        OF_CLUSTER,
        "GET /identity/roles",
        "POST /identity/roles",
        "PUT /identity/roles/:id",
        "DELETE /identity/roles/:id");
    set(
        OPEN,
        "GET /identity/me",
        "POST /identity/login",
        "POST /identity/logout",
        "POST /identity/refresh-token",
        "POST /identity/secrets/hash",
        "GET /identity/oidc/providers",
        "GET /identity/oidc/login",
        "GET /identity/oidc/callback",
        "GET /identity/oidc/callback/:provider",
        "POST /identity/oidc/session");
  }

  /** The same for all callers, or, as links, for any bearer. */
  private static void open() {
    set(
        OPEN,
        "GET /descriptors/variables",
        "GET /descriptors/storage-drivers",
        "GET /descriptors/expression-descriptors",
        "GET /descriptors/incident-strategies",
        "GET /descriptors/log-persistence-strategies",
        "GET /descriptors/workflow-activation-strategies",
        "GET /descriptors/commit-strategies/workflows",
        "GET /descriptors/commit-strategies/activities",
        "GET /descriptors/output-converters",
        "GET /workflow-contexts/provider-descriptors",
        "GET /resilience/strategies",
        "GET /features/installed",
        "GET /features/installed/:fullName",
        "GET /errors",
        "GET /openapi.json",
        "GET /package/version",
        "GET /reference",
        "GET /schemas/workflow-definition.json",
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
   * @throws IllegalStateException for a route without an entry
   */
  static TenantRule of(String method, String path) {
    var asked = method.equals(HttpMethod.HEAD.name()) ? HttpMethod.GET.name() : method;
    var route = asked + " " + below(path);
    var rule = ALL.get(route);
    if (rule == null) {
      throw new IllegalStateException(route + ": say what it has to do with tenants");
    }
    return rule;
  }

  /** Those that are served, as the table names them. */
  static Set<String> routes() {
    return Set.copyOf(ALL.keySet());
  }

  private static String below(String path) {
    return path.startsWith(Routes.API) ? path.substring(Routes.API.length()) : path;
  }
}
