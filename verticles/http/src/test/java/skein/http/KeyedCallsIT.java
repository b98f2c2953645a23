package skein.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import skein.cluster.Readiness;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.execution.OneNode;
import skein.ingress.Keys;
import skein.ingress.Once;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.StimulusHash;
import skein.openapi.CheckedAnswers;
import skein.storage.IdempotencyKeys;
import skein.storage.KeyStore;
import skein.storage.TestDatabase;

/** Requests with a key over real connections, to two nodes with one PostgreSQL. */
class KeyedCallsIT {
  private static final String API = "/elsa/api";
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static OneNode first;
  private static OneNode second;
  private static int port;

  /** Of the node that lets no repetition wait. */
  private static int impatient;

  @BeforeAll
  static void start() {
    var schema = TestDatabase.newSchema();
    first = new OneNode(schema, _ -> List.of());
    second = new OneNode(schema, _ -> List.of());
    port = serve(first, Duration.ofSeconds(5));
    impatient = serve(second, Duration.ZERO);
    publish("hello", "{'type':'Elsa.WriteLine','id':'w','text':'hi'}");
    publish("waits", event("e1") + "," + event("e2") + "," + event("e3"));
    publish(
        "endpoint",
        "{'type':'Elsa.HttpEndpoint','id':'in','path':'once','supportedMethods':['POST'],"
            + "'customProperties':{'canStartWorkflow':true}},"
            + "{'type':'Elsa.WriteHttpResponse','id':'out','statusCode':202,'content':'taken'},"
            + "{'type':'Elsa.HttpEndpoint','id':'next','path':'once/next','supportedMethods':['POST']},"
            + "{'type':'Elsa.WriteHttpResponse','id':'last','content':'done'}");
  }

  private static int serve(OneNode node, Duration wait) {
    var readiness = new Readiness();
    var verticle =
        new HttpVerticle(
            HttpFixture.dependencies(node, readiness),
            HttpOptions.of(
                    new HttpOptions.Listener(
                        "127.0.0.1", 0, URI.create("http://skein.test"), 1_000),
                    new HttpOptions.Timeouts(
                        Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofSeconds(1)),
                    new HttpOptions.BodyLimits(JsonLimits.DEFAULT, UploadLimits.DEFAULT))
                .with(new Keys.Options(Duration.ofHours(24), wait, Duration.ofMinutes(5))));
    node.vertx.deployVerticle(verticle).await();
    readiness.advanceTo(Readiness.Phase.READY);
    return verticle.port();
  }

  @AfterAll
  static void stop() {
    first.close();
    second.close();
  }

  @Test
  void what_is_done_to_an_instance_is_done_once_and_answered_alike() throws Exception {
    var waiting = first.start("waits").value();
    for (var path :
        List.of(
            "/workflow-instances/" + waiting + "/resume",
            "/workflow-instances/" + waiting + "/variables",
            "/cancel/workflow-instances/" + waiting)) {
      var body = path.endsWith("variables") ? "{'variables':[{'id':'v','value':7}]}" : "{}";
      long before = first.get(new InstanceId(waiting)).revision();
      alike("POST", API + path, body);
      assertThat(first.get(new InstanceId(waiting)).revision()).as(path).isEqualTo(before + 1);
    }
    var other = first.start("waits").value();
    alike("POST", API + "/alterations/run", alteration(other));
    assertThat(first.get(new InstanceId(other)).revision()).isEqualTo(2);
    alike("DELETE", API + "/workflow-instances/" + other, null);
  }

  private static String alteration(String id) {
    return "{'workflowInstanceIds':['%s'],'alterations':[{'type':'ModifyVariable','variableId':'v','value':1}]}"
        .formatted(id);
  }

  @Test
  void starts_are_answered_alike() throws Exception {
    alike("POST", API + "/workflow-instances", "{'definitionId':'hello'}");
    alike("POST", API + "/workflow-definitions/hello/execute", "{'name':'executed'}");
    alike("GET", API + "/workflow-definitions/hello/execute?name=by-query", null);
    alike("POST", API + "/workflow-definitions/waits/dispatch", "{'name':'dispatched'}");
    alike("POST", API + "/workflow-definitions/hello/bulk-dispatch", "{'count':3,'name':'bulk'}");

    assertThat(named("executed")).isEqualTo(1);
    assertThat(named("by-query")).isEqualTo(1);
    assertThat(named("dispatched")).isEqualTo(1);
    assertThat(named("bulk")).isEqualTo(3);
  }

  private static long named(String name) {
    return first.number("select count(*) from workflow_instances where name = $1", name);
  }

