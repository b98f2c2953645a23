package skein.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import skein.cluster.Readiness;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.execution.OneNode;
import skein.messages.Request;
import skein.model.InstanceId;
import skein.model.SkeinException;
import skein.model.WorkflowStatus;
import skein.storage.TestDatabase;
import skein.work.HttpWorkOptions;
import skein.work.HttpWorker;
import skein.work.SecretSource;
import skein.work.Targets;
import skein.work.Worker;

/** Workflows that ask another server while a caller waits for their answer. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HttpWorkIT {
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<String> keys = Collections.synchronizedList(new ArrayList<>());
  private final List<HttpServerRequest> stalled = Collections.synchronizedList(new ArrayList<>());
  private final BlockingQueue<String> mailed = new LinkedBlockingQueue<>();
  private CompletableFuture<HttpServerRequest> asked = new CompletableFuture<>();
  private final String schema = TestDatabase.newSchema();
  private OneNode node;
  private HttpServer other;
  private HttpVerticle verticle;

  private static List<Worker> workers(Vertx vertx) {
    return List.of(new HttpWorker(vertx, toThisMachine(), HttpWorkIT::secret));
  }

  /** What a node has as "payment-key"; others it has not. */
  private static String secret(String name) {
    if (name.equals("payment-key")) {
      return SECRET;
    }
    throw new SecretSource.MissingException("there is no such file");
  }

  private static HttpWorkOptions toThisMachine() {
    var usual = HttpWorkOptions.DEFAULT;
    return new HttpWorkOptions(
        usual.timeouts(),
        usual.answers(),
        usual.redirectsMax(),
        usual.connectionsMax(),
        new Targets(true, List.of(Targets.Exemption.parse("127.0.0.1"))),
        usual.secrets());
  }

  @BeforeAll
  void start() {
    node = new OneNode(schema, HttpWorkIT::workers);
    other =
        node.vertx.createHttpServer().requestHandler(this::answer).listen(0, "127.0.0.1").await();
    verticle = deployHttp();
    publish("proxy", endpoint("proxy/{what}"), send("`${base}/${getRoute().what}`", ""), respond());
    publish("retrying", endpoint("retrying"), send("`${base}/twice-503`", RETRY));
    publish("stalling", endpoint("stalling"), send("`${base}/stall`", ""), respond());
    publish("upload", endpoint("upload").replace("\"path\"", UPLOAD + "\"path\""), download());
    publish(
        "slow",
        endpoint("slow").replace("\"path\"", SLOW + "\"path\""),
        send("`${base}/stall`", ""));
    publish("asking", send("`${base}/stall`", ""));
  }

  private static final String RETRY =
      "\"customProperties\":{\"retry\":{\"attempts\":4,\"delay\":\"PT0.05S\"}},";

  private static final String UPLOAD =
      """
      "supportedMethods":{"typeName":"String[]","expression":{"type":"Object","value":"[\\"POST\\"]"}},
      "file":{"typeName":"Object","memoryReference":{"id":"w"}},\
      """;
  private static final String SLOW =
      """
      "requestTimeout":{"typeName":"TimeSpan","expression":{"type":"Literal","value":"00:00:00.3"}},\
      """;

  private static String download() {
    return """
    {"id":"Out","type":"Elsa.WriteFileHttpResponse",
     "enableResumableDownloads":{"typeName":"Boolean","expression":{"type":"Literal","value":true}},
     "content":{"typeName":"Object","expression":{"type":"JavaScript","value":"getAnswer()"}}}\
    """;
  }

  private HttpVerticle deployHttp() {
    var readiness = new Readiness();
    var http =
        new HttpVerticle(
            HttpFixture.dependencies(node, readiness),
            HttpOptions.of("127.0.0.1", 0, URI.create("http://skein.test")));
    node.vertx.deployVerticle(http).await();
    readiness.advanceTo(Readiness.Phase.READY);
    return http;
  }

  @AfterAll
  void stop() {
    node.close();
  }

  @BeforeEach
  void forget() {
    keys.clear();
    mailed.clear();
    asked = new CompletableFuture<>();
  }

  private void answer(HttpServerRequest request) {
    keys.add(String.valueOf(request.getHeader("Idempotency-Key")));
    switch (String.valueOf(request.path())) {
      case "/user" ->
          request
              .response()
              .putHeader("Content-Type", "application/json")
              .end("{\"name\":\"Ann\"}");
      case "/twice-503" ->
          request.response().setStatusCode(keys.size() < 3 ? 503 : 200).end("at last");
      case "/mail" -> {
        mailed.add(String.valueOf(request.getParam("link")));
        request.response().end();
      }
      case "/stall", "/echo" -> {
        stalled.add(request);
        asked.complete(request);
      }
      default -> request.response().setStatusCode(404).end();
    }
  }

  private void publish(String definitionId, String... activities) {
    var base = "http://127.0.0.1:" + other.actualPort();
    var json =
        """
        {"definitionId":"%s","variables":[{"id":"v","name":"Route","typeName":"Object"},
         {"id":"w","name":"Answer","typeName":"Object"}],
         "root":{"id":"S","type":"Elsa.Sequence","activities":[%s]}}\
        """
            .formatted(definitionId, String.join(",", activities).replace("${base}", base));
    node.definitions.saveAndPublish(JsonText.parseObject(json, JsonLimits.DEFAULT), null).await();
  }

  private static String endpoint(String path) {
    return """
    {"id":"In","type":"Elsa.HttpEndpoint","customProperties":{"canStartWorkflow":true},
     "path":{"typeName":"String","expression":{"type":"Literal","value":"%s"}},
     "routeData":{"typeName":"Object","memoryReference":{"id":"v"}}}\
    """
        .formatted(path);
  }

  private static String send(String url, String more) {
    return """
    {"id":"Send","type":"Elsa.SendHttpRequest",%s
     "url":{"typeName":"Uri","expression":{"type":"JavaScript","value":"%s"}},
     "parsedContent":{"typeName":"Object","memoryReference":{"id":"w"}}}\
    """
        .formatted(more, url);
  }

  private static String respond() {
    return """
    {"id":"Out","type":"Elsa.WriteHttpResponse",
     "content":{"typeName":"Object","expression":{"type":"JavaScript","value":"getAnswer()"}}}\
    """;
  }

  private CompletableFuture<HttpResponse<String>> get(String path, String... headers) {
    var request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + verticle.port() + "/workflows/" + path))
            .timeout(Duration.ofSeconds(20));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.sendAsync(request.build(), BodyHandlers.ofString());
  }

  private static InstanceId instance(HttpResponse<?> response) {
    return new InstanceId(response.headers().firstValue(StartRoutes.INSTANCE_HEADER).orElseThrow());
  }

  private InstanceId waitingInstance(HttpServerRequest request) {
    var key = String.valueOf(request.getHeader("Idempotency-Key"));
    return new InstanceId(key.substring(0, key.lastIndexOf(':')));
  }

  @Test
  void the_caller_gets_the_answer_that_the_other_server_led_to() {
    var response = get("proxy/user").join();

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("{\"name\":\"Ann\"}");
    var instance = node.get(instance(response));
    assertThat(instance.status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(keys).containsExactly(instance.id() + ":3");
  }

  private static final String SECRET = "Canary-4417";
  private static final String[] CREDENTIALS = {
    "Authorization",
    "Bearer " + SECRET,
    "Cookie",
    "session=" + SECRET,
    "X-Api-Key",
    SECRET,
    "X-Auth-Token",
    SECRET,
    "X-Amz-Security-Token",
    SECRET,
    "X-Csrf-Token",
    SECRET,
    "Proxy-Authorization",
    "Basic " + SECRET,
    "Referer",
    "https://app.example/?access_token=" + SECRET,
    "X-Shown",
    "shown"
  };

  /** All that is stored of an instance or told of it. */
  private List<String> known(InstanceId id) throws Exception {
    var api = "http://127.0.0.1:" + verticle.port() + "/elsa/api";
    var known = new ArrayList<String>();
    known.add(node.get(id).toString());
    for (var path :
        List.of(
            "/workflow-instances/" + id,
            "/workflow-instances/" + id + "/journal",
            "/workflow-instances/" + id + "/export",
            "/activity-executions/list?workflowInstanceId=" + id)) {
      var request = HttpRequest.newBuilder(URI.create(api + path)).build();
      var answer = client.send(request, BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(path).isEqualTo(200);
      known.add(answer.body());
    }
    for (var table : List.of("workflow_instances", "journal", "bookmarks", "timers")) {
      var sql = "select t::text from " + table + " t where t::text like '%" + id + "%'";
      TestDatabase.texts(node.database, sql).forEach(row -> known.add(plain(row)));
    }
    return known;
  }

  /** Bytes are shown as hexadecimal digits. */
  private static String plain(String row) {
    return Pattern.compile("\\\\+x([0-9a-f]+)")
        .matcher(row)
        .replaceAll(bytes ->
            Matcher.quoteReplacement(
                new String(HexFormat.of().parseHex(bytes.group(1)), StandardCharsets.ISO_8859_1)));
  }

  @Test
  void credentials_of_callers_are_kept_nowhere() throws Exception {
    var next = endpoint("locked/{id}").replace("\"In\"", "\"Next\"").replace("true", "false");
    publish("locked", endpoint("locked"), next);

    var started = get("locked?access_token=" + SECRET + "&n=1", CREDENTIALS).join();
    var id = instance(started);
    var path = "locked/7?workflowInstanceId=" + id + "&api_key=" + SECRET;
    var resumed = get(path, CREDENTIALS).join();

    assertThat(started.statusCode()).isLessThan(300);
    assertThat(resumed.statusCode()).isLessThan(300);
    node.awaitStatus(id, WorkflowStatus.Completed);
    assertThat(known(id)).noneMatch(text -> text.contains(SECRET));
    assertThat(node.get(id).results().toString())
        .contains("X-Shown=shown", "withheld=[", "access_token]", "api_key]");
  }

  @Test
  void a_definition_that_asks_for_it_gets_credentials_that_it_names() {
    var keep =
        """
        "keepSecrets":{"typeName":"String[]","expression":{"type":"Object","value":"[\\"authorization\\"]"}},
        """;
    publish("trusting", endpoint("trusting").replace("\"path\"", keep + "\"path\""));

    var id = instance(get("trusting", CREDENTIALS).join());

    assertThat(node.get(id).results().toString())
        .contains("Authorization=Bearer " + SECRET)
        .doesNotContain("session=" + SECRET);
  }

  private static final String NAMED =
      """
      "authorization":{"typeName":"String","expression":{"type":"Secret","value":"payment-key"}},
      "secretHeaders":{"X-Custom":"Bearer ${payment-key}"},
      """;

  @Test
  void a_secret_goes_by_its_name_to_who_sends_it_and_is_kept_nowhere() throws Exception {
    publish("naming", endpoint("naming"), send("`${base}/echo`", NAMED));
    var response = get("naming");
    var request = asked.get(10, TimeUnit.SECONDS);
    var id = waitingInstance(request);
    var waiting = known(id);
    var sent = List.of(request.getHeader("Authorization"), request.getHeader("X-Custom"));
    request
        .response()
        .putHeader("X-Repeated", "it was " + SECRET)
        .putHeader("Content-Type", "application/json")
        .end("{\"authorization\":\"" + SECRET + "\"}");
    response.get(20, TimeUnit.SECONDS);
    node.awaitStatus(id, WorkflowStatus.Completed);

    assertThat(sent).containsExactly(SECRET, "Bearer " + SECRET);
    assertThat(waiting).anyMatch(text -> text.contains("${payment-key}"));
    assertThat(waiting).noneMatch(text -> text.contains(SECRET));
    assertThat(known(id)).noneMatch(text -> text.contains(SECRET));
  }

  @Test
  void what_an_instance_is_told_names_no_secret() throws Exception {
    var given =
        """
        "requestHeaders":{"typeName":"Object","expression":{"type":"JavaScript","value":"({'X-A': '${payment-key}', 'X-B': getRoute().name})"}},
        """;
    publish("telling", endpoint("telling/{name}"), send("`${base}/echo`", given));
    var response = get("telling/$%7Bpayment-key%7D");
    var request = asked.get(10, TimeUnit.SECONDS);
    var sent = List.of(request.getHeader("X-A"), request.getHeader("X-B"));
    request.response().end();
    response.get(20, TimeUnit.SECONDS);

    assertThat(sent).containsOnly("${payment-key}");
  }

  @Test
  void an_instance_whose_secret_is_not_there_has_an_incident_that_says_so() throws Exception {
    publish(
        "lacking", endpoint("lacking"), send("`${base}/user`", NAMED.replace("payment", "other")));

    var id = instance(get("lacking").get(20, TimeUnit.SECONDS));

    assertThat(node.get(id).incidents().toString())
        .contains("SecretMissing", "other-key", "there is no such file");
  }

  @Test
  void a_secret_is_refused_where_it_would_be_kept() {
    var content = "\"content\":{\"expression\":{\"type\":\"Secret\",\"value\":\"payment-key\"}},";
    assertRefused(content, "a secret can be Authorization or ConnectionString");
    assertRefused(NAMED.replace("payment-key", "../payment-key"), "a secret has a name of letters");
  }

  private void assertRefused(String given, String why) {
    assertThatThrownBy(() -> publish("keeping", send("`${base}/echo`", given)))
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.errors().toString()).contains(why));
  }

  @Test
  void credentials_that_a_workflow_sends_are_shown_to_nobody() throws Exception {
    var given =
        """
        "authorization":{"typeName":"String","expression":{"type":"Literal","value":"Bearer %s"}},
        "requestHeaders":{"typeName":"Object","expression":{"type":"Object","value":"{\\"X-Api-Key\\":\\"%s\\"}"}},
        """
            .formatted(SECRET, SECRET);
    publish("sending", endpoint("sending"), send("`${base}/stall?api_key=" + SECRET + "`", given));
    var response = get("sending");
    var request = asked.get(10, TimeUnit.SECONDS);
    var id = waitingInstance(request);

    var waiting = node.get(id);
    var api = "http://127.0.0.1:" + verticle.port() + "/elsa/api/workflow-instances/" + id;
    var shown =
        client.send(HttpRequest.newBuilder(URI.create(api)).build(), BodyHandlers.ofString());
    request.response().putHeader("Set-Cookie", "session=" + SECRET).end("done");
    response.get(20, TimeUnit.SECONDS);

    assertThat(request.getHeader("Authorization")).isEqualTo("Bearer " + SECRET);
    assertThat(request.getHeader("X-Api-Key")).isEqualTo(SECRET);
    assertThat(waiting.toString()).as("needed to repeat it").contains(SECRET);
    assertThat(shown.body()).contains("X-Api-Key").doesNotContain(SECRET);
    node.awaitStatus(id, WorkflowStatus.Completed);
    assertThat(known(id)).noneMatch(text -> text.contains(SECRET));
  }

  /**
   * The answer is known long after the commit of the start: until then no other caller is answered.
   */
  @Test
  void a_repetition_gets_the_answer_that_the_other_server_led_to() throws Exception {
    var first = get("stalling", "Idempotency-Key", "stalled");
    var request = asked.get(10, TimeUnit.SECONDS);
    var early = get("stalling", "Idempotency-Key", "stalled").get(20, TimeUnit.SECONDS);
    request.response().putHeader("Content-Type", "text/plain").end("late");

    var answer = first.get(20, TimeUnit.SECONDS);
    var again = get("stalling", "Idempotency-Key", "stalled").get(20, TimeUnit.SECONDS);

    assertThat(early.statusCode()).isEqualTo(409);
    assertThat(early.body()).contains("IDEMPOTENCY_KEY_IN_USE");
    assertThat(answer.body()).isEqualTo("late");
    assertThat(again.body()).isEqualTo("late");
    assertThat(instance(again)).isEqualTo(instance(answer));
    assertThat(again.headers().firstValue(KeyedCalls.REPLAYED)).hasValue("true");
    assertThat(keys).hasSize(1);
  }

  @Test
  void attempts_are_repeated_with_one_key_as_often_as_the_definition_says() {
    var response = get("retrying").join();

    var done = node.awaitStatus(instance(response), WorkflowStatus.Completed);

    assertThat(done.status()).isEqualTo(WorkflowStatus.Completed);
    assertThat(keys).hasSize(3).containsOnly(done.id() + ":3");
    assertThat(done.results().toString()).contains("at last");
  }

  @Test
  void a_file_that_is_sent_comes_back() throws Exception {
    var body =
        """
        --b\r
        Content-Disposition: form-data; name="who"\r
        \r
        Ann\r
        --b\r
        Content-Disposition: form-data; name="picture"; filename="a.txt"\r
        Content-Type: text/plain\r
        \r
        0123456789\r
        --b--\r
        """;
    var request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + verticle.port() + "/workflows/upload"))
            .header("Content-Type", "multipart/form-data; boundary=b")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();

    var whole = client.send(request, BodyHandlers.ofString());

    assertThat(whole.body()).isEqualTo("0123456789");
    assertThat(whole.headers().firstValue("Content-Type")).hasValue("text/plain; charset=utf-8");
    assertThat(whole.headers().firstValue("Content-Disposition"))
        .hasValue("attachment; filename=\"a.txt\"");
    assertThat(whole.headers().firstValue("ETag")).isPresent();
    var results = node.get(instance(whole)).results().toString();
    assertThat(results).contains("who=Ann", "filename=a.txt", "size=10");
  }

  @Test
  void an_endpoint_says_how_long_its_caller_is_kept() throws Exception {
    var response = get("slow").join();

    assertThat(response.statusCode()).isEqualTo(408);
    assertThat(response.body()).contains("TIMEOUT");
    asked.get(10, TimeUnit.SECONDS).response().end("done");
    var id = waitingInstance(asked.join());
    assertThat(node.awaitStatus(id, WorkflowStatus.Completed).status())
        .isEqualTo(WorkflowStatus.Completed);
  }

  @Test
  void cancelling_wins_over_a_request_that_is_under_way() throws Exception {
    var response = get("stalling");
    var request = asked.get(10, TimeUnit.SECONDS);
    var id = waitingInstance(request);

    node.ingress.cancel(id).await();
    request.response().end("too late");

    assertThat(node.get(id).status()).isEqualTo(WorkflowStatus.Cancelled);
    assertThat(response.get(20, TimeUnit.SECONDS).body()).doesNotContain("too late");
    assertThat(node.get(id).results()).doesNotContainKey("Send");
  }

  @Test
  void executing_tells_the_state_that_the_work_led_to() throws Exception {
    publish("told", send("`${base}/user`", ""));
    publish("ending", send("`${base}/stall`", ""), FAULT);

    var finished = execute("told");
    var answer = client.sendAsync(executeRequest("ending"), BodyHandlers.ofString());
    asked.get(10, TimeUnit.SECONDS).response().end("done");
    var faulted = answer.get(20, TimeUnit.SECONDS);

    assertThat(finished.statusCode()).isEqualTo(200);
    assertThat(finished.body()).contains("\"subStatus\":\"Finished\"");
    assertThat(finished.headers().firstValue("x-elsa-response")).hasValue("true");
    assertThat(faulted.statusCode()).isEqualTo(500);
    assertThat(faulted.body()).contains("\"subStatus\":\"Faulted\"", "broken on purpose");
    assertThat(faulted.headers().map()).doesNotContainKey("x-elsa-response");
  }

  private static String mail(String link) {
    return send("`${base}/mail?link=` + encodeURIComponent(" + link + ")", "");
  }

  private static String event(String name) {
    return """
    {"id":"%1$s","type":"Elsa.Event",
     "eventName":{"typeName":"String","expression":{"type":"Literal","value":"%1$s"}}}\
    """
        .formatted(name);
  }

  /** The link that was mailed, at the port of this test's server. */
  private URI link() throws Exception {
    var link = URI.create(Objects.requireNonNull(mailed.poll(20, TimeUnit.SECONDS), "no mail"));
    assertThat(link.toString()).startsWith("http://localhost:5001/");
    return URI.create(
        "http://127.0.0.1:"
            + verticle.port()
            + link.toString().substring(link.toString().indexOf('/', 8)));
  }

  private HttpResponse<String> post(URI link, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(link)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  @Test
  void a_mailed_link_publishes_its_event_once() throws Exception {
    publish("approval", mail("createEventTriggerUrl('Approved')"), event("Approved"));
    var id = node.start("approval");
    var link = link();

    var looked = client.send(HttpRequest.newBuilder(link).build(), BodyHandlers.ofString());
    var first = post(link, "{\"input\":{\"by\":\"kim\"}}");
    var again = post(link, "{}");

    assertThat(link.getPath()).isEqualTo("/elsa/api/events/trigger");
    assertThat(looked.statusCode()).isEqualTo(200);
    assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
    assertThat(again.statusCode()).as(again.body()).isEqualTo(410);
    assertThat(again.body()).contains("ALREADY_RESUMED");
    var done = node.awaitStatus(id, WorkflowStatus.Completed);
    assertThat(done.results().get("Approved")).isEqualTo(Map.of("Result", Map.of("by", "kim")));
    assertThat(keys).as("one request").hasSize(1);
  }

  @Test
  void a_mailed_link_resumes_the_activity_that_made_it_once() throws Exception {
    publish(
        "asking-once",
        """
        {"id":"Ask","type":"Skein.GenerateBookmarkTriggerUrl",
         "url":{"typeName":"String","memoryReference":{"id":"v"}},"body":%s}\
        """
            .formatted(mail("getRoute()")));
    var id = node.start("asking-once");
    var link = link();

    var first = post(link, "{\"input\":{\"by\":\"lee\"}}");
    var again = post(link, "{}");

    assertThat(link.getPath()).startsWith("/workflows/resume/");
    assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
    assertThat(again.statusCode()).as(again.body()).isEqualTo(410);
    var done = node.awaitStatus(id, WorkflowStatus.Completed);
    assertThat(String.valueOf(done.results().get("Ask"))).contains("by=lee");
  }

  @Test
  void a_mailed_link_that_has_expired_or_was_changed_does_nothing() throws Exception {
    publish("late", mail("createEventTriggerUrl('Approved', 'PT0.001S')"), event("Approved"));
    var id = node.start("late");
    var link = link();
    node.vertx.timer(20).await();

    var late = post(link, "{}");
    var changed = post(URI.create(link.toString().replaceFirst("=.{8}", "=AAAAAAAA")), "{}");

    assertThat(late.statusCode()).as(late.body()).isEqualTo(410);
    assertThat(late.body()).contains("TOKEN_EXPIRED");
    assertThat(changed.statusCode()).as(changed.body()).isEqualTo(404);
    assertThat(node.get(id).status()).isEqualTo(WorkflowStatus.Suspended);
  }

  private static final String FAULT =
      """
      {"id":"F","type":"Elsa.Fault","message":{"typeName":"String",
       "expression":{"type":"Literal","value":"broken on purpose"}}}\
      """;

  private HttpResponse<String> execute(String definitionId) throws Exception {
    return client.send(executeRequest(definitionId), BodyHandlers.ofString());
  }

  private HttpRequest executeRequest(String definitionId) {
    return HttpRequest.newBuilder(
            URI.create(
                "http://127.0.0.1:"
                    + verticle.port()
                    + "/elsa/api/workflow-definitions/"
                    + definitionId
                    + "/execute"))
        .timeout(Duration.ofSeconds(20))
        .POST(HttpRequest.BodyPublishers.noBody())
        .build();
  }

  /** Cut off from the database, a node cannot say any more that it works on it. */
  @Test
  void work_of_a_node_that_falls_silent_is_done_again_with_the_same_key() throws Exception {
    var silent = new OneNode(schema, HttpWorkIT::workers);
    silent.ingress.start(new Request.Start("asking", Map.of(), null, null, null, null, false));
    var first = asked.get(10, TimeUnit.SECONDS);
    asked = new CompletableFuture<>();

    silent.database.close().await();
    var second = asked.get(20, TimeUnit.SECONDS);
    second.response().end("from the second");

    var id = waitingInstance(first);
    assertThat(second.getHeader("Idempotency-Key")).isEqualTo(first.getHeader("Idempotency-Key"));
    assertThat(node.awaitStatus(id, WorkflowStatus.Completed).results().toString())
        .contains("from the second");
    silent.vertx.close();
  }
}
