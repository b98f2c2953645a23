package skein.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import skein.activities.SecretNames;
import skein.cluster.Readiness;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.execution.OneNode;
import skein.model.ErrorCode;
import skein.openapi.CheckedAnswers;
import skein.storage.TestDatabase;

/** The HTTP face over a real connection, with one node and a PostgreSQL behind it. */
@Tag("alone")
class HttpVerticleIT {
  private static final String API = "/elsa/api";
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final Readiness READINESS = new Readiness();
  private static OneNode node;
  private static HttpVerticle verticle;

  @BeforeAll
  static void start() {
    node = new OneNode();
    var options =
        HttpOptions.of(
            new HttpOptions.Listener("127.0.0.1", 0, URI.create("http://skein.test/"), 100),
            new HttpOptions.Timeouts(
                Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(1)),
            new HttpOptions.BodyLimits(
                JsonLimits.DEFAULT.withBytesMax(100_000), UploadLimits.DEFAULT));
    verticle = new HttpVerticle(dependencies(), options);
    node.vertx.deployVerticle(verticle).await();
    READINESS.advanceTo(Readiness.Phase.READY);
    publish("hello", line("W", "hi"));
    publish("waits", event("E", "go", false) + "," + line("W", "went on"));
    publish(
        "orders",
        endpoint("In", "orders/{id}", true)
            + ","
            + response("R", "`order ${getRoute().id}`", "JavaScript"));
    publish(
        "approvals",
        endpoint("In", "approvals/begin", true)
            + ","
            + endpoint("Next", "approvals/{id}/approve", false)
            + ","
            + response("R", "`approved ${getRoute().id}`", "JavaScript"));
  }

