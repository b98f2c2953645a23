package skein.http;

import static skein.http.AuditRule.NoLine.JOURNALED;
import static skein.http.AuditRule.NoLine.READS;
import static skein.http.RouteRule.delete;
import static skein.http.RouteRule.get;
import static skein.http.RouteRule.getThatActs;
import static skein.http.RouteRule.post;
import static skein.http.RouteRule.put;
import static skein.http.TenantRule.OF_CLUSTER;
import static skein.http.TenantRule.SCOPED;
import static skein.http.TenantRule.body;
import static skein.http.TenantRule.named;
import static skein.http.TenantRule.path;
import static skein.identity.Requirement.oneOf;

import java.util.List;
import java.util.stream.Stream;
import skein.http.TenantRule.Thing;
import skein.identity.Requirement;

/** The part of {@link RouteTable} that is about definitions, their files, and starting them. */
final class DefinitionRules {
  private static final Requirement READ = oneOf("read:workflow-definitions");
  private static final Requirement WRITE = oneOf("write:workflow-definitions");
  private static final Requirement WRITE_AND_PUBLISH =
      oneOf("write:workflow-definitions").and("publish:workflow-definitions");
  private static final Requirement PUBLISH = oneOf("publish:workflow-definitions");
  private static final Requirement REFRESH =
      oneOf("publish:workflow-definitions", "actions:workflow-definitions:refresh");
  private static final Requirement RELOAD =
      oneOf("publish:workflow-definitions", "actions:workflow-definitions:reload");
  private static final Requirement RETRACT = oneOf("retract:workflow-definitions");
  private static final Requirement DELETE = oneOf("delete:workflow-definitions");
  private static final Requirement EXECUTE = oneOf("exec:workflow-definitions");
  private static final Requirement EXECUTE_TESTS = oneOf("exec:workflow-definitions", "exec:tests");
  private static final Requirement READ_INSTANCES = oneOf("read:workflow-instances");
  private static final Requirement READ_TYPES = oneOf("read:javascript-type-definitions");

  private static final TenantRule DEFINITION = path("definitionId", Thing.DEFINITION);
  private static final TenantRule VERSION = path("id", Thing.DEFINITION_VERSION);
  private static final TenantRule DEFINITIONS = named(body("definitionIds", Thing.DEFINITION));
  private static final TenantRule VERSIONS = named(body("ids", Thing.DEFINITION_VERSION));

  private DefinitionRules() {}

  static List<RouteRule> all() {
    return Stream.of(reading(), saving(), publishing(), deleting(), starting())
        .flatMap(List::stream)
        .toList();
  }

  private static List<RouteRule> reading() {
    return List.of(
        get("/workflow-definitions", READ, SCOPED),
        get("/workflow-definitions/many-by-id", READ, SCOPED),
        get("/workflow-definitions/query/count", READ, SCOPED),
        post("/workflow-definitions/validate", READ, SCOPED, READS),
        get("/workflow-definitions/validation/is-name-unique", READ, SCOPED),
        get("/workflow-definitions/by-definition-id/:definitionId", READ, DEFINITION),
        get("/workflow-definitions/by-id/:id", READ, VERSION),
        get("/workflow-definitions/subgraph/segments/:id", READ, VERSION),
        get("/workflow-definitions/subgraph/:id", READ, VERSION),
        get("/workflow-definitions/:definitionId", READ, DEFINITION),
        get("/workflow-definitions/:definitionId/versions", READ, DEFINITION),
        get("/workflow-definitions/:definitionId/consumers", READ, DEFINITION),
        get("/workflow-definitions/:definitionId/activity-usage", READ_INSTANCES, DEFINITION),
        get("/workflow-definitions/:definitionId/instances-by-data", READ_INSTANCES, DEFINITION),
        get("/workflow-definitions/:definitionId/export", READ, DEFINITION),
        post("/workflow-definitions/:definitionId/export", READ, DEFINITION, READS),
        get("/bulk-actions/export/workflow-definitions", READ, SCOPED),
        post("/bulk-actions/export/workflow-definitions", READ, SCOPED, READS),
        post("/scripting/javascript/type-definitions/:definitionId", READ_TYPES, SCOPED, READS));
  }

  /** Saved over a definition of the caller's tenant, or new: an id that is taken is refused. */
  private static List<RouteRule> saving() {
    return List.of(
        post("/workflow-definitions", WRITE, SCOPED, "definition.save"),
        put("/workflow-definitions/:definitionId", WRITE_AND_PUBLISH, SCOPED, "definition.save"),
        post("/workflow-definitions/import-files", WRITE, SCOPED, "definition.import"),
        post("/workflow-definitions/import", WRITE, SCOPED, "definition.import"),
        put("/workflow-definitions/import", WRITE, SCOPED, "definition.import"),
        post("/workflow-definitions/:definitionId/import", WRITE, SCOPED, "definition.import"),
        put("/workflow-definitions/:definitionId/import", WRITE, SCOPED, "definition.import"));
  }

  private static List<RouteRule> publishing() {
    return List.of(
        post(
            "/workflow-definitions/:definitionId/publish",
            PUBLISH,
            DEFINITION,
            "definition.publish"),
        post(
            "/bulk-actions/publish/workflow-definitions/by-definition-ids",
            PUBLISH,
            DEFINITIONS,
            "definition.publish"),
        post(
            "/workflow-definitions/:definitionId/revert/:version",
            PUBLISH,
            DEFINITION,
            "definition.revert"),
        post(
            "/workflow-definitions/:definitionId/update-references",
            PUBLISH,
            DEFINITION,
            "definition.update-references"),
        post(
            "/workflow-definitions/:definitionId/retract",
            RETRACT,
            DEFINITION,
            "definition.retract"),
        post(
            "/bulk-actions/retract/workflow-definitions/by-definition-ids",
            RETRACT,
            DEFINITIONS,
            "definition.retract"),
        post("/actions/workflow-definitions/refresh", REFRESH, OF_CLUSTER, "definition.refresh"),
        post("/actions/workflow-definitions/reload", RELOAD, OF_CLUSTER, "definition.reload"));
  }

  private static List<RouteRule> deleting() {
    return List.of(
        delete("/workflow-definitions/:definitionId", DELETE, DEFINITION, "definition.delete"),
        delete(
            "/workflow-definitions/:definitionId/version/:version",
            DELETE,
            DEFINITION,
            "definition.delete"),
        delete("/workflow-definition-versions/:id", DELETE, VERSION, "definition.delete"),
        post(
            "/bulk-actions/delete/workflow-definitions/by-definition-id",
            DELETE,
            DEFINITIONS,
            "definition.delete"),
        post(
            "/bulk-actions/delete/workflow-definitions/by-id",
            DELETE,
            VERSIONS,
            "definition.delete"));
  }

  private static List<RouteRule> starting() {
    return List.of(
        post("/workflow-definitions/:definitionId/execute", EXECUTE, DEFINITION, JOURNALED),
        getThatActs("/workflow-definitions/:definitionId/execute", EXECUTE, DEFINITION, JOURNALED),
        post("/workflow-definitions/:definitionId/dispatch", EXECUTE, DEFINITION, JOURNALED),
        post("/workflow-definitions/:definitionId/bulk-dispatch", EXECUTE, DEFINITION, JOURNALED),
        post("/tests/activities", EXECUTE_TESTS, SCOPED, READS));
  }
}
