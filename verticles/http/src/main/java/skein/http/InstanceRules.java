package skein.http;

import static skein.http.AuditRule.NoLine.COMMITTED;
import static skein.http.AuditRule.NoLine.JOURNALED;
import static skein.http.AuditRule.NoLine.NOT_STORED;
import static skein.http.AuditRule.NoLine.READS;
import static skein.http.RouteRule.delete;
import static skein.http.RouteRule.get;
import static skein.http.RouteRule.getThatActs;
import static skein.http.RouteRule.post;
import static skein.http.TenantRule.SCOPED;
import static skein.http.TenantRule.body;
import static skein.http.TenantRule.named;
import static skein.http.TenantRule.path;
import static skein.http.TenantRule.query;
import static skein.identity.Requirement.oneOf;

import java.util.List;
import java.util.stream.Stream;
import skein.http.TenantRule.Thing;
import skein.identity.Requirement;

/** The part of {@link RouteTable} that is about instances: reading, changing and repairing them. */
final class InstanceRules {
  private static final Requirement READ = oneOf("read:workflow-instances");
  private static final Requirement READ_OR_EXECUTE =
      oneOf("read:workflow-instances", "exec:workflow-definitions");
  private static final Requirement READ_AND_EXECUTE =
      oneOf("exec:workflow-definitions").and("read:workflow-instances");
  private static final Requirement WRITE = oneOf("write:workflow-instances");
  private static final Requirement RESUME = oneOf("resume:workflow-instances");
  private static final Requirement CANCEL = oneOf("cancel:workflow-instances");
  private static final Requirement DELETE = oneOf("delete:workflow-instances");
  private static final Requirement MINT_TOKENS = oneOf("create:resume-tokens");
  private static final Requirement READ_EXECUTIONS = oneOf("read:activity-execution");
  private static final Requirement READ_ALTERATIONS = oneOf("read:alterations");
  private static final Requirement ALTER = oneOf("run:alterations");
  private static final Requirement ALTER_OR_WRITE =
      oneOf("run:alterations", "write:workflow-instances");

  private static final TenantRule INSTANCE = path("id", Thing.INSTANCE);
  private static final TenantRule INSTANCE_IN_QUERY =
      named(query("workflowInstanceId", Thing.INSTANCE));
  private static final TenantRule INSTANCE_IN_BODY =
      named(body("workflowInstanceId", Thing.INSTANCE));
  private static final TenantRule INSTANCES_IN_QUERY =
      named(query("workflowInstanceIds", Thing.INSTANCE));
  private static final TenantRule INSTANCES_IN_BODY =
      named(body("workflowInstanceIds", Thing.INSTANCE));
  private static final TenantRule TO_CANCEL =
      named(
          body("ids", Thing.INSTANCE),
          body("definitionId", Thing.DEFINITION),
          body("definitionVersionId", Thing.DEFINITION_VERSION));
  private static final TenantRule TO_DELETE =
      named(
          body("ids", Thing.INSTANCE),
          body("workflowDefinitionId", Thing.DEFINITION),
          body("workflowDefinitionIds", Thing.DEFINITION));
  private static final TenantRule EXECUTION = path("id", Thing.EXECUTION);
  private static final TenantRule EXECUTION_IN_QUERY = named(query("id", Thing.EXECUTION));
  private static final TenantRule PLAN = path("id", Thing.ALTERATION_PLAN);

  private InstanceRules() {}

  static List<RouteRule> all() {
    return Stream.of(reading(), changing(), tokens(), executions(), alterations(), hub())
        .flatMap(List::stream)
        .toList();
  }

  private static List<RouteRule> reading() {
    return List.of(
        get("/workflow-instances", READ, SCOPED),
        // Elsa's list and Skein's start are one route: what the body asks for decides
        post("/workflow-instances", READ_OR_EXECUTE, SCOPED, JOURNALED),
        get("/workflow-instances/:id", READ, INSTANCE),
        get("/workflow-instances/:id/execution-state", READ, INSTANCE),
        get("/workflow-instances/:id/variables", READ, INSTANCE),
        get("/workflow-instances/:id/notes", READ, INSTANCE),
        get("/workflow-instances/:id/journal", READ, INSTANCE),
        post("/workflow-instances/:id/journal", READ, INSTANCE, READS),
        get("/workflow-instances/:id/journal/:activityId", READ, INSTANCE),
        get("/workflow-instances/:id/export", READ, INSTANCE),
        post("/workflow-instances/:id/export", READ, INSTANCE, READS),
        get("/bulk-actions/export/workflow-instances", READ, SCOPED),
        post("/bulk-actions/export/workflow-instances", READ, SCOPED, READS));
  }

