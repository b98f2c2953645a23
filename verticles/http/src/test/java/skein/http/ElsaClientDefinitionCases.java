package skein.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static skein.http.ElsaClientWorld.DEFINITIONS;
import static skein.http.ElsaClientWorld.WAITS;
import static skein.http.ElsaClientWorld.WRITES;
import static skein.http.ElsaClientWorld.column;
import static skein.http.ElsaClientWorld.id;
import static skein.http.ElsaClientWorld.items;
import static skein.http.ElsaClientWorld.json;
import static skein.http.ElsaClientWorld.objects;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import skein.activities.Json;
import skein.http.ElsaClient.Answered;

/** What is asked of the methods about definitions. */
final class ElsaClientDefinitionCases {
  private final ElsaClientWorld world;

  ElsaClientDefinitionCases(ElsaClientWorld world) {
    this.world = world;
  }

  void add() {
    reading();
    saving();
    together();
    files();
  }

  private Answered call(String name, @Nullable Object... namesAndValues) throws Exception {
    return world.call(DEFINITIONS + name, namesAndValues);
  }

  private void refused(String name, int status, @Nullable Object... namesAndValues)
      throws Exception {
    world.client.refused(DEFINITIONS + name, status, namesAndValues);
  }

  private void reading() {
    world.add(DEFINITIONS + "ListAsync", this::list);
    world.add(
        DEFINITIONS + "GetByDefinitionIdAsync",
        () -> {
          world.saved("read", WRITES, true);
          var name = "GetByDefinitionIdAsync";
          for (var options : List.of("Published", "Latest", "LatestOrPublished", "1")) {
            var read = call(name, "definitionId", "read", "versionOptions", options).json();
            assertThat(read).containsEntry("definitionId", "read").containsEntry("version", 1L);
          }
          assertThat(call(name, "definitionId", "read").json()).containsEntry("isLatest", true);
          refused(name, 404, "definitionId", "read", "versionOptions", "2");
          refused(name, 404, "definitionId", "never saved");
        });
    world.add(
        DEFINITIONS + "GetByIdAsync",
        () -> {
          var version = world.saved("read-version", WRITES, false);
          var read = call("GetByIdAsync", "id", id(version)).json();
          assertThat(read).containsEntry("definitionId", "read-version");
          assertThat(Json.list(read.get("links"))).isNotEmpty();
          refused("GetByIdAsync", 404, "id", "none");
        });
    world.add(
        DEFINITIONS + "GetManyByIdAsync",
        () -> {
          var ids =
              List.of(
                  id(world.saved("many-1", WRITES, false)),
                  id(world.saved("many-2", WRITES, false)));
          assertThat(column(items(call("GetManyByIdAsync", "ids", ids)), "id"))
              .containsExactlyInAnyOrderElementsOf(ids);
        });
    world.add(DEFINITIONS + "GetSubgraphAsync", this::subgraph);
    world.add(DEFINITIONS + "GetPathSegmentsGetAsync", this::segments);
    world.add(
        DEFINITIONS + "CountAsync",
        () -> {
          var before = call("CountAsync").json().get("count");
          world.saved("counted", WRITES, false);
          assertThat(call("CountAsync").json().get("count")).isNotEqualTo(before);
        });
    world.add(
        DEFINITIONS + "GetConsumersAsync",
        () -> {
          consumed("consumed");
          var found = call("GetConsumersAsync", "definitionId", "consumed").json();
          assertThat(found).containsEntry("consumingWorkflowDefinitionIds", List.of("consumed-by"));
        });
    world.add(
        DEFINITIONS + "GetIsNameUniqueAsync",
        () -> {
          var name = "Ünïque & so on";
          assertThat(call("GetIsNameUniqueAsync", "name", name).json())
              .containsEntry("isUnique", true);
          call(
              "SaveAsync",
              "body",
              Map.of(
                  "model", Map.of("definitionId", "unique", "name", name, "root", json(WRITES))));
          assertThat(call("GetIsNameUniqueAsync", "name", name).json())
              .containsEntry("isUnique", false);
          assertThat(call("GetIsNameUniqueAsync", "name", name, "definitionId", "unique").json())
              .containsEntry("isUnique", true);
        });
  }

