package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import skein.cluster.Readiness;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.execution.OneNode;
import skein.openapi.DocumentedAnswers;

/** A server answers as its OpenAPI document says, whatever is asked of it. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DescribedAnswersIT {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final String API = "/elsa/api";

  /** The operations that most callers use; each is done here at least once. */
  private static final List<String> MAIN =
      List.of(
          "saveDefinition",
          "publishDefinition",
          "listDefinitions",
          "getDefinition",
          "executeDefinition",
          "dispatchDefinition",
          "listInstances",
          "listOrStartInstances",
          "getInstance",
          "getJournal",
          "listActivityExecutions",
          "resumeInstance",
          "cancelInstance",
          "retryInstance",
          "createResumeToken",
          "resumeByToken",
          "publishEvent",
          "listUserTasks",
          "claimUserTask",
          "completeUserTask",
          "listTimers",
          "getTimer",
          "getScheduler",
          "createSchedule",
          "listSchedules",
          "listOccurrences",
          "deleteSchedule",
          "runAlterations",
          "submitAlterations",
          "getAlterationPlan",
          "listAuditLines",
          "getLiveness",
          "getReadiness",
          "getIndex");

  private static final String DRAIN = "/force-drain";

  private static OneNode node;
  private static HttpVerticle verticle;
  private static DocumentedAnswers documented;
  private static Map<?, ?> document;

  @BeforeAll
  static void start() throws Exception {
    node = new OneNode();
    var readiness = new Readiness();
    verticle = new HttpVerticle(HttpFixture.dependencies(node, readiness), HttpFixture.options());
    node.vertx.deployVerticle(verticle).await();
    readiness.advanceTo(Readiness.Phase.READY);
    var text = send("GET", "/openapi.json", null).body();
    documented = new DocumentedAnswers(text);
    document = JsonText.parseObject(text, JsonLimits.STORED);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  /**
   * With ids of nothing, and without what it needs: most refuse, in the way they say. Last comes
   * what lets the node begin nothing any more.
   */
  @Test
  @Order(2)
  void every_operation_answers_as_it_is_described() throws Exception {
    var violations = new ArrayList<String>();
    int asked = 0;
    var paths = new ArrayList<>(object(document.get("paths")).entrySet());
    paths.sort(Comparator.comparing(path -> String.valueOf(path.getKey()).endsWith(DRAIN)));
    for (var path : paths) {
      var plain =
          String.valueOf(path.getKey()).replace("{version}", "1").replaceAll("\\{[^}]+}", "x-1");
      for (var method : object(path.getValue()).keySet()) {
        asked++;
        var name = String.valueOf(method).toUpperCase(Locale.ROOT);
        var answer = send(name, plain, name.equals("GET") || name.equals("DELETE") ? null : "{}");
        violations.addAll(violations(name, plain, answer));
      }
    }

    assertThat(violations).isEmpty();
    assertThat(asked).isGreaterThan(150);
    assertThat(documented.checked().keySet()).containsAll(DocumentedAnswers.operations(document));
  }

  @Test
  @Order(1)
  void what_most_callers_do_is_answered_as_it_is_described() throws Exception {
    ok(
        "POST",
        "/workflow-definitions",
        definition("waits", "{'type':'Elsa.Event','id':'E','eventName':'go'}"));
    ok("POST", "/workflow-definitions/waits/publish", "{}");
    ok(
        "POST",
        "/workflow-definitions",
        "{'model':"
            + definition(
                "task", "{'type':'Skein.UserTask','id':'T','title':'Look','groups':['all']}")
            + ",'publish':true}");
    ok(
        "POST",
        "/workflow-definitions",
        "{'model':"
            + definition("late", "{'type':'Elsa.Delay','id':'D','timeSpan':'01:00:00'}")
            + ",'publish':true}");
    ok(
        "POST",
        "/workflow-definitions",
        "{'model':"
            + definition("fails", "{'type':'Elsa.Fault','id':'F','message':'no'}")
            + ",'publish':true}");
    ok("GET", "/workflow-definitions?searchTerm=wa", null);
    ok("GET", "/workflow-definitions/waits", null);

    var executed = ok("POST", "/workflow-definitions/waits/execute", "{'correlationId':'c1'}");
    var first = executed.headers().firstValue("x-elsa-workflow-instance-id").orElseThrow();
    ok("GET", "/workflow-instances?status=Running", null);
    var state = object(json(ok("GET", "/workflow-instances/" + first, null)).get("workflowState"));
    var bookmark = first(state, "bookmarks").get("id");
    ok("POST", "/workflow-instances/" + first + "/resume", "{'bookmarkId':'" + bookmark + "'}");
    ok("GET", "/workflow-instances/" + first + "/journal", null);
    ok("GET", "/workflow-instances/" + first + "/journal?after=0&take=2", null);
    ok("GET", "/activity-executions/list?workflowInstanceId=" + first, null);

    var second = started("waits");
    ok("POST", "/workflow-instances/" + second + "/cancel", null);
    var third = started("waits");
    var waiting = json(ok("GET", "/workflow-instances/" + third, null)).get("workflowState");
    var its = first(object(waiting), "bookmarks").get("id");
    var token =
        json(
            ok(
                "POST",
                "/workflow-instances/" + third + "/bookmarks/" + its + "/tokens",
                "{'expiresIn':60}"));
    checked("POST", URI.create(String.valueOf(token.get("url"))).getPath(), "{}", 200);
    checked("POST", URI.create(String.valueOf(token.get("url"))).getPath(), "{}", 410);
    started("waits");
    ok("POST", "/events/go/trigger", "{'input':{'a':1},'workflowExecutionMode':'Synchronous'}");

    started("task");
    var tasks = json(ok("GET", "/user-tasks?groups=all", null));
    var task = first(tasks, "items").get("taskId");
    ok("POST", "/user-tasks/" + task + "/claim", "{'user':'ann','groups':['all']}");
    ok("POST", "/user-tasks/" + task + "/complete", "{'user':'ann','groups':['all'],'result':{}}");

    var late =
        json(ok("POST", "/workflow-definitions/late/dispatch", "{}")).get("workflowInstanceId");
    var timer = awaitTimer(String.valueOf(late));
    ok("GET", "/timers/" + timer, null);
    ok("GET", "/scheduler", null);
    ok("POST", "/schedules", "{'id':'s1','definitionId':'late','cron':'0 0 3 * * ?'}");
    ok("GET", "/schedules", null);
    ok("GET", "/schedules/s1/next?count=3", null);
    ok("DELETE", "/schedules/s1", null);

    checked("POST", API + "/workflow-definitions/fails/execute", "{}", 500);
    var failed =
        first(json(ok("GET", "/workflow-instances?subStatus=Faulted", null)), "items").get("id");
    checked("POST", API + "/workflow-instances/" + failed + "/retry", "{}", 200);
    ok(
        "POST",
        "/alterations/run",
        "{'alterations':[{'type':'Cancel'}],'workflowInstanceIds':['" + late + "']}");
    var plan =
        json(ok(
                "POST",
                "/alterations/submit",
                "{'alterations':[{'type':'Cancel'}],'filter':{'workflowInstanceIds':['"
                    + late
                    + "']}}"))
            .get("planId");
    ok("GET", "/alterations/" + plan, null);
    ok("GET", "/audit", null);
    checked("GET", "/health/live", null, 200);
    checked("GET", "/health/ready", null, 200);
    checked("GET", "/", null, 200);

    assertThat(documented.checked()).containsKeys(MAIN.toArray(String[]::new));
  }

  private static String started(String definitionId) throws Exception {
    return String.valueOf(
        json(checked(
                "POST",
                API + "/workflow-instances",
                "{'definitionId':'" + definitionId + "'}",
                201))
            .get("id"));
  }

  private static String awaitTimer(String instanceId) throws Exception {
    var end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (System.nanoTime() < end) {
      var found = json(ok("GET", "/timers?kinds=Bookmark&workflowInstanceId=" + instanceId, null));
      if (found.get("items") instanceof List<?> items && !items.isEmpty()) {
        return String.valueOf(object(items.getFirst()).get("id"));
      }
      node.vertx.timer(20).await();
    }
    throw new AssertionError("No timer of " + instanceId);
  }

  private static String definition(String id, String activity) {
    return "{'definitionId':'%s','name':'%s','root':{'type':'Elsa.Sequence','id':'S','activities':[%s]}}"
        .formatted(id, id, activity);
  }

  private static HttpResponse<String> ok(String method, String path, @Nullable String body)
      throws Exception {
    var answer = send(method, API + path, body);
    assertThat(answer.statusCode()).as(path + " " + answer.body()).isBetween(200, 204);
    assertThat(violations(method, API + path, answer)).isEmpty();
    return answer;
  }

  private static HttpResponse<String> checked(
      String method, String path, @Nullable String body, int status) throws Exception {
    var answer = send(method, path, body);
    assertThat(answer.statusCode()).as(path + " " + answer.body()).isEqualTo(status);
    assertThat(violations(method, path, answer)).isEmpty();
    return answer;
  }

  private static List<String> violations(String method, String path, HttpResponse<String> answer) {
    var type = answer.headers().firstValue("Content-Type").orElse(null);
    return documented.violations(method, path, answer.statusCode(), type, answer.body());
  }

  private static HttpResponse<String> send(String method, String path, @Nullable String body)
      throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + verticle.port() + path))
            .timeout(Duration.ofSeconds(20))
            .header("Content-Type", "application/json")
            .method(
                method,
                body == null
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(body.replace('\'', '"')));
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  private static Map<String, @Nullable Object> json(HttpResponse<String> answer) {
    return JsonText.parseObject(answer.body(), JsonLimits.STORED);
  }

  /** Of the objects in a list. */
  private static Map<?, ?> first(Map<?, ?> json, String list) {
    return json.get(list) instanceof List<?> items && !items.isEmpty()
        ? object(items.getFirst())
        : Map.of();
  }

  private static Map<?, ?> object(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }
}