  private static HttpDependencies dependencies() {
    return HttpFixture.dependencies(node, READINESS);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @Test
  void a_started_instance_is_created_and_shown() throws Exception {
    var started = post("/workflow-instances", "{\"definitionId\":\"hello\"}");

    assertThat(started.statusCode()).isEqualTo(201);
    var location = started.headers().firstValue("Location").orElseThrow();
    var shown = json(send("GET", location, null));
    assertThat(shown).containsEntry("status", "Finished").containsEntry("definitionId", "hello");
    var records =
        json(
            send(
                "GET",
                API + "/activity-executions/list?workflowInstanceId=" + shown.get("id"),
                null));
    assertThat(records.toString()).contains("Text=hi");
    var journal = json(send("GET", location + "/journal?take=1", null));
    assertThat((List<?>) journal.get("items")).hasSize(1);
  }

  @Test
  void the_same_idempotency_key_starts_once() throws Exception {
    var body = "{\"definitionId\":\"hello\",\"input\":{\"a\":1}}";

    var first = send("POST", API + "/workflow-instances", body, "Idempotency-Key", "k1");
    var second = send("POST", API + "/workflow-instances", body, "Idempotency-Key", "k1");
    var other =
        send(
            "POST",
            API + "/workflow-instances",
            "{\"definitionId\":\"hello\"}",
            "Idempotency-Key",
            "k1");

    assertThat(id(second)).isEqualTo(id(first));
    assertThat(other.statusCode()).isEqualTo(422);
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void of_headers_there_are_so_many_at_most(HttpClient.Version version) throws Exception {
    try (var client = HttpClient.newBuilder().version(version).build()) {
      var uri = URI.create("http://127.0.0.1:" + verticle.port() + "/health/live");
      var few = client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
      var many = HttpRequest.newBuilder(uri);
      for (int i = 0; i < 300; i++) {
        many.header("a", "b");
      }

      var refused = client.send(many.build(), BodyHandlers.ofString());

      assertThat(few.statusCode()).isEqualTo(200);
      assertThat(refused.version()).isEqualTo(version);
      assertThat(refused.statusCode()).isEqualTo(431);
      assertThat(json(refused)).containsEntry("code", "TOO_LARGE");
      assertThat(client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()))
          .extracting(HttpResponse::statusCode)
          .isEqualTo(200);
    }
  }

  @Test
  void the_second_resume_is_told_so() throws Exception {
    var id = id(post("/workflow-instances", "{\"definitionId\":\"waits\"}"));

    var first = post("/workflow-instances/" + id + "/resume", "{}");
    var second = post("/workflow-instances/" + id + "/resume", "");

    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(json(first))
        .containsEntry("status", "Resumed")
        .containsEntry("workflowInstanceId", id);
    assertThat(second.statusCode()).isEqualTo(409);
    assertThat(json(second)).containsEntry("code", "ALREADY_RESUMED");
  }

  @Test
  void of_many_resumes_at_once_one_is_done_and_all_others_are_told_so() throws Exception {
    var id = id(post("/workflow-instances", "{\"definitionId\":\"waits\"}"));
    var request = request("POST", API + "/workflow-instances/" + id + "/resume", "{}");

    var answers =
        Stream.generate(() -> CLIENT.sendAsync(request, BodyHandlers.ofString()))
            .limit(40)
            .toList();

    var statuses = answers.stream().map(answer -> answer.join().statusCode()).toList();
    assertThat(statuses).containsOnly(200, 409);
    assertThat(statuses).containsOnlyOnce(200);
  }

  @Test
  void a_token_whose_request_names_no_time_expires_after_the_default() throws Exception {
    var id = id(post("/workflow-instances", "{\"definitionId\":\"waits\"}"));

    var minted = post("/workflow-instances/" + id + "/bookmarks/" + id + "-1/tokens", "{}");

    assertThat(minted.statusCode()).isEqualTo(201);
    assertThat(Instant.parse((String) json(minted).get("expiresAt")))
        .isBetween(
            Instant.now().plus(Duration.ofDays(30)).minusSeconds(60),
            Instant.now().plus(Duration.ofDays(30)).plusSeconds(60));
  }

  @Test
  void looking_at_a_resume_link_does_not_use_it_up() throws Exception {
    var id = id(post("/workflow-instances", "{\"definitionId\":\"waits\"}"));
    var minted =
        post("/workflow-instances/" + id + "/bookmarks/" + id + "-1/tokens", "{\"expiresIn\":60}");
    assertThat(minted.statusCode()).isEqualTo(201);
    var link = (String) json(minted).get("url");
    assertThat(link).startsWith("http://skein.test/workflows/resume/");
    var path = URI.create(link).getPath();

    var page = send("GET", path, null);
    var head = send("HEAD", path, null);
    var used = send("POST", path, "{}");
    var again = send("POST", path, "{}");

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("Cache-Control")).contains("no-store");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
        .contains("default-src 'none'");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(used.statusCode()).isEqualTo(200);
    assertThat(json(used)).containsEntry("workflowInstanceId", id);
    assertThat(again.statusCode()).isEqualTo(410);
  }

