package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import skein.node.dev.Ports;

/** Callers who mean harm, over HTTP, on a node whose times to wait are short. */
@ExtendWith(TestClusters.class)
@TestInstance(Lifecycle.PER_CLASS)
@Tag("long")
@Tag("alone")
class HostileHttpIT {
  private static final Duration FREED = Duration.ofSeconds(45);
  private static final Map<String, String> SETTINGS =
      Map.of(
          "http.header-timeout", "5s",
          "http.body-timeout", "5s",
          "http.send-timeout", "5s",
          "http.idle-timeout", "35s",
          "http.connections-max", "8000");

  private final TestCluster cluster;
  private final int port = Ports.free(1).getFirst();
  private Siege siege;

  HostileHttpIT(TestPostgres postgres) {
    cluster = new TestCluster(postgres, TestClusters.folder(), "hostile", List.of(port), SETTINGS);
  }

  @BeforeAll
  void start() {
    cluster.startAll();
    cluster.api(0).publish(Workflows.lines("large", "x".repeat(900_000)));
    siege = new Siege(cluster.node(0), port);
  }

  /** A node that the test before has brought down. */
  @BeforeEach
  void isThere() {
    cluster.startAll();
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @ParameterizedTest
  @EnumSource
  void an_attack_that_others_hardly_notice(HttpAttack attack) throws Exception {
    var attacker = new AtomicReference<Attacker>();
    siege.withstands(
        attack.toString(),
        FREED,
        () -> {
          attacker.set(Attacker.start(port, attack));
          return attacker.get();
        });
    assertThat(attacker.get().connections())
        .as("connections that it has made")
        .isGreaterThanOrEqualTo(attack.connectionsMin());
  }

  @Test
  void requests_that_lie_about_themselves() {
    try (var sockets = new RawSockets(port)) {
      var body = "{\"definitionId\":\"no\"}";
      for (var lie :
          List.of(
              "Content-Length: -1",
              "Content-Length: 99999999999999999999",
              "Content-Length: 5\r\nContent-Length: 21",
              "Transfer-Encoding: chunked")) {
        assertThat(sockets.ask(HttpAttack.HEAD + lie + "\r\n\r\n" + body))
            .as(lie)
            .matches("(?s)(HTTP/1.1 400 .*)?"); // or the connection is closed
      }
      assertThat(sockets.ask(HttpAttack.HEAD + "Content-Length: 2000000000\r\n\r\n" + body))
          .startsWith("HTTP/1.1 413")
          .contains("TOO_LARGE");
    }
  }

  /** What follows must not be served, however it is meant. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /workflows/x HTTP/1.1|Host: localhost|Transfer-Encoding: chunked|Content-Length: 4||0||",
        "POST /workflows/x HTTP/1.0|Host: localhost|Transfer-Encoding: chunked|Content-Length: 4||0||",
        "POST /workflows/x HTTP/1.0|Host: localhost|Transfer-Encoding: chunked||0||",
        "POST /workflows/x HTTP/1.1|Host: localhost|Transfer-Encoding: xchunked||",
        "POST /workflows/x HTTP/1.1|Host: localhost|Transfer-Encoding: chunked, identity||0||",
        "POST /workflows/x HTTP/1.1|Host: localhost|Transfer-Encoding: chunked|Transfer-Encoding: chunked||0||",
        "POST /workflows/x HTTP/1.1|Host: localhost|Transfer-Encoding:| chunked||0||",
        "POST /workflows/x HTTP/1.1|Host: localhost|Transfer-Encoding: chunked||100000002|ab|0||",
        "POST /workflows/x HTTP/1.1|Host: localhost|Transfer-Encoding: chunked||2|abc|0||",
        "POST /workflows/x HTTP/1.1|Host: localhost|Content-Length: 0|Content-Length: 0||",
        "GET /health/live HTTP/1.1|Host: localhost|Sec-WebSocket-Key1: a|Sec-WebSocket-Key2: b||",
        "GET /health/live HTTP/1.1|Host: localhost|Host: localhost||",
        "GET /health/live HTTP/1.1||",
        "GET http://other/health/live HTTP/1.1|Host: localhost||",
        "GET /workflows/../elsa/api/cluster HTTP/1.1|Host: localhost||"
      })
  void a_request_whose_end_or_path_is_in_doubt_is_the_last_of_its_connection(String request) {
    var served = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
    try (var sockets = new RawSockets(port)) {
      var answers = sockets.ask(served + request.replace("|", "\r\n") + served);

      assertThat(answers.split("HTTP/1.1 ", -1))
          .satisfiesExactly(
              before -> assertThat(before).isEmpty(),
              first -> assertThat(first).startsWith("200 "),
              last ->
                  assertThat(last)
                      .startsWith("400 ")
                      .contains("application/problem+json", "_AMBIGUOUS\""));
    }
  }

  @Test
  void a_refused_head_request_has_an_answer_without_a_body() {
    try (var sockets = new RawSockets(port)) {
      for (var doubt : List.of("no colon\r\n", "A: b\r\n".repeat(300))) {
        assertThat(
                sockets.ask("HEAD /health/live HTTP/1.1\r\nHost: localhost\r\n" + doubt + "\r\n"))
            .matches("(?s)HTTP/1.1 4(00|31) .*")
            .endsWith("\r\n\r\n")
            .containsOnlyOnce("\r\n\r\n");
      }
    }
  }

  @Test
  void no_connection_becomes_one_of_http_2_that_has_begun_otherwise() {
    var upgrade =
        "GET /health/live HTTP/1.1|Host: localhost|Connection: Upgrade, HTTP2-Settings|"
            + "Upgrade: h2c|HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA||";
    try (var sockets = new RawSockets(port)) {
      assertThat(sockets.ask(upgrade.replace("|", "\r\n"))).startsWith("HTTP/1.1 200 ");
      assertThat(sockets.ask("GET /health/live HTTP/1.0\r\n\r\n")).contains(" 200 OK");
    }
  }

  @Test
  void http_2_has_the_same_paths() {
    try (var sockets = new RawSockets(port)) {
      assertThat(http2(sockets, "/health/live")).contains("\"UP\"");
      assertThat(http2(sockets, "/workflows/../elsa/api/cluster")).contains("PATH_AMBIGUOUS");
      assertThat(http2(sockets, "/%65lsa/api/cluster")).contains("PATH_AMBIGUOUS");
    }
  }

  private static String http2(RawSockets sockets, String path) {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(H2Frames.PREFACE);
    bytes.writeBytes(H2Frames.settings());
    bytes.writeBytes(H2Frames.get(1, path));
    return sockets.ask(bytes.toByteArray());
  }

  @Test
  void who_awaits_no_answers_does_not_hold_up_others() throws IOException {
    int count = 500;
    var request = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
    try (var sockets = new RawSockets(port)) {
      var impatient = sockets.connect();
      RawSockets.send(impatient, request.repeat(count));
      var other = sockets.connect();
      RawSockets.send(other, request);
      assertThat(other.getInputStream().read()).isEqualTo('H');
      assertThat(impatient.getInputStream().available())
          .as("bytes answered")
          .isLessThan(count * 50);
      var answers = new Scanner(impatient.getInputStream(), StandardCharsets.ISO_8859_1);
      for (int i = 0; i < count; i++) {
        assertThat(answers.findWithinHorizon("HTTP/1.1 200 OK", 0)).isNotNull();
      }
    }
  }

  /** Some of these the decoder of forms does not foresee. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "PUT /health/live; application/x-www-form-urlencoded; a=b&c=%zz; 400",
        "PUT /health/live; multipart/form-data; boundary=b; 400",
        "POST /elsa/api/events/x/trigger; multipart/form-data; boundary=b; 415",
        "POST /elsa/api/workflow-definitions/import-files; multipart/form-data; boundary=b; 400",
        "POST /workflows/none; multipart/form-data; boundary=b; 400",
        "GET /elsa/api/cluster; multipart/form-data; x; 200",
        "GET /elsa/api/cluster; application/x-www-form-urlencoded; a=%zz; 200",
        "GET /workflows/none; multipart/form-data; x; 404",
        "GET /elsa/api/workflow-definitions/import-files; multipart/form-data; x; 404"
      })
  void a_form_that_cannot_be_read_is_a_mistake_of_its_sender(
      String line, String type, String form, int status) {
    boolean parts = form.startsWith("boundary=");
    var body = parts ? "--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n" : form;
    var head = line + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: " + type;
    try (var sockets = new RawSockets(port)) {
      var answer =
          sockets.ask(
              head
                  + (parts ? "; " + form : "")
                  + "\r\nContent-Length: "
                  + body.length()
                  + "\r\n\r\n"
                  + body);

      assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
      assertThat(status != 400 || answer.contains("\"INVALID_REQUEST\"")).as(answer).isTrue();
    }
  }

  @Test
  void who_leaves_while_he_sends_is_no_failure_of_the_node() throws Exception {
    long before = failures();
    try (var sockets = new RawSockets(port)) {
      for (var type :
          List.of("application/json", "application/x-www-form-urlencoded", "multipart/form-data")) {
        var socket = sockets.connect();
        RawSockets.send(
            socket,
            "POST /elsa/api/events/x/trigger HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                + type
                + "; boundary=b\r\nContent-Length: 100\r\n\r\na=");
        Thread.sleep(300); // so that it has begun there
        socket.close();
      }
    }
    assertThat(Eventually.isTrue(Duration.ofSeconds(2), () -> failures() > before))
        .as("lines of failures in the log")
        .isFalse();
  }

  private long failures() {
    return cluster.node(0).output().stream()
        .filter(line -> line.contains("request.failed"))
        .count();
  }

  @Test
  void headers_that_are_too_large() {
    try (var sockets = new RawSockets(port)) {
      var line = "GET / HTTP/1.1\r\nHost: localhost\r\n";
      assertThat(sockets.ask("GET /" + "x".repeat(100_000) + " HTTP/1.1\r\n\r\n"))
          .contains(" 414 ");
      assertThat(sockets.ask(line + "Cookie: " + "x".repeat(100_000) + "\r\n\r\n"))
          .contains(" 431 ");
      assertThat(sockets.ask(line + "A: b\r\n".repeat(10_000) + "\r\n")).contains(" 431 ");
      assertThat(sockets.ask(line + "A: b\r\n".repeat(300) + "\r\n"))
          .contains(" 431 ", "http.headers-max");
    }
  }

  @Test
  void a_thousand_callers_resume_one_instance() throws Exception {
    cluster.api(0).publish(Workflows.approval("crowd"));
    var id = cluster.api(0).start("crowd");
    var crowd = new AtomicReference<ResumeCrowd>();
    siege.withstands(
        "1,000 resumes of one instance",
        FREED,
        () -> {
          crowd.set(ResumeCrowd.start(port, id, 1_000));
          return crowd.get();
        });
    var codes = crowd.get().codes();
    Measured.say("siege", "resumes answered %s", codes);
    assertThat(codes.getInteger("200 ")).isEqualTo(1);
    assertThat(codes.fieldNames()).isSubsetOf("200 ", "409 ALREADY_RESUMED", "409 IN_PROGRESS");
    assertThat(codes.stream().mapToInt(entry -> (Integer) entry.getValue()).sum()).isEqualTo(1_000);
  }
}