  private void list() throws Exception {
    for (var id : List.of("list-1", "list-2", "list-3")) {
      world.saved(id, WRITES, !id.equals("list-3"));
    }
    var ids = List.of("list-1", "list-2", "list-3");
    var query =
        Map.of(
            "DefinitionIds",
            ids,
            "Page",
            0L,
            "PageSize",
            2L,
            "IsSystem",
            false,
            "OrderBy",
            "Name",
            "OrderDirection",
            "Descending");

    var latest = call("ListAsync", "query", query, "versionOptions", "Latest");
    assertThat(column(items(latest), "definitionId")).containsExactly("list-3", "list-2");
    assertThat(latest.json()).containsEntry("totalCount", 3L);
    assertThat(column(objects(latest.json().get("links")), "rel")).contains("bulk-publish");
    var published = call("ListAsync", "query", query, "versionOptions", "Published");
    assertThat(column(items(published), "definitionId")).containsExactly("list-2", "list-1");
    var found = Map.of("SearchTerm", "list-3", "DefinitionIds", ids);
    assertThat(column(items(call("ListAsync", "query", found)), "definitionId"))
        .containsExactly("list-3");
    refused("ListAsync", 400, "query", Map.of("PageSize", 0L));
  }

  private void subgraph() throws Exception {
    var version = id(world.saved("graph", WAITS, false));
    var whole = call("GetSubgraphAsync", "id", version).json();
    var part = call("GetSubgraphAsync", "id", version, "parentNodeId", "Workflow1:S").json();

    assertThat(whole).containsEntry("nodeId", "Workflow1");
    assertThat(part).containsEntry("nodeId", "Workflow1:S").containsEntry("port", "Root");
    assertThat(Json.object(part.get("activity"))).containsEntry("type", "Elsa.Sequence");
    refused("GetSubgraphAsync", 404, "id", "none");
  }

  private void segments() throws Exception {
    var version = id(world.saved("segments", WAITS, false));
    var name = "GetPathSegmentsGetAsync";
    var found = call(name, "id", version, "childNodeId", "Workflow1:S:A").json();

    assertThat(Json.object(found.get("childNode"))).containsEntry("nodeId", "Workflow1:S:A");
    assertThat(objects(found.get("pathSegments")))
        .singleElement()
        .satisfies(segment -> assertThat(segment).containsEntry("activityNodeId", "Workflow1:S"));
    refused(name, 404, "id", version, "childNodeId", "Workflow1:X");
  }

