package skein.http;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import skein.cluster.Readiness;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.execution.OneNode;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.openapi.CheckedAnswers;
import skein.storage.TestDatabase;

/** User tasks over a real connection: worklists, claims, completion, escalation and expiry. */
class UserTasksIT {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final int RACERS = 20;
  private static OneNode node;
  private static HttpVerticle verticle;

  @BeforeAll
  static void start() {
    node = new OneNode();
    var readiness = new Readiness();
    var options =
        HttpOptions.of(
            new HttpOptions.Listener("127.0.0.1", 0, URI.create("http://skein.test/"), 100),
            new HttpOptions.Timeouts(
                Duration.ofSeconds(20), Duration.ofSeconds(20), Duration.ofSeconds(1)),
            new HttpOptions.BodyLimits(JsonLimits.DEFAULT, UploadLimits.DEFAULT));
    verticle = new HttpVerticle(HttpFixture.dependencies(node, readiness), options);
    node.vertx.deployVerticle(verticle).await();
    readiness.advanceTo(Readiness.Phase.READY);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @Test
  void a_worklist_is_what_a_person_or_one_of_his_groups_may_do() throws Exception {
    publish("lists", "'assignees':['ann'],'groups':['tellers'],'dueDate':'P1D'");
    publish("lists-of-others", "'assignees':['otto']");
    var taskId = taskOf(started("lists"));
    var other = taskOf(started("lists-of-others"));

    assertThat(ids("assignee=ann")).containsExactly(taskId);
    assertThat(ids("group=tellers")).containsExactly(taskId);
    assertThat(ids("assignee=otto&group=tellers")).containsExactlyInAnyOrder(taskId, other);
    assertThat(ids("assignee=nobody")).isEmpty();
    assertThat(ids("assignee=ann&definitionId=lists-of-others")).isEmpty();
    assertThat(ids("assignee=ann&dueBefore=2100-01-01T00:00:00Z")).containsExactly(taskId);
    assertThat(ids("assignee=otto&dueBefore=2100-01-01T00:00:00Z")).isEmpty();
    var shown = json(get("/user-tasks/" + taskId));
    assertThat(shown)
        .containsEntry("title", "Check it")
        .containsEntry("definitionId", "lists")
        .containsEntry("claimedBy", null);
    assertThat(get("/user-tasks/nothing-1").statusCode()).isEqualTo(404);
    assertThat(get("/user-tasks?dueBefore=soon").statusCode()).isEqualTo(400);

    assertThat(act(taskId, "claim", "'user':'ann'").statusCode()).isEqualTo(200);
    assertThat(ids("claimedBy=ann")).containsExactly(taskId);
    assertThat(act(taskId, "unclaim", "'user':'ann'").statusCode()).isEqualTo(200);
    assertThat(ids("claimedBy=ann")).isEmpty();
  }

  @Test
  void of_many_who_claim_one_has_it() throws Exception {
    publish("claims", "'groups':['crew']");
    var taskId = taskOf(started("claims"));

    var codes = race(n -> "{'user':'u%d','groups':['crew']}".formatted(n), taskId, "claim");

    assertThat(codes).containsOnly(200, 409);
    assertThat(codes.stream().filter(code -> code == 200)).hasSize(1);
    assertThat(audited(taskId, "task.claim")).isEqualTo(1);
  }

  @Test
  void of_many_who_complete_one_wins() throws Exception {
    publish("finals", "'groups':['crew']");
    var id = started("finals");
    var taskId = taskOf(id);

    var codes =
        race(
            n -> "{'user':'u%d','groups':['crew'],'result':%d}".formatted(n, n),
            taskId,
            "complete");

    assertThat(codes).containsOnly(200, 409);
    assertThat(codes.stream().filter(code -> code == 200)).hasSize(1);
    assertThat(status(id)).isEqualTo("Finished");
    assertThat(audited(taskId, "task.complete")).isEqualTo(1);
  }

  @Test
  void whoever_completes_a_task_by_his_own_word_is_recorded_as_claiming_it() throws Exception {
    publish("claimed", "'assignees':['kim']");
    var byBody = taskOf(started("claimed"));
    var byLinkId = started("claimed");
    var byLink = taskOf(byLinkId);
    var tokens = "/workflow-instances/" + byLinkId + "/bookmarks/" + byLink + "/tokens";
    var token = json(post(tokens, "{}")).get("token");

    var body = act(byBody, "complete", "'user':'kim','result':1");
    var link =
        post("/bookmarks/resume?t=" + token, "{'input':{'user':'kim','result':1,'actor':'lee'}}");

    assertThat(List.of(body.statusCode(), link.statusCode())).containsOnly(200);
    assertThat(completers(byBody)).containsExactly("claimed:kim (127.0.0.1)");
    assertThat(completers(byLink)).containsExactly("claimed:kim (127.0.0.1)");
  }

  private static List<String> completers(String taskId) {
    return TestDatabase.texts(
        node.database,
        "select actor from audit_log where action = 'task.complete' and bookmark_id = '%s'"
            .formatted(taskId));
  }

  @Test
  void what_does_not_fit_the_form_is_refused_on_every_way_in() throws Exception {
    publish(
        "forms",
        "'form':{'type':'object','required':['amount'],'properties':{'amount':{'type':'integer'}}}");
    var id = started("forms");
    var taskId = taskOf(id);

    var wrong = act(taskId, "complete", "'user':'ann','result':{'amount':'many'}");
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(json(wrong)).containsEntry("code", "TASK_INVALID");
    assertThat(String.valueOf(json(wrong).get("errors"))).contains("/amount");
    assertThat(post("/tasks/" + taskId + "/complete", "{'result':{}}").statusCode()).isEqualTo(400);
    assertThat(
            post("/workflow-instances/" + id + "/resume", "{'input':{'result':{}}}").statusCode())
        .isEqualTo(400);
    assertThat(status(id)).isEqualTo("Running");

    var right = act(taskId, "complete", "'user':'ann','result':{'amount':3}");
    assertThat(right.statusCode()).isEqualTo(200);
    assertThat(status(id)).isEqualTo("Finished");
    assertThat(act(taskId, "complete", "'user':'ann','result':{'amount':3}").statusCode())
        .isEqualTo(409);
  }

  @Test
  void a_form_that_cannot_be_used_is_refused_where_it_is_published() {
    for (var form :
        List.of(
            "{'$ref':'#'}",
            "{'$ref':'http://localhost:1/a.json'}",
            "{'pattern':'(?=.*[0-9]).{8,}'}",
            "{'type':'strin'}",
            "{'minLength':'3'}")) {
      assertThatThrownBy(() -> publish("bad-form", "'form':" + form))
          .as(form)
          .isInstanceOfSatisfying(
              SkeinException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.DEFINITION_INVALID);
                assertThat(e.errors()).singleElement().asString().contains("check", "INVALID_FORM");
              });
    }
  }

  /** Checking data against a form may take long, without delaying others. */
  @Test
  void checking_a_form_holds_up_no_event_loop() throws Exception {
    var objects =
        IntStream.range(0, 8_000).mapToObj("{'a':%d,'b':'x'}"::formatted).collect(joining(","));
    var integers = IntStream.range(0, 90_000).mapToObj(String::valueOf).collect(joining(","));
    var doubling =
        IntStream.range(0, 21)
            .mapToObj(i ->
                "'d%d':{'allOf':[{'$ref':'#/$defs/d%d'},{'$ref':'#/$defs/d%d'}]}"
                    .formatted(i, i + 1, i + 1))
            .collect(joining(","));
    var hostile =
        List.of(
            List.of("{'pattern':'^(a|a)*$'}", "'" + "a".repeat(32) + "!'"),
            List.of("{'pattern':'^(.*)(.*)(.*)(.*)(.*)c$'}", "'" + "a".repeat(200) + "'"),
            List.of("{'uniqueItems':true}", "[" + objects + "]"),
            List.of("{'uniqueItems':true}", "[" + integers + "]"),
            List.of("{'format':'idn-hostname'}", "'" + "a".repeat(60_000) + "'"),
            List.of("{'format':'uri'}", "'http://" + "a".repeat(60_000) + "'"),
            List.of("{'format':'uri-template'}", "'" + "{a}".repeat(20_000) + "'"),
            List.of("{'pattern':'([a-z]{1,400}){1,4}[A-Z]$'}", "'" + "a".repeat(500_000) + "'"));
    var stalls = new Stalls(node.vertx);
    for (var i = 0; i < hostile.size(); i++) {
      publish("hostile-" + i, "'form':" + hostile.get(i).getFirst());
      var taskId = taskOf(started("hostile-" + i));
      var answer = act(taskId, "complete", "'result':" + hostile.get(i).getLast());
      assertThat(answer.statusCode()).as(hostile.get(i).getFirst()).isIn(200, 400);
    }
    assertThatThrownBy(() ->
            publish(
                "doubles",
                "'form':{'$ref':'#/$defs/d0','$defs':{%s,'d21':true}}".formatted(doubling)))
        .isInstanceOf(SkeinException.class);

    assertThat(stalls.longest()).isLessThan(Duration.ofSeconds(1));
  }

  /** How long any event loop has done nothing else. */
  private static final class Stalls {
    private static final int LOOPS = 16;
    private static final int TICK_MILLIS = 10;
    private final AtomicLong longest = new AtomicLong();

    private Stalls(Vertx vertx) {
      for (var i = 0; i < LOOPS; i++) {
        var context = ((VertxInternal) vertx).createEventLoopContext();
        var last = new AtomicLong(System.nanoTime());
        context.runOnContext(_ ->
            vertx.setPeriodic(
                TICK_MILLIS,
                _ -> {
                  var now = System.nanoTime();
                  var gap = now - last.getAndSet(now);
                  longest.accumulateAndGet(gap, Math::max);
                }));
      }
    }

    Duration longest() {
      return Duration.ofNanos(longest.get());
    }
  }

  @Test
  void whoever_has_it_may_give_it_to_others_and_choose_the_outcome() throws Exception {
    publish("outcomes", "'assignees':['ann'],'outcomes':['Approve','Reject']");
    var id = started("outcomes");
    var taskId = taskOf(id);

    assertThat(act(taskId, "claim", "'user':'mallory'").statusCode()).isEqualTo(403);
    assertThat(act(taskId, "claim", "'user':'ann'").statusCode()).isEqualTo(200);
    var to = "'to':{'assignees':['bob']}";
    assertThat(act(taskId, "assign", "'user':'mallory'," + to).statusCode()).isEqualTo(409);
    assertThat(act(taskId, "assign", "'user':'ann'," + to).statusCode()).isEqualTo(200);
    assertThat(ids("assignee=ann")).doesNotContain(taskId);
    assertThat(ids("assignee=bob")).containsExactly(taskId);

    assertThat(act(taskId, "complete", "'user':'bob','outcome':'Perhaps'").statusCode())
        .isEqualTo(400);
    assertThat(act(taskId, "complete", "'user':'bob','outcome':'Reject'").statusCode())
        .isEqualTo(200);
    assertThat(journal(id)).contains("Reject");
  }

  @Test
  void time_gives_it_to_others_and_ends_it() throws Exception {
    publish(
        "escalates",
        "'assignees':['ann'],'escalateAfter':'PT0.3S','escalateTo':{'assignees':['chief']},"
            + "'expireAfter':'PT8S'");
    var id = started("escalates");
    var taskId = taskOf(id);

    eventually(() -> ids("assignee=chief").equals(List.of(taskId)));
    assertThat(ids("assignee=ann")).doesNotContain(taskId);
    eventually(() -> status(id).equals("Finished"));

    assertThat(journal(id)).contains("Expired");
    assertThat(get("/user-tasks/" + taskId).statusCode()).isEqualTo(404);
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void eventually(Condition condition) throws Exception {
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!condition.holds()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(end);
      node.vertx.timer(50).await();
    }
  }

  private static List<Integer> race(IntFunction<String> body, String taskId, String action) {
    var answers =
        IntStream.range(0, RACERS)
            .mapToObj(n -> request("POST", "/user-tasks/" + taskId + "/" + action, body.apply(n)))
            .map(request -> CLIENT.sendAsync(request, BodyHandlers.ofString()))
            .toList();
    CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).join();
    return answers.stream().map(answer -> answer.join().statusCode()).toList();
  }

  private static long audited(String taskId, String action) {
    return TestDatabase.audited(node.database, taskId, action);
  }

  private static void publish(String id, String members) {
    var json =
        """
        {'definitionId':'%s','root':{'type':'Elsa.Sequence','id':'s','activities':[
          {'type':'Skein.UserTask','id':'check','title':'Check it',%s}]}}
        """
            .formatted(id, members)
            .replace('\'', '"');
    node.definitions.saveAndPublish(JsonText.parseObject(json, JsonLimits.DEFAULT), null).await();
  }

  private static String started(String definitionId) throws Exception {
    var started = post("/workflow-instances", "{'definitionId':'" + definitionId + "'}");
    assertThat(started.statusCode()).isEqualTo(201);
    var location = started.headers().firstValue("Location").orElseThrow();
    return location.substring(location.lastIndexOf('/') + 1);
  }

  private static String taskOf(String instanceId) throws Exception {
    var page = json(get("/user-tasks?pageSize=1000"));
    return items(page).stream()
        .filter(task -> instanceId.equals(task.get("workflowInstanceId")))
        .map(task -> String.valueOf(task.get("taskId")))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> ids(String query) throws Exception {
    return items(json(get("/user-tasks?" + query))).stream()
        .map(task -> String.valueOf(task.get("taskId")))
        .toList();
  }

  private static String status(String instanceId) throws Exception {
    return String.valueOf(json(get("/workflow-instances/" + instanceId)).get("status"));
  }

  private static String journal(String instanceId) throws Exception {
    return get("/workflow-instances/" + instanceId + "/journal").body();
  }

  private static HttpResponse<String> act(String taskId, String action, String members)
      throws Exception {
    return post("/user-tasks/" + taskId + "/" + action, "{" + members + "}");
  }

  private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return CheckedAnswers.of(CLIENT.send(request("GET", path, null), BodyHandlers.ofString()));
  }

  private static HttpResponse<String> post(String path, String body)
      throws IOException, InterruptedException {
    return CheckedAnswers.of(CLIENT.send(request("POST", path, body), BodyHandlers.ofString()));
  }

  /** Quotes may be single. */
  private static HttpRequest request(String method, String path, @Nullable String body) {
    var publisher =
        body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.replace('\'', '"'));
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + verticle.port() + Routes.API + path))
        .header("Content-Type", "application/json")
        .timeout(Duration.ofSeconds(30))
        .method(method, publisher)
        .build();
  }

  private static Map<String, @Nullable Object> json(HttpResponse<String> response) {
    return JsonText.parseObject(response.body(), JsonLimits.DEFAULT);
  }

  private static List<Map<String, @Nullable Object>> items(Map<String, @Nullable Object> page) {
    var items = new ArrayList<Map<String, @Nullable Object>>();
    if (page.get("items") instanceof List<?> list) {
      for (var item : list) {
        if (item instanceof Map<?, ?> map) {
          items.add(Fields.copy(map));
        }
      }
    }
    return items;
  }
}