  @Test
  void events_and_tasks_and_links_are_used_once() throws Exception {
    var one = first.start("waits");
    alike(
        "POST",
        API + "/events/Go/trigger",
        "{'workflowInstanceId':'%s','workflowExecutionMode':'Synchronous'}".formatted(one));
    assertThat(first.get(one).revision()).isEqualTo(2);

    alike("POST", API + "/tasks/" + one + "-2/complete", "{'result':1}");
    assertThat(first.get(one).revision()).isEqualTo(3);

    var minted =
        send(
            port,
            "POST",
            API + "/workflow-instances/" + one + "/bookmarks/" + one + "-3/tokens",
            "{}");
    alike("POST", URI.create((String) json(minted).get("url")).getPath(), "{}");
    assertThat(first.get(one).status().finished()).isTrue();
  }

  @Test
  void endpoints_are_called_once() throws Exception {
    var started = alike("POST", "/workflows/once?correlationId=c-1", "{'a':1}");
    assertThat(started.statusCode()).isEqualTo(202);
    assertThat(started.body()).isEqualTo("taken");

    var resumed = alike("POST", "/workflows/once/next?correlationId=c-1", "{}");
    assertThat(resumed.body()).isEqualTo("done");
    assertThat(first.number("select count(*) from workflow_instances where correlation_id = 'c-1'"))
        .isEqualTo(1);
  }

  @Test
  void definitions_and_schedules_and_timers_are_changed_once() throws Exception {
    var made =
        alike(
            "POST",
            API + "/workflow-definitions",
            "{'model':{'name':'Once','root':{'type':'Elsa.WriteLine','id':'w','text':'x'}},'publish':false}");
    var definitionId = definitionId(made);
    alike("POST", API + "/workflow-definitions/" + definitionId + "/publish", "{}");
    alike("POST", API + "/workflow-definitions/" + definitionId + "/retract", "{}");
    alike("DELETE", API + "/workflow-definitions/" + definitionId, null);
    assertThat(first.number("select count(*) from workflow_definitions where name = 'Once'"))
        .isZero();

    alike(
        "POST",
        API + "/schedules",
        "{'id':'nightly','definitionId':'hello','cron':'0 30 2 * * ?','timeZone':'UTC'}");
    alike("POST", API + "/schedules/nightly/trigger", "{}");
    alike("POST", API + "/schedules/nightly/pause", "{}");
    alike("DELETE", API + "/schedules/nightly", null);
    alike("POST", API + "/timers/fire", "{'max':1}");
    alike("POST", API + "/bulk-actions/cancel/workflow-instances", "{'ids':['nobody']}");
  }

  private static String definitionId(HttpResponse<String> made) {
    var json = json(made);
    var inner = json.get("workflowDefinition") instanceof Map<?, ?> map ? map : json;
    return String.valueOf(inner.get("definitionId"));
  }

  @Test
  void of_fifty_callers_with_one_key_one_has_an_effect() {
    var id = first.start("waits");
    var path = API + "/workflow-instances/" + id + "/resume";
    var calls = new ArrayList<CompletableFuture<HttpResponse<String>>>();

    for (int i = 0; i < 50; i++) {
      var request = request(i % 2 == 0 ? port : impatient, "POST", path, "{}", "fifty");
      calls.add(CLIENT.sendAsync(request, BodyHandlers.ofString()));
    }

    var answers = calls.stream().map(CompletableFuture::join).toList();
    var done = answers.stream().filter(answer -> answer.statusCode() == 200).toList();
    var refused = answers.stream().filter(answer -> answer.statusCode() != 200).toList();
    assertThat(done).isNotEmpty();
    assertThat(done.stream().map(HttpResponse::body).distinct()).hasSize(1);
    assertThat(done.stream().filter(answer -> !isReplayed(answer))).hasSize(1);
    assertThat(refused).allSatisfy(KeyedCallsIT::saysInUse);
    assertThat(first.get(id).revision()).isEqualTo(2);
  }

  private static void saysInUse(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(409);
    assertThat(json(answer)).containsEntry("code", "IDEMPOTENCY_KEY_IN_USE");
    assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
  }

  @Test
  void a_key_of_another_request_is_refused() throws Exception {
    var body = "{'definitionId':'hello'}";
    send(port, "POST", API + "/workflow-instances", body, "mine");

    for (var other :
        List.of(
            send(
                impatient, "POST", API + "/workflow-instances", "{'definitionId':'waits'}", "mine"),
            send(port, "POST", API + "/workflow-instances?x=1", body, "mine"),
            send(port, "POST", API + "/events/Go/trigger", body, "mine"))) {
      assertThat(other.statusCode()).as(other.body()).isEqualTo(422);
      assertThat(json(other)).containsEntry("code", "IDEMPOTENCY_KEY_REUSED");
    }
  }