  private void saving() {
    world.add(DEFINITIONS + "SaveAsync", this::save);
    world.add(
        DEFINITIONS + "PublishAsync",
        () -> {
          world.saved("publish", WRITES, false);
          var name = "PublishAsync";
          var first = call(name, "definitionId", "publish", "body", Map.of()).json();
          assertThat(first).containsEntry("alreadyPublished", false);
          assertThat(Json.object(first.get("workflowDefinition")))
              .containsEntry("isPublished", true);
          assertThat(call(name, "definitionId", "publish", "body", Map.of()).json())
              .containsEntry("alreadyPublished", true);
          refused(name, 404, "definitionId", "none", "body", Map.of());
          world.saved("never", "{'id':'S','type':'Elsa.ReadLine','version':1}", false);
          refused(name, 400, "definitionId", "never", "body", Map.of());
        });
    world.add(
        DEFINITIONS + "RetractAsync",
        () -> {
          world.saved("retract", WRITES, true);
          assertThat(call("RetractAsync", "definitionId", "retract", "body", Map.of()).json())
              .containsEntry("isPublished", false);
          refused("RetractAsync", 404, "definitionId", "retract", "body", Map.of());
        });
    world.add(
        DEFINITIONS + "RevertVersionAsync",
        () -> {
          world.saved("revert", WRITES, true);
          world.saved("revert", WAITS, false);
          var draft = call("RevertVersionAsync", "definitionId", "revert", "version", 1L).json();
          assertThat(draft).containsEntry("definitionId", "revert").containsEntry("isLatest", true);
          refused("RevertVersionAsync", 404, "definitionId", "revert", "version", 77L);
        });
    world.add(
        DEFINITIONS + "DeleteAsync",
        () -> {
          world.saved("delete", WRITES, true);
          call("DeleteAsync", "definitionId", "delete");
          refused("DeleteAsync", 404, "definitionId", "delete");
        });
    world.add(
        DEFINITIONS + "DeleteVersionAsync",
        () -> {
          var version = id(world.saved("delete-version", WRITES, false));
          call("DeleteVersionAsync", "id", version);
          refused("DeleteVersionAsync", 404, "id", version);
        });
    world.add(
        DEFINITIONS + "UpdateReferencesAsync",
        () -> {
          consumed("updated");
          world.saved("updated", WAITS, true);
          var done = call("UpdateReferencesAsync", "definitionId", "updated", "body", Map.of());
          assertThat(Json.list(done.json().get("affectedWorkflows"))).isNotEmpty();
        });
  }

  /** A program makes a definition, reads it, changes it and saves all that it has read. */
  private void save() throws Exception {
    var root = json(WRITES);
    var model =
        Map.<String, @Nullable Object>of(
            "name",
            "Made by a client",
            "root",
            root,
            "variables",
            List.of(
                json(
                    "{'id':'v1','name':'Total','typeName':'Int32','isArray':false,'value':'1',"
                        + "'storageDriverTypeName':null}")),
            "outcomes",
            List.of("Done"),
            "options",
            Map.of("usableAsActivity", true));
    var made = call("SaveAsync", "body", Map.of("model", model)).json();
    var read = requireNonNull(Json.object(made.get("workflowDefinition")));
    assertThat(made).containsEntry("alreadyPublished", false);
    assertThat(read).containsEntry("version", 1L).containsEntry("isPublished", false);

    var changed = new LinkedHashMap<String, @Nullable Object>();
    requireNonNull(world.table.types.get("WorkflowDefinitionModel"))
        .forEach(member -> changed.put(member.name(), read.get(member.name())));
    changed.put("name", "Changed by a client");
    var saved = call("SaveAsync", "body", Map.of("model", changed, "publish", true)).json();
    var definition = requireNonNull(Json.object(saved.get("workflowDefinition")));
    assertThat(definition)
        .containsEntry("definitionId", read.get("definitionId"))
        .containsEntry("name", "Changed by a client")
        .containsEntry("isPublished", true);
    assertThat(column(objects(definition.get("variables")), "name")).containsExactly("Total");
    assertThat(Json.object(definition.get("options"))).containsEntry("usableAsActivity", true);
    refused("SaveAsync", 400, "body", Map.of());
    refused("SaveAsync", 400, "body", null);
  }

