package skein.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import skein.activities.Activities;
import skein.cluster.Readiness;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.execution.OneNode;
import skein.storage.AlterationStore;
import skein.storage.Committer;

/** What Elsa's designer and Elsa's clients ask for, over a real connection. */
class ElsaApiIT {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static OneNode node;
  private static HttpVerticle verticle;

  @BeforeAll
  static void start() {
    node = new OneNode();
    var readiness = new Readiness();
    var options =
        new HttpOptions(
            "127.0.0.1",
            0,
            URI.create("http://skein.test/"),
            JsonLimits.DEFAULT.withBytesMax(100_000),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            100,
            Duration.ofSeconds(1),
            new UploadLimits(200_000, 20, 400_000, 2));
    verticle =
        new HttpVerticle(
            new HttpParts(
                node.ingress,
                node.definitions,
                node.cache,
                node.definitionStore,
                node.instances,
                new AlterationStore(node.database),
                node.database,
                node.cluster,
                readiness,
                Activities.builtIn(),
                InstantSource.system(),
                new Committer.Options(10, 2, 4, 200, 100, 3, 50, 1_000_000),
                node.schedules),
            options);
    node.vertx.deployVerticle(verticle).await();
    readiness.advanceTo(Readiness.Phase.READY);
    publish(definition("waits", "Elsa.Event", "\"eventName\":" + literal("go")));
    publish(definition("late", "Elsa.Delay", "\"timeSpan\":" + literal("1.00:00:00")));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/descriptors/activities?refresh=true",
        "/descriptors/variables",
        "/descriptors/storage-drivers",
        "/descriptors/expression-descriptors",
        "/descriptors/incident-strategies",
        "/descriptors/log-persistence-strategies",
        "/descriptors/workflow-activation-strategies",
        "/descriptors/commit-strategies/workflows",
        "/descriptors/commit-strategies/activities",
        "/descriptors/output-converters",
        "/features/installed",
        "/resilience/strategies?category=HTTP",
        "/workflow-definitions?versionOptions=Latest&page=0&pageSize=10",
        "/workflow-definitions/many-by-id",
        "/workflow-instances?page=0&pageSize=10"
      })
  void what_a_designer_opens_is_a_list(String path) throws Exception {
    assertThat(json(get(path)).get("items")).isInstanceOf(List.class);
  }

  @Test
  void activities_are_described_one_by_one() throws Exception {
    save("sum", "Sum", "Elsa.Start");
    node.definitions.publish("sum").await();
    assertThat(json(get("/descriptors/activities/Elsa.WriteLine?version=1")))
        .containsEntry("displayName", "Write Line");
    assertThat(json(get("/descriptors/activities/Sum"))).containsEntry("version", 1L);
    assertThat(get("/descriptors/activities/Nothing").statusCode()).isEqualTo(404);
    assertThat(json(get("/descriptors/activities")).toString())
        .contains("typeName=Sum", "typeName=Elsa.Flowchart");
    assertThat(post("/descriptors/activities/Elsa.FlowJoin/options/mode", "{}").body())
        .contains("WaitAll");
  }

  @Test
  void a_login_lets_everybody_in_without_proving_anything() throws Exception {
    var login = post("/identity/login", "{\"username\":\"ann\",\"password\":\"x\"}");

    var token = String.valueOf(json(login).get("accessToken"));
    assertThat(json(login)).containsEntry("isAuthenticated", true);
    assertThat(token.split("\\.", -1)).hasSize(3).endsWith("");
    assertThat(json(get("/package/version"))).containsKey("packageVersion");
    assertThat(get("/features/installed/Elsa.RealTimeWorkflowUpdates").statusCode()).isEqualTo(404);
    assertThat(json(get("/features/installed/Elsa.Http"))).containsEntry("namespace", "Elsa");
  }

  @Test
  void editors_of_scripts_learn_the_variables() throws Exception {
    publish(
        definition("typed", "Elsa.Start", "\"name\":\"s\"")
            .replace(
                "\"root\"",
                "\"variables\":[{\"id\":\"v\",\"name\":\"total\",\"typeName\":\"Int32\"}],\"root\""));

    var types = post("/scripting/javascript/type-definitions/typed", "{}");

    assertThat(types.body())
        .contains("declare function getTotal(): number;", "  total: number;", "getInput(");
  }

  @Test
  void journal_and_executions_come_a_page_at_a_time() throws Exception {
    var id = started("waits");

    var page = json(get("/workflow-instances/" + id + "/journal?skip=1&take=1"));
    var filtered =
        json(
            post(
                "/workflow-instances/" + id + "/journal",
                "{\"filter\":{\"activityIds\":[\"A\"],\"eventNames\":[\"Suspended\"]}}"));
    var last = json(get("/workflow-instances/" + id + "/journal/A"));

    assertThat(items(page)).hasSize(1);
    assertThat((Long) page.get("totalCount")).isGreaterThan(2);
    assertThat(items(filtered)).hasSize(1);
    assertThat(last).containsEntry("eventName", "Suspended");
    assertThat(get("/workflow-instances/nobody/journal").statusCode()).isEqualTo(404);
    var all = json(get("/activity-executions/list?workflowInstanceId=" + id));
    var paged = json(get("/activity-executions/list?take=1&workflowInstanceId=" + id));
    assertThat(items(paged)).isEqualTo(items(all).subList(0, 1));
    assertThat(json(get("/activity-executions/count?workflowInstanceId=" + id)))
        .containsEntry("count", (long) items(all).size());
    var leaf = items(all).getLast();
    var stack = json(get("/activity-executions/" + leaf.get("id") + "/call-stack"));
    assertThat(items(stack)).isEqualTo(items(all));
    var report =
        json(post("/activity-executions/report", "{\"workflowInstanceId\":\"" + id + "\"}"));
    assertThat(report.toString()).contains("isBlocked=true");
    assertThat(get("/activity-execution-summaries/list?workflowInstanceId=" + id).body())
        .doesNotContain("activityState");
  }

  @Test
  void a_deleted_instance_comes_back_from_its_export_and_goes_on() throws Exception {
    var id = started("waits");
    var export = get("/workflow-instances/" + id + "/export");
    var before = json(get("/workflow-instances/" + id));
    assertThat(json(export)).containsKeys("workflowState", "bookmarks", "exactState");
    var early = post("/bulk-actions/import/workflow-instances", export.body());
    assertThat(early.statusCode()).isEqualTo(409);
    assertThat(json(early)).containsEntry("code", "INSTANCE_EXISTS");
    send("DELETE", "/workflow-instances/" + id, "", null);
    assertThat(get("/workflow-instances/" + id + "/journal").statusCode()).isEqualTo(404);

    var imported = post("/bulk-actions/import/workflow-instances", export.body());

    assertThat(json(imported)).containsEntry("imported", 1L);
    var after = json(get("/workflow-instances/" + id));
    assertThat(bookmarks(after)).isEqualTo(bookmarks(before));
    assertThat(items(json(get("/workflow-instances/" + id + "/journal"))))
        .isEqualTo(json(export).get("workflowExecutionLogRecords"));
    assertThat(post("/workflow-instances/" + id + "/resume", "{}").statusCode()).isEqualTo(200);
    assertThat(json(get("/workflow-instances/" + id))).containsEntry("status", "Finished");
  }

  @Test
  void several_instances_travel_as_an_archive() throws Exception {
    var ids = List.of(started("waits"), started("late"));
    var body = "{\"ids\":[\"" + String.join("\",\"", ids) + "\",\"gone\"]}";
    var request = request("POST", "/bulk-actions/export/workflow-instances", body, null);
    var zip = CLIENT.send(request, BodyHandlers.ofByteArray());
    assertThat(entries(zip.body())).hasSize(2);
    for (var id : ids) {
      send("DELETE", "/workflow-instances/" + id, "", null);
    }

    var imported = upload("/bulk-actions/import/workflow-instances", "all.zip", zip.body());

    assertThat(json(imported)).containsEntry("imported", 2L);
    assertThat(json(get("/workflow-instances/" + ids.get(1))).toString()).contains("dueAt=");
  }

  @Test
  void an_import_without_its_definition_is_refused() throws Exception {
    publish(definition("short-lived", "Elsa.Event", "\"eventName\":" + literal("go")));
    var id = started("short-lived");
    var export = get("/workflow-instances/" + id + "/export");
    send("DELETE", "/workflow-instances/" + id, "", null);
    send("DELETE", "/workflow-definitions/short-lived", "", null);

    var refused = post("/bulk-actions/import/workflow-instances", export.body());

    assertThat(refused.statusCode()).isEqualTo(404);
    assertThat(json(refused)).containsEntry("code", "DEFINITION_NOT_FOUND");
  }

  @Test
  void definitions_travel_as_files_and_archives() throws Exception {
    var first = definition("file-1", "Elsa.Start", "\"name\":\"a\"");
    var second = definition("file-2", "Elsa.Start", "\"name\":\"b\"");
    var one =
        upload(
            "/workflow-definitions/import-files",
            "one.json",
            first.getBytes(StandardCharsets.UTF_8));
    var two = upload("/workflow-definitions/import-files", "two.zip", zip("d/two.json", second));
    assertThat(json(one)).containsEntry("count", 1L);
    assertThat(json(two)).containsEntry("count", 1L);

    var ids = new ArrayList<String>();
    for (var name : List.of("file-1", "file-2")) {
      ids.add("\"" + json(get("/workflow-definitions/" + name)).get("id") + "\"");
    }
    var body = "{\"ids\":[" + String.join(",", ids) + "]}";
    var request = request("POST", "/bulk-actions/export/workflow-definitions", body, null);
    var files = entries(CLIENT.send(request, BodyHandlers.ofByteArray()).body());

    assertThat(files).hasSize(2);
    assertThat(files.values().toString()).contains("file-1", "file-2").doesNotContain("links");
  }

  @Test
  void uploads_have_limits() throws Exception {
    var bomb = zip("a.json", "0".repeat(500_000));
    var path = "/workflow-definitions/import-files";

    var expanded = upload(path, "bomb.zip", bomb);
    var large = upload(path, "large.json", new byte[300_000]);
    var broken = upload(path, "bad.json", "{".getBytes(StandardCharsets.UTF_8));
    var invalid = upload(path, "bad.json", "{\"name\":1}".getBytes(StandardCharsets.UTF_8));

    assertThat(bomb.length).isLessThan(10_000);
    assertThat(json(expanded)).containsEntry("code", "TOO_LARGE");
    assertThat(json(large)).containsEntry("code", "TOO_LARGE");
    assertThat(json(broken)).containsEntry("code", "INVALID_JSON");
    assertThat(json(invalid)).containsEntry("code", "DEFINITION_INVALID");
    assertThat(invalid.body()).contains("bad.json: name is not a string");
  }

  @Test
  void a_broken_upload_is_refused_and_gives_its_place_back() throws Exception {
    var path = "/workflow-definitions/import-files";
    var good = definition("after", "Elsa.Start", "\"name\":\"s\"");
    for (int i = 0; i < 5; i++) {
      var broken = send("POST", path, "--edge\r\nno part", "multipart/form-data; boundary=edge");
      assertThat(broken.statusCode()).isEqualTo(400);
    }

    var whole = upload(path, "good.json", good.getBytes(StandardCharsets.UTF_8));

    assertThat(json(whole)).containsEntry("count", 1L);
  }

  @Test
  void more_uploads_at_a_time_than_there_is_place_for_are_refused() throws Exception {
    var path = "/workflow-definitions/import-files";
    var head =
        "POST /elsa/api"
            + path
            + " HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n"
            + "Content-Type: multipart/form-data; boundary=edge\r\n\r\n--edge\r\n";
    var good = definition("crowded", "Elsa.Start", "\"name\":\"s\"");
    var stalled = new ArrayList<Socket>();
    try {
      // One that arrives while an upload of ours is under way is refused itself; so there are more.
      HttpResponse<String> answer;
      long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
      do {
        var socket = new Socket(InetAddress.getLoopbackAddress(), verticle.port());
        stalled.add(socket);
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        answer = upload(path, "good.json", good.getBytes(StandardCharsets.UTF_8));
      } while (answer.statusCode() == 200 && System.nanoTime() < end);

      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(json(answer)).containsEntry("code", "OVERLOADED");
    } finally {
      for (var socket : stalled) {
        socket.close();
      }
    }
  }

  @Test
  void all_instances_of_a_definition_are_deleted_together() throws Exception {
    publish(definition("many", "Elsa.Event", "\"eventName\":" + literal("go")));
    started("many");
    started("many");

    var deleted =
        post("/bulk-actions/delete/workflow-instances", "{\"workflowDefinitionId\":\"many\"}");

    assertThat(json(deleted)).containsEntry("deleted", 2L);
    assertThat(post("/bulk-actions/delete/workflow-instances", "{}").statusCode()).isEqualTo(400);
  }

  @Test
  void consumers_are_followed_to_the_end() throws Exception {
    save("grandchild", "Grand child", "Elsa.Start");
    save("child", "Child", "GrandChild");
    save("parent", "Parent", "Child");

    var consumers = json(get("/workflow-definitions/grandchild/consumers"));

    assertThat(consumers.get("consumingWorkflowDefinitionIds"))
        .isEqualTo(List.of("child", "parent"));
    assertThat(json(get("/workflow-definitions/parent/consumers")).values())
        .containsExactly(List.of());
    assertThat(get("/workflow-definitions/nobody/consumers").statusCode()).isEqualTo(404);
    node.definitions.publish("grandchild").await();
    node.definitions.publish("child").await();
    assertThat(post("/workflow-definitions/child/update-references", "{}").body())
        .contains("affectedWorkflows");
    assertThat(json(get("/workflow-definitions/validation/is-name-unique?name=Child")))
        .containsEntry("isUnique", false);
    assertThat(
            json(
                get(
                    "/workflow-definitions/validation/is-name-unique?name=Child&definitionId=child")))
        .containsEntry("isUnique", true);
  }

  @Test
  void publishing_tells_what_may_go_wrong() throws Exception {
    var model = definition("doubtful", "Acme.Dance", "\"version\":1");

    var saved = json(post("/workflow-definitions", "{\"publish\":true,\"model\":" + model + "}"));

    assertThat(saved).containsEntry("alreadyPublished", false);
    assertThat(String.valueOf(saved.get("validationErrors")))
        .contains("message=Acme.Dance", "Workflow1:S:A", "it faults when it is executed");
    var clean = definition("clean", "Elsa.Start", "\"version\":1");
    assertThat(json(post("/workflow-definitions", "{\"publish\":true,\"model\":" + clean + "}")))
        .containsEntry("validationErrors", List.of());
  }

  @Test
  void what_is_read_only_is_run_and_deleted_but_not_changed() throws Exception {
    var model =
        definition("sealed", "Elsa.Start", "\"version\":1")
            .replace("{\"definitionId\"", "{\"isReadonly\":true,\"definitionId\"");
    publish(model);
    publish(model); // As whoever brought it may.
    var path = "/workflow-definitions/sealed";

    for (var refused :
        List.of(
            post("/workflow-definitions", model),
            post("/workflow-definitions", "{\"publish\":true,\"model\":" + model + "}"),
            send("PUT", path, model, null),
            post("/workflow-definitions/import", model),
            post(path + "/import", model.replace("sealed", "other")),
            post(path + "/publish", "{}"),
            post(path + "/retract", "{}"),
            post(path + "/revert/1", "{}"),
            send("DELETE", path + "/version/1", "", null))) {
      assertThat(refused.statusCode()).as(refused.uri().toString()).isEqualTo(403);
      assertThat(json(refused)).containsEntry("code", "DEFINITION_READ_ONLY");
    }
    for (var word : List.of("publish", "retract")) {
      var bulk = "/bulk-actions/" + word + "/workflow-definitions/by-definition-ids";
      assertThat(json(post(bulk, "{\"definitionIds\":[\"sealed\"]}")))
          .containsEntry("skipped", List.of("sealed"));
    }
    assertThat(json(get(path + "/versions")).get("items")).asInstanceOf(LIST).hasSize(2);
    assertThat(started("sealed")).isNotEqualTo("null");
    assertThat(send("DELETE", path, "", null).statusCode()).isEqualTo(204);
    assertThat(post("/workflow-definitions", model).statusCode()).isEqualTo(200);
  }

  @Test
  void a_definition_has_links_and_parts() throws Exception {
    var definition = json(get("/workflow-definitions/by-definition-id/waits"));
    var id = definition.get("id");

    assertThat(String.valueOf(definition.get("links"))).contains("rel=publish", "rel=delete");
    assertThat(json(get("/workflow-definitions/subgraph/" + id + "?parentNodeId=Workflow1:S")))
        .containsEntry("nodeId", "Workflow1:S")
        .containsEntry("port", "Root");
    var segments =
        json(get("/workflow-definitions/subgraph/segments/" + id + "?childNodeId=Workflow1:S:A"));
    assertThat(String.valueOf(segments.get("pathSegments"))).contains("activityId=S");
  }

  @Test
  void variables_are_changed_from_outside() throws Exception {
    var members = "\"eventName\":" + literal("go");
    publish(
        definition("varied", "Elsa.Event", members)
            .replace(
                "\"root\"",
                "\"variables\":[{\"id\":\"v\",\"name\":\"V\",\"typeName\":\"Object\"}],\"root\""));
    var id = started("varied");
    var path = "/workflow-instances/" + id + "/variables";

    var answer = post(path, "{\"variables\":[{\"id\":\"v\",\"value\":[1]}]}");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(get(path).body()).contains("\"value\":[1]");
    assertThat(post(path, "{}").statusCode()).isEqualTo(400);
    assertThat(post(path, "{\"variables\":[{\"id\":\"w\",\"value\":1}]}").body())
        .contains("ALTERATION_REFUSED");
  }

  @Test
  void instances_are_found_by_their_times() throws Exception {
    var id = started("waits");
    var filter =
        "{\"page\":0,\"pageSize\":100,\"timestampFilters\":[{\"column\":\"CreatedAt\",\"operator\":\"%s\",\"timestamp\":\"2020-01-01T00:00:00Z\"}]}";

    assertThat(post("/workflow-instances", filter.formatted("GreaterThan")).body()).contains(id);
    assertThat(post("/workflow-instances", filter.formatted("LessThan")).body())
        .contains("\"totalCount\":0");
  }

  private static String started(String definitionId) throws Exception {
    var answer = post("/workflow-instances", "{\"definitionId\":\"" + definitionId + "\"}");
    return String.valueOf(json(answer).get("workflowInstanceId"));
  }

  private static void save(String definitionId, String name, String type) {
    node.definitions
        .save(
            JsonText.parseObject(
                definition(definitionId, type, "\"version\":1")
                    .replace(
                        "\"name\":\"" + definitionId + "\"",
                        "\"options\":{\"usableAsActivity\":true},\"name\":\"" + name + "\""),
                JsonLimits.DEFAULT),
            null)
        .await();
  }

  private static void publish(String json) {
    node.definitions.saveAndPublish(JsonText.parseObject(json, JsonLimits.DEFAULT), null).await();
  }

  private static String definition(String definitionId, String type, String member) {
    return """
    {"definitionId":"%s","name":"%s","root":{"id":"S","type":"Elsa.Sequence","activities":[
      {"id":"A","type":"%s",%s}]}}
    """
        .formatted(definitionId, definitionId, type, member);
  }

  private static String literal(String value) {
    return "{\"typeName\":\"String\",\"expression\":{\"type\":\"Literal\",\"value\":\""
        + value
        + "\"}}";
  }

  private static @Nullable Object bookmarks(Map<String, @Nullable Object> instance) {
    return instance.get("workflowState") instanceof Map<?, ?> state ? state.get("bookmarks") : null;
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, @Nullable Object>> items(Map<String, @Nullable Object> page) {
    var items = page.get("items");
    assertThat(items).isInstanceOf(List.class);
    return (List<Map<String, @Nullable Object>>) items;
  }

  private static byte[] zip(String name, String text) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry(name));
      zip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  private static Map<String, String> entries(byte[] archive) throws IOException {
    var entries = new LinkedHashMap<String, String>();
    try (var zip = new ZipInputStream(new ByteArrayInputStream(archive))) {
      for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        entries.put(entry.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    return entries;
  }

  private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return CLIENT.send(request("GET", path, "", null), BodyHandlers.ofString());
  }

  private static HttpResponse<String> post(String path, String body)
      throws IOException, InterruptedException {
    return send("POST", path, body, "application/json");
  }

  private static HttpResponse<String> upload(String path, String name, byte[] content)
      throws IOException, InterruptedException {
    var body = new ByteArrayOutputStream();
    body.writeBytes(
        ("--edge\r\nContent-Disposition: form-data; name=\"files\"; filename=\""
                + name
                + "\"\r\nContent-Type: application/octet-stream\r\n\r\n")
            .getBytes(StandardCharsets.UTF_8));
    body.writeBytes(content);
    body.writeBytes("\r\n--edge--\r\n".getBytes(StandardCharsets.UTF_8));
    var request =
        HttpRequest.newBuilder(uri(path))
            .timeout(Duration.ofSeconds(20))
            .header("Content-Type", "multipart/form-data; boundary=edge")
            .POST(BodyPublishers.ofByteArray(body.toByteArray()));
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  private static HttpResponse<String> send(
      String method, String path, String body, @Nullable String type)
      throws IOException, InterruptedException {
    return CLIENT.send(request(method, path, body, type), BodyHandlers.ofString());
  }

  private static HttpRequest request(
      String method, String path, String body, @Nullable String type) {
    return HttpRequest.newBuilder(uri(path))
        .timeout(Duration.ofSeconds(20))
        .header("Content-Type", type == null ? "application/json" : type)
        .method(method, BodyPublishers.ofString(body))
        .build();
  }

  private static URI uri(String path) {
    return URI.create("http://127.0.0.1:" + verticle.port() + "/elsa/api" + path);
  }

  private static Map<String, @Nullable Object> json(HttpResponse<String> response) {
    return JsonText.parseObject(response.body(), JsonLimits.STORED);
  }
}
