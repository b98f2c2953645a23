package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import skein.activities.Activities;
import skein.cluster.Readiness;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.execution.OneNode;
import skein.messages.Request;
import skein.model.InstanceId;
import skein.model.WorkflowStatus;
import skein.storage.AlterationStore;
import skein.storage.Committer;
import skein.storage.TestDatabase;
import skein.work.HttpWorkOptions;
import skein.work.HttpWorker;
import skein.work.Worker;

/** Workflows that ask another server while somebody waits for their answer. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HttpWorkIT {
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<String> keys = Collections.synchronizedList(new ArrayList<>());
  private final List<HttpServerRequest> stalled = Collections.synchronizedList(new ArrayList<>());
  private CompletableFuture<HttpServerRequest> asked = new CompletableFuture<>();
  private final String schema = TestDatabase.newSchema();
  private OneNode node;
  private HttpServer other;
  private HttpVerticle verticle;

  private static List<Worker> workers(Vertx vertx) {
    return List.of(new HttpWorker(vertx, HttpWorkOptions.DEFAULT));
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
      case "/stall" -> {
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

  /** The answer is known long after the commit of the start: until then nobody else is answered. */
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

    assertThat(response.statusCode()).isEqualTo(504);
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