  @Test
  void a_key_is_the_same_in_quotes_and_has_bounds() throws Exception {
    var body = "{'definitionId':'hello'}";
    var plain = send(port, "POST", API + "/workflow-instances", body, "quoted");
    var quoted = send(port, "POST", API + "/workflow-instances", body, "\"quoted\"");

    assertThat(quoted.body()).isEqualTo(plain.body());
    assertThat(send(port, "POST", API + "/workflow-instances", body, "k".repeat(256)).statusCode())
        .isEqualTo(413);
  }

  @Test
  void while_the_first_request_is_under_way_a_repetition_is_told_to_come_back() throws Exception {
    var id = first.start("waits").value();
    var path = API + "/workflow-instances/" + id + "/resume";
    send(port, "POST", path, "{}", "under way");
    change("under way", "reply = null, complete = false");

    saysInUse(send(impatient, "POST", path, "{}", "under way"));
  }

  /** The reply was committed, and the node died before it answered. */
  @Test
  void an_answer_that_was_lost_after_the_commit_is_made_anew() throws Exception {
    var id = first.start("waits");
    var path = API + "/workflow-instances/" + id + "/resume";
    var lost = send(port, "POST", path, "{}", "lost");
    assertThat(row("lost", "reply is not null and status is null")).isEqualTo(1);

    var again = send(impatient, "POST", path, "{}", "lost");

    assertThat(again.body()).isEqualTo(lost.body());
    assertThat(isReplayed(again)).isTrue();
    assertThat(first.get(id).revision()).isEqualTo(2);

    lost = send(port, "POST", API + "/alterations/run", alteration(id.value()), "lost too");
    change("lost too", "status = null, head = null, body = null, complete = false");
    saysInUse(
        send(impatient, "POST", API + "/alterations/run", alteration(id.value()), "lost too"));
    change("lost too", "claimed_until = now()");
    again = send(impatient, "POST", API + "/alterations/run", alteration(id.value()), "lost too");
    assertThat(again.body()).isEqualTo(lost.body());
    assertThat(first.get(id).revision()).isEqualTo(3);
  }

