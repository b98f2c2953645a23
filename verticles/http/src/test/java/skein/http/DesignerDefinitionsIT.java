package skein.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import skein.activities.Json;
import skein.cluster.Readiness;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.execution.OneNode;
import skein.openapi.CheckedAnswers;

/** Definitions as Elsa's designer reads them, and the result when it sends them back. */
class DesignerDefinitionsIT {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final String DEFINITIONS = "/elsa/api/workflow-definitions";

  private static OneNode node;
  private static HttpVerticle verticle;

  @BeforeAll
  static void start() {
    node = new OneNode();
    var readiness = new Readiness();
    verticle = new HttpVerticle(HttpFixture.dependencies(node, readiness), HttpFixture.options());
    node.vertx.deployVerticle(verticle).await();
    readiness.advanceTo(Readiness.Phase.READY);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static @Nullable Object send(String method, String path, @Nullable Object body)
      throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + verticle.port() + path))
            .header("Content-Type", "application/json")
            .method(
                method,
                body == null
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(JsonText.print(body)))
            .build();
    var response = CheckedAnswers.of(CLIENT.send(request, BodyHandlers.ofString()));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JsonText.parse(response.body(), JsonLimits.DEFAULT);
  }

  private static Map<String, @Nullable Object> get(String path) throws Exception {
    return object(send("GET", DEFINITIONS + path, null));
  }

  private static Map<String, @Nullable Object> save(Object model) throws Exception {
    return object(send("POST", DEFINITIONS, Map.of("model", model)));
  }

  private static Map<String, @Nullable Object> object(@Nullable Object value) {
    return requireNonNull(Json.object(value));
  }

  private static Map<String, @Nullable Object> json(String text) {
    return JsonText.parseObject(text, JsonLimits.DEFAULT);
  }

  private static Map<String, @Nullable Object> first(Map<String, @Nullable Object> definition) {
    return object(Json.list(object(definition.get("root")).get("activities")).getFirst());
  }

  private static final String UNHEARD =
      """
      {"definitionId": "%s", "createdAt": "0001-01-01T00:00:00+00:00", "options": null,
       "root": {"type": "Elsa.Flowchart", "id": "main", "activities": [
         {"type": "Acme.Unheard", "id": "a", "loudness": 3},
         {"type": "Elsa.WriteLine", "id": "b", "text": "hi"}],
        "connections": [{"source": {"activity": "a", "port": "Done"},
                         "target": {"activity": "b", "port": "In"}}]}}
      """;

  @Test
  void an_unknown_activity_is_shown_moved_and_saved_without_loss() throws Exception {
    save(json(UNHEARD.formatted("unheard")));

    var shown = get("/by-definition-id/unheard?includeCompositeRoot=true");
    assertThat(shown).containsEntry("variables", List.of()).doesNotContainKey("name");
    assertThat(first(shown)).containsEntry("type", "Elsa.NotFoundActivity");

    var moved = new LinkedHashMap<String, @Nullable Object>(first(shown));
    moved.put("metadata", json("{\"designer\": {\"position\": {\"x\": 1, \"y\": 2}}}"));
    var root = new LinkedHashMap<String, @Nullable Object>(object(shown.get("root")));
    root.put("activities", List.of(moved, Json.list(root.get("activities")).get(1)));
    var model = new LinkedHashMap<String, @Nullable Object>(shown);
    model.put("root", root);
    save(model);

    var source = get("/unheard?format=source");
    assertThat(first(source))
        .isEqualTo(
            json(
                """
                {"type": "Acme.Unheard", "id": "a", "loudness": 3, "nodeId": "Workflow1:main:a",
                 "metadata": {"designer": {"position": {"x": 1, "y": 2}}}}
                """));
    assertThat(object(source.get("root"))).containsKey("connections");
  }

  @Test
  void a_version_is_of_the_time_when_it_was_made_here() throws Exception {
    var before = Instant.now().minus(1, ChronoUnit.MINUTES);

    var saved = object(save(json(UNHEARD.formatted("dated"))).get("workflowDefinition"));

    assertThat(Instant.parse(String.valueOf(saved.get("createdAt")))).isAfter(before);
    var again = object(save(json(UNHEARD.formatted("dated"))).get("workflowDefinition"));
    assertThat(again).containsEntry("createdAt", saved.get("createdAt"));
  }

  @Test
  void the_source_is_what_was_saved_also_in_a_file() throws Exception {
    save(json(UNHEARD.formatted("written")));

    for (var path :
        List.of("/written?format=source", "/written/export?versionOptions=Latest&format=source")) {
      assertThat(first(get(path)))
          .containsEntry("type", "Acme.Unheard")
          .doesNotContainKey("version");
    }
    assertThat(first(get("/written/export"))).containsEntry("type", "Elsa.NotFoundActivity");
    var versions = Json.list(send("GET", DEFINITIONS + "/written/versions?format=source", null));
    assertThat(first(object(versions.getFirst()))).containsEntry("type", "Acme.Unheard");
  }

  @Test
  void a_use_of_a_workflow_names_a_version_that_the_descriptors_have() throws Exception {
    var used =
        json(
            """
            {"definitionId": "used", "name": "Used", "options": {"usableAsActivity": true,
             "activityCategory": "Ours"}, "root": {"type": "Elsa.WriteLine", "id": "w"}}
            """);
    for (var i = 0; i < 2; i++) {
      send("POST", DEFINITIONS, Map.of("model", used, "publish", true));
    }
    save(used);
    save(
        json(
            """
            {"definitionId": "user", "root": {"type": "Elsa.Sequence", "id": "s", "activities": [
              {"type": "Used", "id": "u", "workflowDefinitionId": "used", "version": 1}]}}
            """));

    var use = first(get("/user"));

    assertThat(use)
        .containsEntry("type", "Used")
        .containsEntry("version", 1L)
        .containsEntry("latestAvailablePublishedVersion", 2L);
    var listed = object(send("GET", "/elsa/api/descriptors/activities", null));
    assertThat(Json.list(listed.get("items")).stream().map(Json::object))
        .filteredOn(item -> item != null && "Used".equals(item.get("typeName")))
        .extracting(item ->
            item.get("version") + " " + item.get("isBrowsable") + " " + item.get("category"))
        .containsExactly("2 true Ours", "3 false Ours", "1 false Ours");
  }

  @Test
  void a_list_that_asks_for_no_version_and_no_page_has_all() throws Exception {
    for (var version = 1; version <= 60; version++) {
      send(
          "POST",
          DEFINITIONS,
          Map.of("model", json(UNHEARD.formatted("many").replace("Acme.Unheard", "Elsa.Start"))));
      if (version < 60) {
        send("POST", DEFINITIONS + "/many/publish", Map.of());
      }
    }

    var all = get("?definitionIds=many&versionOptions=");
    var page = get("?definitionIds=many&page=0&pageSize=10");

    assertThat(all).containsEntry("totalCount", 60L);
    assertThat(Json.list(all.get("items"))).hasSize(60);
    assertThat(Json.list(page.get("items"))).hasSize(10);
  }

  private static Map<String, @Nullable Object> tried(String definitionId, String activity)
      throws Exception {
    var handles =
        Map.of(
            "workflowDefinitionHandle",
            Map.of("definitionId", definitionId),
            "activityHandle",
            Map.of("activityNodeId", "Workflow1:s:" + activity));
    return object(send("POST", "/elsa/api/tests/activities", handles));
  }

  @Test
  void an_activity_is_tried_by_itself_and_leaves_nothing_behind() throws Exception {
    save(
        json(
            """
            {"definitionId": "tried", "variables": [
               {"id": "v", "name": "Count", "typeName": "Int32", "value": 20}],
             "root": {"type": "Elsa.Sequence", "id": "s", "activities": [
               {"type": "Elsa.WriteLine", "id": "never", "text": "not this one"},
               {"type": "Elsa.RunJavaScript", "id": "counts",
                "script": {"typeName": "String",
                  "expression": {"type": "Literal", "value": "variables.Count + 1"}}},
               {"type": "Elsa.Fault", "id": "faults", "message": "as asked"},
               {"type": "Elsa.Delay", "id": "waits", "timeSpan": "01:00:00"}]}}
            """));

    assertThat(tried("tried", "counts"))
        .containsEntry("status", "Completed")
        .containsEntry("outputs", Map.of("Result", 21L))
        .containsEntry("payload", Map.of("Outcomes", List.of("Done")))
        .containsEntry("exception", null);
    var faulted = tried("tried", "faults");
    assertThat(faulted).containsEntry("status", "Faulted");
    assertThat(object(faulted.get("exception"))).containsEntry("message", "as asked");
    assertThat(tried("tried", "waits")).containsEntry("status", "Running");

    var instances = object(send("GET", "/elsa/api/workflow-instances?definitionId=tried", null));
    assertThat(instances).containsEntry("totalCount", 0L);
  }
}