  private void together() {
    world.add(
        DEFINITIONS + "BulkPublishAsync",
        () -> {
          world.saved("bulk-draft", WRITES, false);
          world.saved("bulk-published", WRITES, true);
          var ids = List.of("bulk-draft", "bulk-published", "none");
          assertThat(call("BulkPublishAsync", "body", Map.of("definitionIds", ids)).json())
              .containsEntry("published", List.of("bulk-draft"))
              .containsEntry("alreadyPublished", List.of("bulk-published"))
              .containsEntry("notFound", List.of("none"));
        });
    world.add(
        DEFINITIONS + "BulkRetractAsync",
        () -> {
          world.saved("bulk-retract", WRITES, true);
          var ids = List.of("bulk-retract", "none");
          assertThat(call("BulkRetractAsync", "body", Map.of("definitionIds", ids)).json())
              .containsEntry("retracted", List.of("bulk-retract"))
              .containsEntry("notFound", List.of("none"));
        });
    world.add(
        DEFINITIONS + "BulkDeleteAsync",
        () -> {
          world.saved("bulk-delete", WRITES, true);
          var ids = List.of("bulk-delete", "none");
          assertThat(call("BulkDeleteAsync", "body", Map.of("definitionIds", ids)).json())
              .containsEntry("deleted", 1L);
        });
    world.add(
        DEFINITIONS + "BulkDeleteVersionsAsync",
        () -> {
          var ids = List.of(id(world.saved("bulk-version", WRITES, false)), "none");
          assertThat(call("BulkDeleteVersionsAsync", "body", Map.of("ids", ids)).json())
              .containsEntry("deleted", 1L);
        });
  }

  private void files() {
    world.add(
        DEFINITIONS + "ExportAsync",
        () -> {
          consumed("exported");
          var one =
              call(
                  "ExportAsync",
                  "definitionId",
                  "exported",
                  "versionOptions",
                  "Latest",
                  "includeConsumingWorkflows",
                  false);
          assertThat(one.json()).containsEntry("definitionId", "exported");
          assertThat(one.fileName()).endsWith(".json");
          var both =
              call("ExportAsync", "definitionId", "exported", "includeConsumingWorkflows", true);
          assertThat(both.fileName()).endsWith(".zip");
          refused("ExportAsync", 404, "definitionId", "none", "includeConsumingWorkflows", false);
        });
    world.add(
        DEFINITIONS + "BulkExportAsync",
        () -> {
          var ids =
              List.of(
                  id(world.saved("bulk-export-1", WRITES, false)),
                  id(world.saved("bulk-export-2", WRITES, false)));
          assertThat(call("BulkExportAsync", "body", Map.of("ids", ids)).fileName())
              .endsWith(".zip");
        });
    world.add(
        DEFINITIONS + "ImportAsync",
        () -> {
          var model = Map.of("definitionId", "imported", "name", "Imported", "root", json(WRITES));
          var imported = call("ImportAsync", "body", model).json();
          assertThat(imported).containsEntry("name", "Imported").containsEntry("version", 1L);
        });
    world.add(
        DEFINITIONS + "ImportFilesAsync",
        () -> {
          var text = "{'definitionId':'%s','name':'%s','root':" + WRITES + "}";
          var files = new LinkedHashMap<String, byte[]>();
          for (var name : List.of("file-1", "file-2")) {
            files.put(
                name + ".json", text.formatted(name, name).replace('\'', '"').getBytes(UTF_8));
          }
          assertThat(call("ImportFilesAsync", "files", files).json()).containsEntry("count", 2L);
          assertThat(call("GetByDefinitionIdAsync", "definitionId", "file-2").json())
              .containsEntry("name", "file-2");
        });
  }

  /** A definition that is an activity of another one, whose id ends in -by. */
  private void consumed(String id) throws Exception {
    var name = Character.toUpperCase(id.charAt(0)) + id.substring(1);
    call(
        "SaveAsync",
        "body",
        Map.of(
            "model",
            Map.of(
                "definitionId",
                id,
                "name",
                name,
                "root",
                json(WRITES),
                "options",
                Map.of("usableAsActivity", true, "autoUpdateConsumingWorkflows", false)),
            "publish",
            true));
    var version = call("GetByDefinitionIdAsync", "definitionId", id).json();
    world.saved(
        id + "-by",
        "{'id':'S','type':'Elsa.Sequence','version':1,'activities':[{'id':'C','type':'"
            + name
            + "','version':1,'workflowDefinitionId':'"
            + id
            + "','workflowDefinitionVersionId':'"
            + id(version)
            + "'}]}",
        true);
  }
}
