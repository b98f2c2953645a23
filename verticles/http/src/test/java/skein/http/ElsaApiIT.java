package skein.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import io.vertx.core.Future;
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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import skein.cluster.Readiness;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.definitions.DefinitionSource;
import skein.execution.OneNode;
import skein.openapi.CheckedAnswers;
import skein.storage.TestDatabase;

/** What Elsa's designer and Elsa's clients ask for, over a real connection. */
class ElsaApiIT {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final Readiness READINESS = new Readiness();
  private static OneNode node;
  private static HttpVerticle verticle;

  @BeforeAll
  static void start() {
    node = new OneNode();
    verticle = new HttpVerticle(dependencies(), options());
    node.vertx.deployVerticle(verticle).await();
    READINESS.advanceTo(Readiness.Phase.READY);
    publish(definition("waits", "Elsa.Event", "\"eventName\":" + literal("go")));
    publish(definition("late", "Elsa.Delay", "\"timeSpan\":" + literal("1.00:00:00")));
  }

  private static HttpOptions options() {
    return HttpOptions.of(
        new HttpOptions.Listener("127.0.0.1", 0, URI.create("http://skein.test/"), 100),
        new HttpOptions.Timeouts(
            Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(1)),
        new HttpOptions.BodyLimits(
            JsonLimits.DEFAULT.withBytesMax(100_000),
            new UploadLimits(200_000, 20, 400_000, 2, 1_200_000)));
  }

