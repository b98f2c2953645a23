package skein.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import skein.activities.Json;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.openapi.CheckedAnswers;

/** What programs written for Elsa say and expect, where it is not what a reader of ours would. */
class ElsaClientsIT {
  private static final JsonLimits ANY = JsonLimits.STORED;

  private static HttpNode server;

  @BeforeAll
  static void start() throws Exception {
    server = new HttpNode(LiveOptions.DEFAULT);
    for (var id : List.of("b-first", "a-second")) {
      publish(id, "Elsa.Event", "'eventName':'go-" + id + "'");
    }
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void alterations_are_for_those_alone_that_every_part_of_the_filter_selects() throws Exception {
    publish("filtered", "Elsa.Event", "'eventName':'go-filtered'");
    var id = started("filtered");
    var of = "'definitionIds':['filtered']";

    assertThat(selected("{" + of + "}")).containsExactly(id);
    assertThat(selected("{" + of + "," + created("GreaterThan") + "}")).containsExactly(id);
    assertThat(selected("{" + of + "," + created("LessThan") + "}")).isEmpty();
    assertThat(selected("{" + of + ",'statuses':['Running'],'subStatuses':['Finished']}"))
        .isEmpty();
    assertThat(selected("{" + of + ",'isSystem':true}")).isEmpty();
    assertThat(selected("{" + of + ",'isSystem':false,'names':null,'activityFilters':[]}"))
        .containsExactly(id);
    assertThat(selected("{" + created("LessThan") + "}")).isEmpty();
  }

  @Test
  void a_part_of_a_filter_that_nobody_reads_is_refused() throws Exception {
    var id = started("b-first");
    var of = "{'workflowInstanceIds':['" + id + "'],";

    for (var more : List.of("'activityFilters':[{'activityId':'A'}]", "'definitionNames':['x']")) {
      for (var path : List.of("dry-run", "submit")) {
        var filter = "'filter':" + of + more + "}";
        var answer =
            server.post(
                "/alterations/" + path, "{'alterations':[{'type':'Cancel'}]," + filter + "}");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains(more.substring(1, more.indexOf(':') - 1));
      }
    }
  }

  @Test
  void times_and_versions_descend_and_names_ascend_unless_it_is_said() throws Exception {
    publish("a-second", "Elsa.Event", "'eventName':'again'");
    var one = started("b-first", "'name':'one'");
    var two = started("b-first", "'name':'two'");

    var published = "/workflow-definitions?versionOptions=Published&orderBy=";
    assertThat(column(published + "Created", "definitionId"))
        .containsSubsequence("a-second", "b-first");
    assertThat(column(published + "Version", "definitionId"))
        .containsSubsequence("a-second", "b-first");
    assertThat(column(published + "Name", "definitionId"))
        .containsSubsequence("a-second", "b-first");
    assertThat(column(published + "Name&orderDirection=Descending", "definitionId"))
        .containsSubsequence("b-first", "a-second");
    assertThat(column("/workflow-instances?orderBy=Name", "id")).containsSubsequence(one, two);
    assertThat(column("/workflow-instances?orderBy=Created", "id")).containsSubsequence(two, one);
  }

  @Test
  void what_became_of_several_definitions_has_the_shape_that_clients_read() throws Exception {
    save("fine", "Elsa.Start", "'version':1", false);
    save("doubtful", "Acme.Dance", "'version':1", false);
    save("broken", "Elsa.Event", "'eventName':{'expression':{'type':'CSharp','value':'1'}}", false);

    var published =
        json(
            post(
                "/bulk-actions/publish/workflow-definitions/by-definition-ids",
                "{'definitionIds':['fine','doubtful','broken','nowhere']}"));
    var retracted =
        json(
            post(
                "/bulk-actions/retract/workflow-definitions/by-definition-ids",
                "{'definitionIds':['fine','broken','nowhere']}"));

    assertThat(published)
        .containsEntry("published", List.of("fine", "doubtful"))
        .containsEntry("failed", List.of("broken"))
        .containsEntry("notFound", List.of("nowhere"));
    assertThat(Json.object(published.get("warnings"))).containsOnlyKeys("doubtful", "broken");
    assertThat(retracted)
        .containsEntry("retracted", List.of("fine"))
        .containsEntry("alreadyRetracted", List.of("broken"))
        .containsEntry("notPublished", List.of("broken"))
        .containsEntry("notFound", List.of("nowhere"));
  }

  @Test
  void a_definition_is_imported_counted_reverted_and_deleted_by_version() throws Exception {
    var model = "{'name':'%s','root':{'type':'Elsa.Start','id':'A'}}";
    long before = count();
    post("/workflow-definitions/taken/import", model.formatted("first"));
    post("/workflow-definitions/taken/publish", "{}");
    var second = json(send("PUT", "/workflow-definitions/taken/import", model.formatted("second")));
    var made = json(send("PUT", "/workflow-definitions/import", model.formatted("third")));

    assertThat(count()).isEqualTo(before + 2);
    assertThat(json(get("/workflow-definitions/by-id/" + second.get("id"))))
        .containsEntry("name", "second")
        .containsEntry("version", 2L)
        .containsEntry("isPublished", false);
    assertThat(json(post("/workflow-definitions/taken/revert/1", "{}")))
        .containsEntry("name", "first")
        .containsEntry("isPublished", false);
    var versions = JsonText.parse(get("/workflow-definitions/taken/versions").body(), ANY);
    assertThat(versions).asInstanceOf(LIST).hasSizeGreaterThan(1);
    assertThat(send("DELETE", "/workflow-definition-versions/" + made.get("id"), "").statusCode())
        .isEqualTo(204);
    assertThat(
            json(
                post(
                    "/bulk-actions/delete/workflow-definitions/by-id",
                    "{'ids':['" + second.get("id") + "','nothing']}")))
        .containsEntry("deleted", 1L);
    assertThat(server.get(server.api("/workflow-definitions/by-id/" + made.get("id"))).statusCode())
        .isEqualTo(404);
  }

  @Test
  void what_an_activity_did_is_found_by_the_id_of_its_execution() throws Exception {
    var instance = started("b-first");
    var list = "/activity-executions/list?workflowInstanceId=" + instance;
    var executions = column(list, "id");
    var id = executions.getLast();

    assertThat(executions).hasSizeGreaterThan(1);
    assertThat(json(get("/activity-executions/" + id))).containsEntry("id", id);
    assertThat(json(get("/activity-executions/by-id?id=" + id)))
        .containsEntry("id", id)
        .containsEntry("workflowInstanceId", instance);
    assertThat(json(get("/activity-executions/" + id + "/call-stack")))
        .containsEntry("activityExecutionId", id)
        .containsEntry("totalCount", (long) executions.size());
    assertThat(json(get("/workflow-instances/" + instance + "/execution-state")))
        .containsEntry("status", "Running")
        .containsEntry("subStatus", "Suspended")
        .containsKey("updatedAt");
    assertThat(
            json(
                post(
                    "/bulk-actions/delete/workflow-instances/by-id",
                    "{'ids':['" + instance + "']}")))
        .containsEntry("deleted", 1L);
  }

  /** Elsa's clients ask which features there are, and take 404 for one that is off. */
  @Test
  void routes_of_features_that_are_off_are_not_found() throws Exception {
    var features = get("/features/installed").body();
    int asked = 0;
    for (var route : ElsaRoutes.all()) {
      if (route.here() instanceof ElsaRoutes.Here.Off) {
        asked++;
        var path = route.path().replaceAll("\\{[^}]+}", "none");
        var answer = server.send(route.method(), path, route.method().equals("GET") ? "" : "{}");

        assertThat(answer.statusCode()).as("%s", route).isIn(404, 405);
        assertThat(features).doesNotContain("\"" + route.module() + "\"");
      }
    }
    assertThat(asked).isGreaterThan(50);
  }

  private static long count() throws Exception {
    return json(get("/workflow-definitions/query/count")).get("count") instanceof Long count
        ? count
        : -1;
  }

  private static String created(String operator) {
    return "'timestampFilters':[{'column':'CreatedAt','operator':'"
        + operator
        + "','timestamp':'2020-01-01T00:00:00Z'}]";
  }

  private static List<Object> selected(String filter) throws Exception {
    var found = json(post("/alterations/dry-run", filter)).get("workflowInstanceIds");
    return found instanceof List<?> ids ? List.copyOf(ids) : List.of("no list: " + found);
  }

  private static List<String> column(String path, String name) throws Exception {
    var items = json(CheckedAnswers.of(server.get(server.api(path)))).get("items");
    assertThat(items).isInstanceOf(List.class);
    var found = new ArrayList<String>();
    if (items instanceof List<?> list) {
      for (var item : list) {
        found.add(item instanceof Map<?, ?> members ? String.valueOf(members.get(name)) : "");
      }
    }
    return found;
  }

  private static String started(String definitionId, String... members) throws Exception {
    var body = "{'definitionId':'" + definitionId + "'";
    for (var member : members) {
      body += "," + member;
    }
    var answer = server.post("/workflow-instances", body + "}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return String.valueOf(json(answer).get("id"));
  }

  private static void publish(String definitionId, String type, String member) throws Exception {
    save(definitionId, type, member, true);
  }

  private static void save(String definitionId, String type, String member, boolean publish)
      throws Exception {
    post(
        "/workflow-definitions",
        "{'publish':%s,'model':{'definitionId':'%s','name':'%s','root':{'id':'S',"
                .formatted(publish, definitionId, definitionId)
            + "'type':'Elsa.Sequence','activities':[{'id':'A','type':'%s',%s}]}}}"
                .formatted(type, member));
  }

  private static HttpResponse<String> get(String path) throws Exception {
    return send("GET", path, "");
  }

  private static HttpResponse<String> send(String method, String path, String body)
      throws Exception {
    var answer = CheckedAnswers.of(server.send(method, path, body));
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 204);
    return answer;
  }

  private static HttpResponse<String> post(String path, String body) throws Exception {
    var answer = CheckedAnswers.of(server.post(path, body));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer;
  }

  private static Map<String, @Nullable Object> json(HttpResponse<String> answer) {
    return JsonText.parseObject(answer.body(), ANY);
  }
}