  @Test
  void a_form_gets_a_page_and_a_bad_token_tells_nothing() throws Exception {
    var answer =
        send(
            "POST",
            "/workflows/resume/nonsense",
            "",
            "Content-Type",
            "application/x-www-form-urlencoded");

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).startsWith("<!doctype html>").contains("not valid");
  }

  @Test
  void a_request_starts_the_workflow_that_answers_it() throws Exception {
    var answer = send("GET", "/workflows/Orders/a%20b", null);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("order a b");
    assertThat(answer.headers().firstValue("x-elsa-workflow-instance-id")).isPresent();
    var missing = send("POST", "/workflows/orders/1", "");
    assertThat(missing.statusCode()).isEqualTo(404);
    assertThat(json(missing)).containsEntry("code", "NO_ENDPOINT");
  }

  @Test
  void a_request_finds_the_instance_that_waits_at_a_template() throws Exception {
    var a = send("GET", "/workflows/approvals/begin?workflowInstanceId=wait-a", null);
    var b = send("GET", "/workflows/approvals/begin?workflowInstanceId=wait-b", null);
    assertThat(List.of(a.statusCode(), b.statusCode())).containsExactly(200, 200);

    var ambiguous = send("GET", "/workflows/approvals/7/approve", null);
    var named =
        send("GET", "/workflows/approvals/7/approve", null, "X-Workflow-Instance-ID", "wait-a");
    var only = send("GET", "/workflows/approvals/8/approve", null);
    var none = send("GET", "/workflows/approvals/9/approve", null);

    assertThat(ambiguous.statusCode()).isEqualTo(409);
    assertThat(json(ambiguous).get("errors"))
        .asInstanceOf(MAP)
        .extractingByKey("generalErrors", LIST)
        .hasSize(2);
    assertThat(named.body()).isEqualTo("approved 7");
    assertThat(only.body()).isEqualTo("approved 8");
    assertThat(none.statusCode()).isEqualTo(404);
  }

  @Test
  void of_requests_that_come_at_once_for_one_wait_one_resumes_it() throws Exception {
    assertThat(send("GET", "/workflows/approvals/begin?workflowInstanceId=wait-c", null))
        .returns(200, HttpResponse::statusCode);

    var approve =
        Collections.nCopies(
            8,
            (Callable<HttpResponse<String>>)
                () ->
                    send(
                        "GET",
                        "/workflows/approvals/11/approve",
                        null,
                        "X-Workflow-Instance-ID",
                        "wait-c"));
    var answers = new ArrayList<HttpResponse<String>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var answer : threads.invokeAll(approve)) {
        answers.add(answer.get());
      }
    }

    assertThat(answers)
        .filteredOn(answer -> answer.statusCode() == 200)
        .extracting(HttpResponse::body)
        .containsExactly("approved 11");
    assertThat(answers)
        .filteredOn(answer -> answer.statusCode() != 200)
        .extracting(HttpResponse::statusCode)
        .isSubsetOf(404, 409);
  }

  @Test
  void callers_choose_no_ids_of_instances_where_they_may_not() throws Exception {
    var strict =
        new HttpVerticle(
            dependencies(),
            HttpOptions.of("127.0.0.1", 0, URI.create("http://skein.test"))
                .with(new Callers(SecretNames.DEFAULT, false, List.of(), false)));
    var deployment = node.vertx.deployVerticle(strict).await();
    var begin = "http://127.0.0.1:" + strict.port() + "/workflows/approvals/begin";
    var header = HttpRequest.newBuilder(URI.create(begin));
    header.header("X-Workflow-Instance-ID", "chosen-a");
    var query = HttpRequest.newBuilder(URI.create(begin + "?workflowInstanceId=chosen-b"));
    send("GET", "/workflows/approvals/begin", null, "X-Workflow-Instance-ID", "chosen-c");
    var next = URI.create(begin.replace("begin", "6/approve"));
    var waiting = HttpRequest.newBuilder(next).header("X-Workflow-Instance-ID", "chosen-c");

    var codes = new ArrayList<Integer>();
    for (var request : List.of(header, query, waiting)) {
      codes.add(CLIENT.send(request.build(), BodyHandlers.ofString()).statusCode());
    }

    assertThat(codes).containsExactly(200, 200, 200);
    assertThat(send("GET", API + "/workflow-instances/chosen-a", null).statusCode()).isEqualTo(404);
    assertThat(send("GET", API + "/workflow-instances/chosen-b", null).statusCode()).isEqualTo(404);
    assertThat(json(send("GET", API + "/workflow-instances/chosen-c", null)))
        .containsEntry("status", "Finished");
    node.vertx.undeploy(deployment).await();
  }

  @Test
  void an_event_resumes_all_who_wait_for_it() throws Exception {
    var id = id(post("/workflow-instances", "{\"definitionId\":\"waits\"}"));

    var delivered = post("/events/go/trigger", "{\"workflowInstanceId\":\"" + id + "\"}");

    assertThat(delivered.statusCode()).isEqualTo(200);
    assertThat(json(delivered)).containsEntry("resumed", 1L);
  }

  @Test
  void an_invalid_definition_is_refused_with_all_that_is_wrong() throws Exception {
    assertThat(post("/workflow-definitions/import", "{\"definitionId\":\"bad\"}").statusCode())
        .isEqualTo(400);
    assertThat(post("/workflow-definitions/nobody/publish", "").statusCode()).isEqualTo(404);
    assertThat(post("/workflow-definitions/nobody/execute", "").statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "[1]",
        "{\"definitionId\":1}",
        "{\"definitionId\":\"hello\",\"input\":[]}",
        "{\"definitionId\":\"hello\",\"instanceId\":\"../etc\"}",
        "{\"definitionId\":\"hello\",\"input\":{\"a\":\"\\u0000\"}}",
        "{\"definitionId\":\"hello\",\"input\":{\"a\":\"\\ud800\"}}",
        "{\"definitionId\":\"hello\",\"definitionId\":\"hello\"}",
        "{\"definitionId\":\"hello\",\"input\":{\"a\":NaN}}"
      })
  void a_bad_body_is_a_problem(String body) throws Exception {
    var answer = post("/workflow-instances", body);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("application/problem+json");
  }

  @Test
  void what_is_too_large_too_deep_or_not_json_is_refused_before_it_is_read() throws Exception {
    var large = post("/workflow-instances", "{\"a\":\"" + "x".repeat(200_000) + "\"}");
    var deep = post("/workflow-instances", "[".repeat(10_000));
    var xml = send("POST", API + "/workflow-instances", "<a/>", "Content-Type", "text/xml");
    var form =
        send(
            "POST",
            API + "/workflow-instances",
            "a=b",
            "Content-Type",
            "application/x-www-form-urlencoded");
    var packed = send("POST", API + "/workflow-instances", "{}", "Content-Encoding", "gzip");

    assertThat(large.statusCode()).isEqualTo(413);
    assertThat(json(large)).containsEntry("code", "TOO_LARGE");
    assertThat(deep.statusCode()).isEqualTo(400);
    assertThat(xml.statusCode()).isEqualTo(415);
    assertThat(form.statusCode()).isEqualTo(415);
    assertThat(packed.statusCode()).isEqualTo(415);
  }

  @Test
  void what_to_do_after_a_refusal_can_be_asked() throws Exception {
    var refused = json(post("/workflow-definitions/nobody/execute", ""));

    var all = json(send("GET", API + "/errors", null));
    var one = json(send("GET", API + "/errors?code=" + refused.get("code"), null));

    assertThat(all).containsEntry("totalCount", (long) ErrorCode.values().length);
    assertThat((List<?>) all.get("items")).hasSameSizeAs(ErrorCode.values());
    assertThat((List<?>) one.get("items"))
        .singleElement(InstanceOfAssertFactories.map(String.class, Object.class))
        .containsEntry("code", refused.get("code"))
        .containsEntry("type", refused.get("type"))
        .containsEntry("status", refused.get("status"))
        .containsEntry("mayRepeat", false)
        .containsEntry("help", "correct the id; `GET /elsa/api/workflow-definitions` lists all");
  }

  @ParameterizedTest
  @EnumSource
  void a_body_that_comes_in_pieces_is_read_whole_up_to_its_limit(HttpClient.Version version)
      throws Exception {
    var start = "{\"definitionId\":\"hello\",\"input\":{\"a\":\"";
    var most = "x".repeat(60_000);

    var whole = CLIENT.send(pieces(version, start, most, "\"}}"), BodyHandlers.ofString());
    var large = CLIENT.send(pieces(version, start, most, most, "\"}}"), BodyHandlers.ofString());

    assertThat(whole.statusCode()).as(whole.body()).isLessThan(300);
    assertThat(json(send("GET", API + "/workflow-instances/" + json(whole).get("id"), null)))
        .extracting("workflowState")
        .asString()
        .contains(most);
    assertThat(large.statusCode()).isEqualTo(413);
    assertThat(json(large)).containsEntry("code", "TOO_LARGE");
  }

  /** Without a length that is announced. */
  private static HttpRequest pieces(HttpClient.Version version, String... pieces) {
    var body = Stream.of(pieces).map(piece -> piece.getBytes(StandardCharsets.US_ASCII)).toList();
    return HttpRequest.newBuilder(request("POST", API + "/workflow-instances", null).uri())
        .timeout(Duration.ofSeconds(20))
        .version(version)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofByteArrays(body))
        .build();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/workflow-instances/..%2f..%2fetc",
        "/workflow-instances/a%00b",
        "/workflow-instances/%C3%BC",
        "/workflow-instances?searchTerm=%00",
        "/workflow-instances?pageSize=-1",
        "/activity-executions/nothing",
        "/workflow-definitions/a?versionOptions=Best"
      })
  void a_bad_address_is_a_problem(String path) throws Exception {
    var answer = send("GET", API + path, null);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(json(answer)).containsKey("code");
  }

  @Test
  void an_unknown_path_is_404_and_a_wrong_method_405_with_the_right_ones() throws Exception {
    var unknown = send("GET", API + "/nothing/here", null);
    var wrong = send("PATCH", API + "/workflow-instances", "");

    assertThat(unknown.statusCode()).isEqualTo(404);
    assertThat(json(unknown)).containsEntry("code", "NOT_FOUND");
    assertThat(wrong.statusCode()).isEqualTo(405);
    assertThat(json(wrong)).containsEntry("code", "METHOD_NOT_ALLOWED");
    assertThat(wrong.headers().firstValue("Allow").orElseThrow()).contains("GET").contains("POST");
  }

  @Test
  void health_and_the_first_page_answer() throws Exception {
    for (var path : List.of("/health/live", "/health/ready", "/health/started", "/")) {
      assertThat(send("GET", path, null).statusCode()).as(path).isEqualTo(200);
    }
    assertThat(json(send("GET", "/health/ready", null)).toString())
        .contains("name=database, status=UP");
    assertThat(send("GET", "/", null, "Accept", "text/html").body()).contains("<h1>Skein</h1>");
  }

  @Test
  void a_node_that_is_no_member_any_more_is_neither_ready_nor_alive() throws Exception {
    node.setRunning(false);
    try {
      var ready = send("GET", "/health/ready", null);
      long end = System.nanoTime() + 10_000_000_000L;
      while (ready.statusCode() == 200 && System.nanoTime() < end) {
        Thread.sleep(20); // For a moment it is told what was found last.
        ready = send("GET", "/health/ready", null);
      }
      assertThat(ready.statusCode()).isEqualTo(503);
      assertThat(ready.body()).contains("not a member of its cluster any more");
      assertThat(send("GET", "/health/live", null).statusCode()).isEqualTo(503);
    } finally {
      node.setRunning(true);
    }
    assertThat(send("GET", "/health/live", null).statusCode()).isEqualTo(200);
  }

  @Test
  void a_broken_request_line_does_not_hurt_the_server() throws Exception {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), verticle.port())) {
      socket.setSoTimeout(5_000);
      var out = socket.getOutputStream();
      out.write(
          "GET / HTTP/1.1\r\nHost: x\r\nBad Header: y\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      out.flush();
      assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
          .isEqualTo("HTTP/1.1 400");
    }
    assertThat(send("GET", "/health/live", null).statusCode()).isEqualTo(200);
  }

  @Test
  void a_request_may_take_longer_than_a_connection_may_be_idle() throws Exception {
    var idle = Duration.ofSeconds(1);
    var options =
        HttpOptions.of(
            new HttpOptions.Listener("127.0.0.1", 0, URI.create("http://skein.test/"), 100),
            new HttpOptions.Timeouts(idle, Duration.ofSeconds(10), Duration.ofSeconds(1)),
            new HttpOptions.BodyLimits(JsonLimits.DEFAULT, UploadLimits.DEFAULT));
    var patient = new HttpVerticle(dependencies(), options);
    var deployment = node.vertx.deployVerticle(patient).await();
    var uri = "http://127.0.0.1:" + patient.port() + API + "/workflow-definitions/hello";
    var lock =
        PgConnection.connect(node.vertx, PgConnectOptions.fromUri(TestDatabase.uri())).await();
    var schema = node.database.options().schema();
    lock.query("begin; lock table " + schema + ".workflow_definitions").execute().await();

    var asked =
        CLIENT.sendAsync(HttpRequest.newBuilder(URI.create(uri)).build(), BodyHandlers.ofString());
    assertThatThrownBy(() -> asked.get(2 * idle.toMillis() + 500, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    lock.query("commit").execute().await();

    assertThat(asked.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    lock.close().await();
    node.vertx.undeploy(deployment).await();
  }

  /** The guide's ingress lets ten megabytes through. */
  @Test
  void a_definition_of_ten_megabytes_is_saved_and_anything_else_of_that_size_refused()
      throws Exception {
    var start = "{\"definitionId\":\"large\",\"root\":{\"id\":\"S\",\"type\":\"Elsa.Sequence\",";
    var notes = "\"notes\":[" + ("\"" + "n".repeat(98) + "\",").repeat(99_000) + "0]}}";
    var pieces = Stream.of(start, notes).map(text -> text.getBytes(StandardCharsets.UTF_8));
    var saved = post("/workflow-definitions", start + notes);
    var inPieces =
        CLIENT.send(
            HttpRequest.newBuilder(
                    URI.create(
                        "http://127.0.0.1:"
                            + verticle.port()
                            + API
                            + "/workflow-definitions/large"))
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofByteArrays(pieces.toList()))
                .build(),
            BodyHandlers.ofString());
    var tooLarge = post("/workflow-definitions/import", start + " ".repeat(1 << 20) + notes);
    var elsewhere = post("/workflow-definitions/large/publish", start + notes);

    assertThat(saved.statusCode()).as(saved.body()).isEqualTo(200);
    assertThat(inPieces.statusCode()).as(inPieces.body()).isEqualTo(200);
    assertThat(send("GET", API + "/workflow-definitions/large", null).body())
        .hasSizeGreaterThan(9_900_000);
    assertThat(tooLarge.statusCode()).isEqualTo(413);
    assertThat(String.valueOf(json(tooLarge).get("detail"))).contains("http.definition-bytes-max");
    assertThat(elsewhere.statusCode()).isEqualTo(413);
    assertThat(String.valueOf(json(elsewhere).get("detail"))).contains("http.body-bytes-max");
  }

  @ParameterizedTest
  @CsvSource({
    "/workflow-instances, application/json, 100000, 100, ''",
    "/workflow-instances, application/json, 100001, 413, http.body-bytes-max (100000)",
    "/workflow-definitions, application/json, 10485761, 413, http.definition-bytes-max (10485760)",
    "/workflow-definitions/import-files, multipart/form-data; boundary=b, 16777217, 100, ''",
    "/workflow-definitions/import-files, multipart/form-data; boundary=b, 99999999, 413,"
        + " http.uploads.bytes-max (16777216)",
    "/workflow-instances, application/x-www-form-urlencoded, 100001, 413, http.body-bytes-max"
  })
  void who_waits_for_leave_to_send_too_much_is_not_given_it(
      String path, String type, long length, int status, String why) throws Exception {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), verticle.port())) {
      socket.setSoTimeout(10_000);
      var head =
          "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\nContent-Length: %d\r\n"
              .formatted(API + path, type, length);
      var out = socket.getOutputStream();
      out.write((head + "Expect: 100-continue\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      out.flush();
      var in = socket.getInputStream();

      var line = new String(in.readNBytes(12), StandardCharsets.US_ASCII);

      assertThat(line).isEqualTo("HTTP/1.1 " + status);
      if (status == 413) { // and the connection is closed: it is unknown whether a body follows
        assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
            .containsIgnoringCase("connection: close")
            .contains("TOO_LARGE", why);
      }
    }
  }

  @Test
  void one_large_definition_is_taken_at_a_time_and_small_ones_beside_it() throws Exception {
    var definition =
        "{\"definitionId\":\"%s\",\"root\":{\"id\":\"S\",\"type\":\"Elsa.Sequence\"%s}}";
    var large = definition.formatted("second", ",\"notes\":\"" + "n".repeat(150_000) + "\"");
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), verticle.port())) {
      var head =
          "POST "
              + API
              + "/workflow-definitions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
      var out = socket.getOutputStream();
      out.write(
          (head + "Content-Length: 5000000\r\nExpect: 100-continue\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      out.flush();
      assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
          .isEqualTo("HTTP/1.1 100");

      var refused = post("/workflow-definitions", large);
      var small = post("/workflow-definitions", definition.formatted("small", ""));

      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
      assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
      assertThat(json(refused)).containsEntry("code", "OVERLOADED");
      assertThat(small.statusCode()).as(small.body()).isEqualTo(200);
    }
    var end = Instant.now().plusSeconds(10);
    while (post("/workflow-definitions", large).statusCode() != 200) {
      assertThat(Instant.now()).as("room again").isBefore(end);
    }
  }

  private static HttpResponse<String> post(String path, String body)
      throws IOException, InterruptedException {
    return send("POST", API + path, body);
  }

  private static HttpResponse<String> send(
      String method, String path, @Nullable String body, String... headers)
      throws IOException, InterruptedException {
    return CheckedAnswers.of(
        CLIENT.send(request(method, path, body, headers), BodyHandlers.ofString()));
  }

  private static HttpRequest request(
      String method, String path, @Nullable String body, String... headers) {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + verticle.port() + path))
            .timeout(Duration.ofSeconds(20))
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (body != null && !List.of(headers).contains("Content-Type")) {
      request.header("Content-Type", "application/json");
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    return request.build();
  }

  private static Map<String, @Nullable Object> json(HttpResponse<String> response) {
    return JsonText.parseObject(response.body(), JsonLimits.STORED);
  }

  private static String id(HttpResponse<String> response) {
    return String.valueOf(json(response).get("workflowInstanceId"));
  }

  private static void publish(String definitionId, String activities) {
    var json =
        "{\"definitionId\":\"%s\",\"name\":\"%s\",\"variables\":[{\"id\":\"v\",\"name\":\"Route\",\"typeName\":\"Object\"}],\"root\":{\"id\":\"S\",\"type\":\"Elsa.Sequence\",\"activities\":[%s]}}"
            .formatted(definitionId, definitionId, activities);
    node.definitions.saveAndPublish(JsonText.parseObject(json, JsonLimits.DEFAULT), null).await();
  }

  private static String line(String id, String text) {
    return activity(id, "Elsa.WriteLine", false, input("text", "Literal", text));
  }

  private static String event(String id, String name, boolean start) {
    return activity(id, "Elsa.Event", start, input("eventName", "Literal", name));
  }

  private static String endpoint(String id, String path, boolean start) {
    return activity(
        id,
        "Elsa.HttpEndpoint",
        start,
        input("path", "Literal", path),
        "\"routeData\":{\"typeName\":\"Object\",\"memoryReference\":{\"id\":\"v\"}}");
  }

  private static String response(String id, String content, String language) {
    return activity(id, "Elsa.WriteHttpResponse", false, input("content", language, content));
  }

  private static String input(String name, String language, String value) {
    return "\"%s\":{\"typeName\":\"String\",\"expression\":{\"type\":\"%s\",\"value\":%s}}"
        .formatted(name, language, JsonText.print(value));
  }

  private static String activity(String id, String type, boolean start, String... inputs) {
    var members = new ArrayList<>(List.of(inputs));
    members.add("\"id\":\"" + id + "\"");
    members.add("\"type\":\"" + type + "\"");
    members.add("\"version\":1");
    members.add("\"customProperties\":{\"canStartWorkflow\":" + start + "}");
    return "{" + String.join(",", members) + "}";
  }
}