  private static HttpDependencies dependencies() {
    return HttpFixture.dependencies(node, READINESS).with(ElsaApiIT::reload);
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
  void designers_are_offered_every_language_that_is_evaluated() throws Exception {
    assertThat(get("/descriptors/expression-descriptors").body())
        .contains("\"type\":\"Liquid\"", "\"MonacoLanguage\":\"liquid\"")
        .contains("\"type\":\"JavaScript\"", "\"MonacoLanguage\":\"javascript\"")
        .contains("\"type\":\"Sql\"", "\"MonacoLanguage\":\"sql\"");
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
  void nobody_is_given_a_token_where_there_are_no_users() throws Exception {
    for (var path : List.of("/identity/login", "/identity/refresh-token")) {
      var login = post(path, "{\"username\":\"ann\",\"password\":\"x\"}");

      assertThat(login.statusCode()).as(path).isEqualTo(404);
      assertThat(json(login)).containsEntry("code", "NOT_FOUND").doesNotContainKey("accessToken");
    }
  }

  @Test
  void what_is_not_there_is_no_feature() throws Exception {
    assertThat(json(get("/package/version"))).containsKey("packageVersion");
    assertThat(get("/features/installed/Elsa.Agents").statusCode()).isEqualTo(404);
    assertThat(get("/features/installed/Elsa.RealTimeWorkflowUpdates").statusCode()).isEqualTo(200);
    assertThat(json(get("/features/installed/Elsa.Http"))).containsEntry("namespace", "Elsa");
  }

  @Test
  void every_change_is_a_line_of_the_audit_log() throws Exception {
    save("aud", "Aud", "Elsa.Start");
    var schedule =
        "{\"id\":\"aud-s\",\"definitionId\":\"aud\",\"cron\":\"0 0 0 1 1 *\",\"paused\":true}";
    post("/workflow-definitions", definition("aud", "Elsa.Start", "\"name\":\"s\""));
    post("/workflow-definitions/aud/publish", "{}");
    post("/workflow-definitions/aud-missing/publish", "{}");
    assertThat(post("/schedules", schedule).statusCode()).isEqualTo(201);
    post("/schedules/aud-s/resume", "");
    post("/schedules/preview", schedule);
    var id = json(post("/workflow-definitions/aud/execute", "{}"));
    post("/cancel/workflow-instances/aud-nobody", "");
    post("/bulk-actions/delete/workflow-instances", "{\"ids\":[\"aud-1\",\"aud-2\"]}");
    post("/workflow-definitions/import", "{\"definitionId\":\"aud-torn\"}");
    post("/log-levels", "{\"logger\":\"aud\",\"level\":\"Debug\"}");
    send("DELETE", "/schedules/aud-s", "", null);
    send("DELETE", "/workflow-definitions/aud", "", null);

    assertThat(id).isNotEmpty();
    assertThat(
            TestDatabase.texts(
                node.database,
                "select concat_ws(' ', action, outcome, subject, actor, node) from audit_log where"
                    + " subject like 'aud%' order by at"))
        .containsExactly(
            "definition.save ok aud 127.0.0.1 n1",
            "definition.publish ok aud 127.0.0.1 n1",
            "definition.publish DEFINITION_NOT_FOUND aud-missing 127.0.0.1 n1",
            "schedule.create ok aud-s aud 127.0.0.1 n1",
            "schedule.resume ok aud-s 127.0.0.1 n1",
            "instance.cancel INSTANCE_NOT_FOUND aud-nobody 127.0.0.1 n1",
            "instance.delete ok aud-1 aud-2 127.0.0.1 n1",
            "definition.import DEFINITION_INVALID aud-torn 127.0.0.1 n1",
            "log.level ok aud Debug 127.0.0.1 n1",
            "schedule.delete ok aud-s 127.0.0.1 n1",
            "definition.delete ok aud 127.0.0.1 n1");
  }

  /** Seven lines, three of one second. */
  private static void fillAuditLog() {
    var added =
        node.number(
            """
            with added as (
              insert into audit_log
                (at, action, outcome, subject, workflow_instance_id, actor, node)
              select timestamptz '2020-01-01T00:00:00.123456Z' + make_interval(secs => n / 3),
                     case when n < 4 then 'old.one' else 'old.two' end, 'ok',
                     case when n = 5 then 'inst-a inst-b' else 'n' || n end,
                     case when n = 2 then 'inst-b' end,
                     case n when 1 then 'claimed:kim (192.0.2.7)' when 2 then 'claimed:kim'
                            when 3 then 'claimed:kimberly (192.0.2.7)' else '192.0.2.7' end, 'n1'
                from generate_series(0, 6) n
              returning 1)
            select count(*) from added
            """);
    assertThat(added).isEqualTo(7);
  }

  private static final String OLD = "/audit?from=2019-12-31T00:00:00Z&to=2020-01-02T00:00:00Z";

  private static List<String> subjects(Map<String, @Nullable Object> page) {
    return items(page).stream().map(line -> String.valueOf(line.get("subject"))).toList();
  }

  @Test
  void the_audit_log_is_read_page_by_page_from_its_newest_line() throws Exception {
    fillAuditLog();
    var all = new ArrayList<Map<String, @Nullable Object>>();
    var page = json(get(OLD + "&take=2"));
    all.addAll(items(page));
    for (int pages = 1; page.get("next") != null && pages < 10; pages++) {
      assertThat(items(page)).hasSize(2);
      page = json(get(OLD + "&take=2&after=" + page.get("next")));
      all.addAll(items(page));
    }

    assertThat(all).hasSize(7).doesNotHaveDuplicates();
    assertThat(all.stream().map(line -> String.valueOf(line.get("at"))).toList())
        .isSortedAccordingTo(Comparator.reverseOrder());
    assertThat(all.getFirst())
        .containsExactlyInAnyOrderEntriesOf(
            json(
                "{'at':'2020-01-01T00:00:02.123456Z','action':'old.two','outcome':'ok',"
                    + "'subject':'n6','workflowInstanceId':null,'bookmarkId':null,"
                    + "'actor':'192.0.2.7','node':'n1'}"));
    assertThat(subjects(json(get(OLD + "&action=old.two"))))
        .containsExactlyInAnyOrder("n6", "inst-a inst-b", "n4");
    assertThat(subjects(json(get(OLD + "&actor=kim")))).containsExactlyInAnyOrder("n1", "n2");
    assertThat(subjects(json(get(OLD + "&actor=192.0.2.7")))).hasSize(4);
    assertThat(subjects(json(get(OLD + "&workflowInstanceId=inst-b"))))
        .containsExactly("inst-a inst-b", "n2");
    assertThat(subjects(json(get("/audit?to=2020-01-01T00:00:01Z")))).hasSize(3);
    assertThat(subjects(json(get("/audit?take=1")))).isNotEqualTo(List.of("n6"));
    for (var wrong : List.of("after=x", "after=x~1", "from=soon", "to=-0001-01-01T00:00:00Z")) {
      assertThat(get("/audit?" + wrong).statusCode()).as(wrong).isEqualTo(400);
    }
  }

  private static Map<String, @Nullable Object> json(String text) {
    return JsonText.parseObject(text.replace('\'', '"'), JsonLimits.DEFAULT);
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

    long total = (long) requireNonNull(page.get("totalCount"));
    var path = "/workflow-instances/" + id + "/journal?";
    var first = json(get(path + "after=0&take=" + (total - 1)));
    assertThat(items(first)).hasSize((int) total - 1);
    assertThat(first).containsEntry("next", total - 1);
    var rest = json(get(path + "after=" + first.get("next")));
    assertThat(items(rest)).hasSize(1);
    assertThat(rest).containsEntry("next", null);
    assertThat(get("/workflow-instances/" + id + "/journal?after=1&skip=1").statusCode())
        .isEqualTo(400);
    assertThat(get("/workflow-instances/nobody/journal?after=0").statusCode()).isEqualTo(404);
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
    assertThat(json(export)).containsKeys("WorkflowState", "Bookmarks", "exactState");
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
        .isEqualTo(journalOf(json(export)));
    assertThat(post("/workflow-instances/" + id + "/resume", "{}").statusCode()).isEqualTo(200);
    assertThat(json(get("/workflow-instances/" + id))).containsEntry("status", "Finished");
  }

  @Test
  void without_its_exact_state_an_export_is_the_same_instance() throws Exception {
    for (var definition : List.of("waits", "late")) {
      var id = started(definition);
      var export = new LinkedHashMap<>(json(get("/workflow-instances/" + id + "/export")));
      var before = json(get("/workflow-instances/" + id));
      var journal = items(json(get("/workflow-instances/" + id + "/journal")));
      export.remove("exactState");
      var path = "/bulk-actions/import/workflow-instances";
      assertThat(json(post(path, JsonText.print(export)))).containsEntry("code", "INSTANCE_EXISTS");
      send("DELETE", "/workflow-instances/" + id, "", null);

      var imported = post(path, JsonText.print(export));

      assertThat(json(imported)).containsEntry("imported", 1L);
      var after = json(get("/workflow-instances/" + id));
      assertThat(bookmarks(after)).isEqualTo(bookmarks(before));
      assertThat(items(json(get("/workflow-instances/" + id + "/journal")))).isEqualTo(journal);
      assertThat(post("/workflow-instances/" + id + "/resume", "{}").statusCode()).isEqualTo(200);
      assertThat(json(get("/workflow-instances/" + id))).containsEntry("status", "Finished");
    }
  }

  @Test
  void what_a_document_says_of_its_tenant_is_dropped() throws Exception {
    var owned = "\"tenantId\":\"acme\",";
    var text = definition("owned", "Elsa.Event", "\"eventName\":" + literal("go"));
    publish(text.replaceFirst("\\{", "{" + owned));
    var id = started("owned");
    var export = get("/workflow-instances/" + id + "/export").body();
    send("DELETE", "/workflow-instances/" + id, "", null);
    var file =
        export
            .replaceFirst("\\{", "{" + owned)
            .replaceFirst("(\"WorkflowState\":\\{)", "$1" + owned);
    assertThat(file.split("acme", -1)).hasSize(3);

    var imported = post("/bulk-actions/import/workflow-instances", file);

    assertThat(json(imported)).containsEntry("imported", 1L);
    for (var path :
        List.of(
            "/workflow-instances/" + id,
            "/workflow-instances/" + id + "/export",
            "/workflow-definitions/owned",
            "/workflow-definitions/owned/export")) {
      assertThat(get(path).body()).as(path).doesNotContain("acme");
    }
  }

  @Test
  void an_instance_that_elsa_exported_goes_on_here() throws Exception {
    publish(definition("packs", "Elsa.RunTask", "\"taskName\":" + literal("Pack")));
    var path = "/bulk-actions/import/workflow-instances";
    var task = ofElsa("0e5a", "packs", 1, "{\"taskId\":\"7e57\",\"taskName\":\"Pack\"}", "RunTask");
    var event = ofElsa("0e5b", "waits", 1, "{\"eventName\":\"go\"}", "Event");

    assertThat(json(post(path, task))).containsEntry("imported", 1L);
    assertThat(json(post(path, event))).containsEntry("imported", 1L);
    var again = post(path, event);
    var unknown = post(path, ofElsa("0e5c", "waits", 77, "{\"eventName\":\"go\"}", "Event"));
    var other = post(path, ofElsa("0e5d", "waits", 1, "{}", "Event"));
    var completed = post("/tasks/7e57/complete", "{\"result\":1}");
    var triggered = post("/events/go/trigger", "{\"workflowInstanceId\":\"0e5b\"}");

    assertThat(json(again)).containsEntry("code", "INSTANCE_EXISTS");
    assertThat(json(unknown)).containsEntry("code", "DEFINITION_NOT_FOUND");
    assertThat(json(other)).containsEntry("code", "INVALID_REQUEST");
    assertThat(String.valueOf(json(other).get("errors"))).contains("payload.eventName");
    assertThat(get("/workflow-instances/0e5d").statusCode()).isEqualTo(404);
    assertThat(completed.statusCode()).isEqualTo(200);
    assertThat(triggered.statusCode()).isEqualTo(200);
    eventually(() -> isFinished("0e5a"));
    eventually(() -> isFinished("0e5b"));
  }

  private static boolean isFinished(String id) throws Exception {
    return "Finished".equals(json(get("/workflow-instances/" + id)).get("status"));
  }

  /** One that waits in the sequence of its definition, as Elsa's serializer writes it. */
  private static String ofElsa(
      String id, String definition, int version, String payload, String type) {
    return """
    {"WorkflowState":{"$id":"1","id":"%1$s","definitionId":"%2$s","definitionVersionId":"of-elsa",
     "definitionVersion":%3$d,"status":"Running","subStatus":"Suspended",
     "bookmarks":{"$id":"2","$values":[{"$id":"3","id":"b","name":"Elsa.%5$s","hash":"H",
      "payload":%4$s,"activityId":"A","activityNodeId":"Workflow1:S:A","activityInstanceId":"c",
      "createdAt":"2026-03-01T10:00:00+00:00"}]},
     "activityExecutionContexts":{"$id":"4","$values":[
      {"$id":"5","id":"c","parentContextId":"s","scheduledActivityNodeId":"Workflow1:S:A",
       "status":"Running","startedAt":"2026-03-01T10:00:00+00:00"},
      {"$id":"7","id":"s","parentContextId":"w","scheduledActivityNodeId":"Workflow1:S",
       "properties":{"CurrentIndex":1},
       "status":"Running","startedAt":"2026-03-01T10:00:00+00:00"},
      {"$id":"6","id":"w","scheduledActivityNodeId":"Workflow1",
       "status":"Running","startedAt":"2026-03-01T10:00:00+00:00"}]},
     "createdAt":"2026-03-01T10:00:00+00:00"}}
    """
        .formatted(id, definition, version, payload, type);
  }

  /** Without what the log of a file says of the definition in each of its entries. */
  private static List<Object> journalOf(Map<String, @Nullable Object> export) {
    var entries = new ArrayList<Object>();
    for (var record : requireNonNull((List<?>) export.get("WorkflowExecutionLogRecords"))) {
      var entry = new LinkedHashMap<Object, Object>((Map<?, ?>) record);
      assertThat(entry).containsEntry("workflowDefinitionId", "waits");
      entry
          .keySet()
          .removeAll(
              List.of("workflowDefinitionId", "workflowDefinitionVersionId", "workflowVersion"));
      entries.add(entry);
    }
    return entries;
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
  void one_file_that_cannot_be_read_does_not_keep_the_others_out() throws Exception {
    var good = ofElsa("0e60", "waits", 1, "{\"eventName\":\"go\"}", "Event");
    var version = ofElsa("0e61", "waits", 1, "{\"eventName\":\"go\"}", "Event");
    var cycle = ofElsa("0e62", "waits", 1, "{\"eventName\":\"go\"}", "Event");
    var bytes = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(bytes)) {
      for (var file :
          List.of(
              version.replace("\"definitionVersion\":1", "\"definitionVersion\":4294967297"),
              cycle.replace("\"parentContextId\":\"w\"", "\"parentContextId\":\"c\""),
              "{\"exactState\":\"AAAA\"}",
              good)) {
        zip.putNextEntry(new ZipEntry(file.hashCode() + ".json"));
        zip.write(file.getBytes(StandardCharsets.UTF_8));
      }
    }

    var imported =
        upload("/bulk-actions/import/workflow-instances", "all.zip", bytes.toByteArray());

    assertThat(json(imported)).containsEntry("imported", 1L);
    assertThat((List<?>) json(imported).get("failed"))
        .hasSize(3)
        .asString()
        .contains("definitionVersion", "parentContextId", "INVALID_REQUEST");
    assertThat(get("/workflow-instances/0e60").statusCode()).isEqualTo(200);
    assertThat(get("/workflow-instances/0e62").statusCode()).isEqualTo(404);
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
  void one_definition_is_exported_in_bulk_as_an_archive_too() throws Exception {
    publish(definition("alone", "Elsa.Start", "\"version\":1"));
    var path = "/bulk-actions/export/workflow-definitions";
    var id = json(get("/workflow-definitions/alone")).get("id");

    var files = entries(bytes("POST", path, "{\"ids\":[\"" + id + "\"]}"));

    assertThat(files.keySet()).containsExactly("alone-" + id + ".json");
    assertThat(post(path, "{\"ids\":[\"nobody\"]}").statusCode()).isEqualTo(204);
  }

  @Test
  void a_definition_is_exported_with_those_that_use_it() throws Exception {
    save("part", "Part", "Elsa.Start");
    save("whole", "Whole", "Part");
    save("house", "House", "Whole");
    var id = json(get("/workflow-definitions/part")).get("id");

    var one =
        entries(
            bytes("GET", "/workflow-definitions/part/export?includeConsumingWorkflows=true", ""));
    var many =
        entries(
            bytes(
                "POST",
                "/bulk-actions/export/workflow-definitions",
                "{\"ids\":[\"" + id + "\"],\"includeConsumingWorkflows\":true}"));

    assertThat(one.keySet())
        .extracting(name -> name.substring(0, name.indexOf('-')))
        .containsExactly("part", "house", "whole");
    assertThat(many).isEqualTo(one);
    assertThat(json(get("/workflow-definitions/part/export"))).containsEntry("id", id);
  }

  @Test
  void instances_of_a_definition_are_cancelled_for_the_versions_that_are_named() throws Exception {
    publish(definition("ended", "Elsa.Event", "\"eventName\":" + literal("go")));
    started("ended");
    var path = "/bulk-actions/cancel/workflow-instances";

    var refused = post(path, "{\"definitionId\":\"ended\"}");
    var done = post(path, "{\"definitionId\":\"ended\",\"versionOptions\":\"AllVersions\"}");

    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(String.valueOf(json(refused).get("errors"))).contains("versionOptions is missing");
    assertThat(json(done)).containsEntry("cancelled", 1L);
  }

  @Test
  void query_parameters_without_effect_are_named() throws Exception {
    var path = "/workflow-instances?definitonId=waits&pageSize=1&a%0Ab=1";

    assertThat(get(path).headers().firstValue(Routes.IGNORED_HEADER))
        .hasValue("a%0Ab, definitonId");
    assertThat(get("/workflow-instances?DefinitionId=waits&page=0").headers().map())
        .doesNotContainKey(Routes.IGNORED_HEADER);
    assertThat(get("/workflow-instances?definitionId=waits&pageSize=x").statusCode())
        .isEqualTo(400);
  }

  @Test
  void executing_says_whether_anything_was_started() throws Exception {
    publish(
        definition("single", "Elsa.Event", "\"eventName\":" + literal("go"))
            .replace(
                "\"root\"",
                "\"options\":{\"activationStrategyType\":\"Elsa.Workflows.Runtime.ActivationValidators.SingletonStrategy, Elsa.Workflows.Runtime\"},\"root\""));

    var first = post("/workflow-definitions/single/execute", "{}");
    var second = post("/workflow-definitions/single/execute", "{}");

    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(first.headers().firstValue("x-elsa-workflow-cannot-start")).hasValue("False");
    assertThat(first.headers().firstValue("x-elsa-response")).hasValue("true");
    assertThat(state(first)).containsEntry("subStatus", "Suspended");
    assertThat(second.statusCode()).isEqualTo(200);
    assertThat(second.headers().firstValue("x-elsa-workflow-cannot-start")).hasValue("True");
    assertThat(second.headers().map())
        .doesNotContainKeys("x-elsa-workflow-instance-id", "x-elsa-response");
    assertThat(second.body()).isEmpty();
    assertThat(post("/workflow-definitions/single/dispatch", "{}").statusCode()).isEqualTo(409);
  }

  @Test
  void executing_gives_variables_their_first_values() throws Exception {
    publish(
        """
        {"definitionId":"given","outputs":[{"name":"Told","type":"String"}],
         "variables":[{"id":"n","name":"Number","typeName":"Int32",
           "value":1},{"id":"t","name":"Text","typeName":"String"}],
         "root":{"id":"O","type":"Elsa.SetOutput","outputName":%s,
           "outputValue":{"typeName":"Object","expression":{"type":"JavaScript",
             "value":"`${getVariable('Number')} ${getVariable('Text')} ${getVariable('Extra')}`"}}}}
        """
            .formatted(literal("Told")));
    var path = "/workflow-definitions/given/execute";

    var told = post(path, "{\"variables\":{\"Number\":\"7\",\"Text\":\"a\",\"Extra\":true}}");
    var byQuery = get(path + "?variables=%7B%22Text%22%3A%22b%22%7D");
    var wrong = post(path, "{\"variables\":{\"Number\":\"many\"}}");

    assertThat(state(told).get("output")).isEqualTo(Map.of("Told", "7 a true"));
    assertThat(String.valueOf(state(byQuery).get("output"))).contains("1 b ");
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(wrong.body()).contains("Variable Number is not a Int32");
  }

  @Test
  void refreshing_evaluates_triggers_again() throws Exception {
    publish(
        """
        {"definitionId":"renewed","root":{"id":"S","type":"Elsa.Sequence","activities":[
          {"id":"E","type":"Elsa.Event","customProperties":{"canStartWorkflow":true},
           "eventName":%s}]}}
        """
            .formatted(literal("renew")));
    var path = "/actions/workflow-definitions/refresh";

    var named = json(post(path, "{\"definitionIds\":[\"renewed\",\"nobody\",\"renewed\"]}"));

    assertThat(named)
        .containsEntry("refreshed", List.of("renewed"))
        .containsEntry("notFound", List.of("nobody"))
        .containsEntry("failed", List.of());
    assertThat(post("/events/renew/trigger", "{}").statusCode()).isEqualTo(200);
    assertThat(get("/workflow-instances?definitionId=renewed").body())
        .contains("\"totalCount\":1", "\"storedStatus\":\"Completed\"");
    var all = json(post(path, ""));
    assertThat(all.get("refreshed")).asInstanceOf(LIST).contains("renewed", "waits", "late");
    assertThat(json(get("/workflow-definitions/renewed"))).containsEntry("version", 1L);
  }

  @Test
  void an_event_for_one_activity_resumes_no_other() throws Exception {
    var wait = "{\"id\":\"%s\",\"type\":\"Elsa.Event\",\"eventName\":" + literal("either") + "}";
    publish(
        "{\"definitionId\":\"two-waits\",\"root\":{\"id\":\"F\",\"type\":\"Elsa.Fork\",\"branches\":["
            + wait.formatted("A")
            + ","
            + wait.formatted("B")
            + "]}}");
    var id = started("two-waits");
    started("two-waits");
    var path = "/events/either/trigger";
    var second =
        items(json(get("/activity-executions/list?workflowInstanceId=" + id))).stream()
            .filter(record -> "B".equals(record.get("activityId")))
            .map(record -> String.valueOf(record.get("id")))
            .findFirst()
            .orElseThrow();
    var one = "{\"workflowExecutionMode\":\"Synchronous\",\"activityInstanceId\":\"%s\"%s}";

    assertThat(
            post(path, one.formatted(second, ",\"workflowInstanceId\":\"another\"")).statusCode())
        .isEqualTo(400);
    assertThat(json(post(path, one.formatted("gone-a1", "")))).containsEntry("resumed", 0L);
    assertThat(json(post(path, one.formatted(second, ""))))
        .containsEntry("resumed", 1L)
        .containsEntry("workflowInstanceIds", List.of(id));
    assertThat(json(post(path, one.formatted(second, "")))).containsEntry("resumed", 0L);
    assertThat(json(post(path, "{\"workflowExecutionMode\":\"Synchronous\"}")))
        .containsEntry("resumed", 3L);
  }

  @Test
  void reloading_reads_the_source_of_definitions_again() throws Exception {
    publish(definition("sourced", "Elsa.Start", "\"version\":1"));
    send("DELETE", "/workflow-definitions/sourced", "", null);

    var reloaded = json(post("/actions/workflow-definitions/reload", ""));

    assertThat(reloaded).containsEntry("published", List.of("sourced"));
    assertThat(String.valueOf(reloaded.get("refused"))).contains("file=broken.json", "no root");
    assertThat(json(get("/workflow-definitions/sourced"))).containsEntry("isPublished", true);
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
  void of_many_instances_one_request_takes_so_many_and_says_how_many_remain() throws Exception {
    publish(definition("crowd", "Elsa.Event", "\"eventName\":" + literal("go")));
    var ids = new ArrayList<String>();
    for (int i = 0; i < 5; i++) {
      ids.add(started("crowd"));
    }
    var narrow =
        new HttpVerticle(
            dependencies(), options().with(HttpOptions.Api.DEFAULT.withBulkInstancesMax(2)));
    var deployment = node.vertx.deployVerticle(narrow).await();
    var cancel = "{\"definitionId\":\"crowd\",\"versionOptions\":\"AllVersions\"}";
    var delete = "{\"workflowDefinitionId\":\"crowd\"}";

    assertThat(bulk(narrow, "cancel", cancel)).isEqualTo(Map.of("cancelled", 2L, "remaining", 3L));
    assertThat(status(ids.get(1))).isEqualTo("Finished");
    assertThat(status(ids.get(2))).isEqualTo("Running");
    assertThat(bulk(narrow, "delete", JsonText.print(Map.of("ids", ids))))
        .containsEntry("code", "TOO_LARGE");
    for (long remaining : List.of(3L, 1L)) {
      assertThat(bulk(narrow, "delete", delete))
          .isEqualTo(Map.of("deleted", 2L, "remaining", remaining));
    }
    assertThat(status(ids.get(4))).isEqualTo("Running");
    assertThat(bulk(narrow, "delete", delete)).isEqualTo(Map.of("deleted", 1L, "remaining", 0L));
    node.vertx.undeploy(deployment).await();
  }

  private static Map<String, @Nullable Object> bulk(HttpVerticle at, String action, String body)
      throws Exception {
    var path = Routes.API + "/bulk-actions/" + action + "/workflow-instances";
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + at.port() + path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    return json(CLIENT.send(request, BodyHandlers.ofString()));
  }

  private static String status(String instanceId) throws Exception {
    return String.valueOf(json(get("/workflow-instances/" + instanceId)).get("status"));
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
    publish(model); // As its provider may.
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
    assertThat(array(get(path + "/versions"))).extracting("version").containsExactly(2L, 1L);
    assertThat(started("sealed")).isNotEqualTo("null");
    assertThat(json(send("DELETE", path, "", null))).containsEntry("deletedInstances", 1L);
    assertThat(post("/workflow-definitions", model).statusCode()).isEqualTo(200);
  }

  @Test
  void a_definition_goes_with_its_instances() throws Exception {
    publish(definition("doomed", "Elsa.Event", "\"eventName\":" + literal("go")));
    publish(
        definition(
            "mourner",
            "Elsa.ExecuteWorkflow",
            "\"workflowDefinitionId\":"
                + literal("doomed")
                + ",\"waitForCompletion\":{\"typeName\":\"Boolean\","
                + "\"expression\":{\"type\":\"Literal\",\"value\":true}}"));
    var waiting = started("doomed");
    started("doomed");
    var parent = started("mourner");
    var all = "/workflow-instances?definitionId=doomed";
    eventually(() -> Long.valueOf(3).equals(json(get(all)).get("totalCount")));

    var deleted = send("DELETE", "/workflow-definitions/doomed", "", null);

    assertThat(deleted.statusCode()).isEqualTo(200);
    assertThat(json(deleted))
        .containsEntry("deletedInstances", 3L)
        .containsEntry("cancelledInstances", 3L);
    eventually(() -> "Finished".equals(json(get("/workflow-instances/" + parent)).get("status")));
    assertThat(get("/workflow-instances/" + waiting).statusCode()).isEqualTo(404);
    assertThat(get("/workflow-definitions/doomed").statusCode()).isEqualTo(404);
    assertThat(send("DELETE", "/workflow-definitions/doomed", "", null).statusCode())
        .isEqualTo(404);
  }

  @Test
  void a_version_in_use_is_deleted_only_by_force() throws Exception {
    var model = definition("worn", "Elsa.Event", "\"eventName\":" + literal("go"));
    publish(model);
    var old = started("worn");
    started("worn");
    publish(model);
    var current = started("worn");
    var path = "/workflow-definitions/worn/version/1";

    var refused = send("DELETE", path, "", null);

    assertThat(refused.statusCode()).isEqualTo(409);
    assertThat(json(refused)).containsEntry("code", "DEFINITION_IN_USE");
    assertThat(refused.body()).contains("2 instances");
    assertThat(get("/workflow-instances/" + old).statusCode()).isEqualTo(200);

    assertThat(json(send("DELETE", path + "?force=true", "", null)))
        .containsEntry("deletedInstances", 2L)
        .containsEntry("cancelledInstances", 2L);
    assertThat(get("/workflow-instances/" + old).statusCode()).isEqualTo(404);
    assertThat(get("/workflow-instances/" + current).statusCode()).isEqualTo(200);
    assertThat(array(get("/workflow-definitions/worn/versions")))
        .extracting("version")
        .containsExactly(2L);

    var bulk = "/bulk-actions/delete/workflow-definitions/by-definition-id";
    assertThat(json(post(bulk, "{\"definitionIds\":[\"worn\",\"nobody\"]}")))
        .containsEntry("deleted", 1L)
        .containsEntry("deletedInstances", 1L)
        .containsEntry("cancelledInstances", 1L);
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

  private static void eventually(Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!condition.call()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(end);
      node.vertx.timer(50).await();
    }
  }

  private static String literal(String value) {
    return "{\"typeName\":\"String\",\"expression\":{\"type\":\"Literal\",\"value\":\""
        + value
        + "\"}}";
  }

  /** As a folder would be read. */
  private static Future<DefinitionSource.Reloaded> reload() {
    var json = definition("sourced", "Elsa.Start", "\"version\":1");
    return node.definitions
        .saveAndPublish(JsonText.parseObject(json, JsonLimits.DEFAULT), null)
        .map(done ->
            new DefinitionSource.Reloaded(
                List.of(done.definition().ref().definitionId()),
                Map.of("broken.json", List.of("no root"))));
  }

  private static byte[] bytes(String method, String path, String body) throws Exception {
    return CLIENT.send(request(method, path, body, null), BodyHandlers.ofByteArray()).body();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, @Nullable Object> state(HttpResponse<String> executed) {
    var state = json(executed).get("workflowState");
    assertThat(state).as(executed.body()).isInstanceOf(Map.class);
    return (Map<String, @Nullable Object>) state;
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
    return CheckedAnswers.of(CLIENT.send(request.build(), BodyHandlers.ofString()));
  }

  private static HttpResponse<String> send(
      String method, String path, String body, @Nullable String type)
      throws IOException, InterruptedException {
    return CheckedAnswers.of(
        CLIENT.send(request(method, path, body, type), BodyHandlers.ofString()));
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

  @SuppressWarnings("unchecked")
  private static List<Map<String, @Nullable Object>> array(HttpResponse<String> response) {
    var array = JsonText.parse(response.body(), JsonLimits.STORED);
    assertThat(array).isInstanceOf(List.class);
    return (List<Map<String, @Nullable Object>>) array;
  }

  private static Map<String, @Nullable Object> json(HttpResponse<String> response) {
    return JsonText.parseObject(response.body(), JsonLimits.STORED);
  }
}