  private static List<RouteRule> changing() {
    return List.of(
        post("/workflow-instances/:id/resume", RESUME, INSTANCE, JOURNALED),
        post("/workflow-instances/:id/fork", READ_AND_EXECUTE, INSTANCE, COMMITTED),
        post("/workflow-instances/:id/variables", WRITE, INSTANCE, COMMITTED),
        post("/workflow-instances/:id/notes", ALTER_OR_WRITE, INSTANCE, "instance.note"),
        post("/bulk-actions/import/workflow-instances", WRITE, SCOPED, "instance.import"),
        post("/workflow-instances/:id/cancel", CANCEL, INSTANCE, "instance.cancel"),
        post("/cancel/workflow-instances/:id", CANCEL, INSTANCE, "instance.cancel"),
        post("/bulk-actions/cancel/workflow-instances", CANCEL, TO_CANCEL, "instance.cancel"),
        post("/bulk-actions/cancel/workflow-instances/", CANCEL, TO_CANCEL, "instance.cancel"),
        delete("/workflow-instances/:id", DELETE, INSTANCE, "instance.delete"),
        post("/bulk-actions/delete/workflow-instances", DELETE, TO_DELETE, "instance.delete"),
        post(
            "/bulk-actions/delete/workflow-instances/by-id", DELETE, TO_DELETE, "instance.delete"));
  }

  private static List<RouteRule> tokens() {
    return List.of(
        post(
            "/workflow-instances/:id/bookmarks/:bookmarkId/tokens",
            MINT_TOKENS,
            INSTANCE,
            COMMITTED),
        delete(
            "/workflow-instances/:id/bookmarks/:bookmarkId/tokens",
            MINT_TOKENS,
            INSTANCE,
            COMMITTED));
  }

  private static List<RouteRule> executions() {
    return List.of(
        get("/activity-executions/list", READ_EXECUTIONS, INSTANCE_IN_QUERY),
        get("/activity-execution-summaries/list", READ_EXECUTIONS, INSTANCE_IN_QUERY),
        get("/activity-executions/count", READ_EXECUTIONS, INSTANCE_IN_QUERY),
        get("/activity-executions/by-id", READ_EXECUTIONS, EXECUTION_IN_QUERY),
        post("/activity-executions/report", READ_EXECUTIONS, INSTANCE_IN_BODY, READS),
        get("/activity-executions/:id", READ_EXECUTIONS, EXECUTION),
        get("/activity-executions/:id/call-stack", READ_EXECUTIONS, EXECUTION));
  }

  private static List<RouteRule> alterations() {
    return List.of(
        get("/alterations/:id", READ_ALTERATIONS, PLAN),
        post("/alterations/dry-run", ALTER, SCOPED, READS),
        post("/alterations/submit", ALTER, SCOPED, "alteration.submit"),
        post("/alterations/run", ALTER, INSTANCES_IN_BODY, COMMITTED),
        post("/alterations/workflows/retry", ALTER, INSTANCES_IN_BODY, COMMITTED),
        getThatActs("/alterations/workflows/retry", ALTER, INSTANCES_IN_QUERY, COMMITTED),
        post("/workflow-instances/:id/bookmarks/:bookmarkId/due", ALTER, INSTANCE, COMMITTED),
        post("/workflow-instances/:id/retry", ALTER, INSTANCE, COMMITTED));
  }

  /** Each message of a client that names an instance is checked by the hub. */
  private static List<RouteRule> hub() {
    return List.of(
        post(HubRoutes.PATH + "/negotiate", READ, SCOPED, NOT_STORED),
        get(HubRoutes.PATH, READ, SCOPED),
        post(HubRoutes.PATH, READ, SCOPED, NOT_STORED),
        delete(HubRoutes.PATH, READ, SCOPED, NOT_STORED));
  }
}