  @Test
  void the_request_of_a_node_that_died_before_the_commit_is_made_by_the_repetition()
      throws Exception {
    var id = first.start("waits");
    var path = API + "/workflow-instances/" + id + "/resume";
    var store = new KeyStore(first.database);
    var dead =
        new IdempotencyKeys.Claim(stored("died"), print(path), UUID.randomUUID(), "a dead node");
    store.claim(dead, List.of(), Duration.ofMinutes(5), Duration.ofHours(1)).await();

    var repeated = send(impatient, "POST", path, "{}", "died");

    assertThat(repeated.statusCode()).as(repeated.body()).isEqualTo(200);
    assertThat(isReplayed(repeated)).isFalse();
    // The dead one was only slow: it must have no effect any more.
    var late = first.ingress.once(new Once.Claimed(dead.key(), dead.id()));
    assertThatThrownBy(() -> late.cancel(id).await())
        .isInstanceOfSatisfying(
            SkeinException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.IDEMPOTENCY_KEY_IN_USE));
    assertThat(first.get(id).status().finished()).isFalse();
  }

  /** Of a POST of {@code {}}. */
  private static String print(String path) {
    var text = new StringBuilder();
    for (var part : List.of("POST", path, "", "{}")) {
      text.append(part.length()).append(':').append(part);
    }
    return StimulusHash.sha256(text.toString()).toLowerCase(Locale.ROOT);
  }

  @Test
  void what_a_node_that_died_has_started_of_many_is_not_started_again() throws Exception {
    var path = API + "/workflow-definitions/hello/bulk-dispatch";
    var body = "{'count':3,'name':'bulk-died'}";
    var first = send(port, "POST", path, body, "bulk died");
    change(
        "bulk died",
        "status = null, head = null, body = null, complete = false, claimed_until = now()");

    var again = send(impatient, "POST", path, body, "bulk died");

    assertThat(isReplayed(again)).isFalse();
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(named("bulk-died")).isEqualTo(3);
  }

  @Test
  void an_expired_key_is_free_and_is_removed() throws Exception {
    var id = first.start("waits");
    var path = API + "/workflow-instances/" + id + "/resume";
    send(port, "POST", path, "{}", "old");
    change("old", "expires_at = now()");

    var anew = send(port, "POST", path, "{'bookmarkId':'%s-2'}".formatted(id), "old");
    assertThat(anew.statusCode()).as(anew.body()).isEqualTo(200);
    assertThat(isReplayed(anew)).isFalse();

    change("old", "expires_at = now()");
    var store = new KeyStore(first.database);
    assertThat(store.removeExpired(1).await()).isEqualTo(1);
    assertThat(store.removeExpired(1).await()).isZero();
    assertThat(row("old", "true")).isZero();
  }

  @Test
  void refusals_that_were_decided_are_kept_and_others_are_not() throws Exception {
    var refused = alike("POST", API + "/workflow-instances/nobody/cancel", "{}");
    assertThat(refused.statusCode()).isEqualTo(404);

    var wrong = send(port, "POST", API + "/workflow-instances", "{'definitionId':7}", "corrected");
    assertThat(wrong.statusCode()).isEqualTo(400);
    var right =
        send(port, "POST", API + "/workflow-instances", "{'definitionId':'hello'}", "corrected");
    assertThat(right.statusCode()).as(right.body()).isEqualTo(201);
  }

  @Test
  void a_token_is_kept_nowhere() throws Exception {
    var id = first.start("waits");
    var path = API + "/workflow-instances/" + id + "/bookmarks/" + id + "-1/tokens";

    var minted = send(port, "POST", path, "{}", "mint");
    var again = send(port, "POST", path, "{}", "mint");

    assertThat(minted.statusCode()).isEqualTo(201);
    assertThat(json(again).get("token")).isNotEqualTo(json(minted).get("token"));
    assertThat(row("mint", "true")).isZero();
  }

  @Test
  void without_a_key_no_row_is_written() throws Exception {
    var count = "select count(*) from idempotency_keys";
    long before = first.number(count);
    var id = first.start("waits").value();

    send(port, "POST", API + "/workflow-instances/" + id + "/resume", "{}");

    assertThat(first.number(count)).isEqualTo(before);
  }

  /** Sends it to both nodes with one key. */
  private static HttpResponse<String> alike(String method, String path, @Nullable String body)
      throws Exception {
    var key = UUID.randomUUID().toString();
    var answer = send(port, method, path, body, key);
    for (int node : List.of(impatient, port)) {
      var again = send(node, method, path, body, key);
      assertThat(again.statusCode()).as(path + again.body()).isEqualTo(answer.statusCode());
      assertThat(again.body()).as(path).isEqualTo(answer.body());
      assertThat(again.headers().map().get("location"))
          .isEqualTo(answer.headers().map().get("location"));
      assertThat(isReplayed(again)).as(path).isTrue();
    }
    assertThat(isReplayed(answer)).as(path).isFalse();
    assertThat(answer.statusCode()).as(path + answer.body()).isLessThan(500).isNotEqualTo(400);
    return answer;
  }

  private static boolean isReplayed(HttpResponse<String> answer) {
    return answer.headers().firstValue(KeyedCalls.REPLAYED).isPresent();
  }

  private static String stored(String key) {
    return StimulusHash.sha256("idempotency|" + key);
  }

  private static void change(String key, String what) {
    first.number(
        "with changed as (update idempotency_keys set "
            + what
            + " where key = $1 returning 1) select count(*) from changed",
        stored(key));
  }

  private static long row(String key, String condition) {
    return first.number(
        "select count(*) from idempotency_keys where key = $1 and " + condition, stored(key));
  }

  private static HttpRequest request(
      int to, String method, String path, @Nullable String body, @Nullable String key) {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + to + path))
            .header("Content-Type", "application/json")
            .method(
                method,
                body == null
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(body.replace('\'', '"')));
    if (key != null) {
      request.header("Idempotency-Key", key);
    }
    return request.build();
  }

  private static HttpResponse<String> send(
      int to, String method, String path, @Nullable String body, String... key) throws Exception {
    return CheckedAnswers.of(
        CLIENT.send(
            request(to, method, path, body, key.length == 0 ? null : key[0]),
            BodyHandlers.ofString()));
  }

  private static Map<String, @Nullable Object> json(HttpResponse<String> response) {
    return JsonText.parseObject(Objects.requireNonNull(response.body()), JsonLimits.STORED);
  }

  private static void publish(String definitionId, String activities) {
    first.publish(
        "{'definitionId':'%s','name':'%s','variables':[{'id':'v','name':'V','typeName':'Object'}],'root':{'type':'Elsa.Sequence','id':'s','activities':[%s]}}"
            .formatted(definitionId, definitionId, activities)
            .replace('\'', '"'));
  }

  private static String event(String id) {
    return "{'type':'Elsa.Event','id':'%s','eventName':'Go'}".formatted(id);
  }
}
