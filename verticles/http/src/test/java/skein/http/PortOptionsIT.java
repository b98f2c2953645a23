package skein.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import skein.activities.SecretNames;
import skein.cluster.Readiness;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.codecs.Network;
import skein.execution.OneNode;

/** Who is let in, and at which port: requests as bytes, since clients tidy them up. */
class PortOptionsIT {
  private static final String API = "/elsa/api";
  private static OneNode node;
  private static HttpDependencies dependencies;
  private static int port;

  @BeforeAll
  static void start() {
    node = new OneNode();
    var readiness = new Readiness();
    readiness.advanceTo(Readiness.Phase.READY);
    dependencies = HttpFixture.dependencies(node, readiness);
    var portOptions =
        new PortOptions(
            0, 0, List.of("elsa.example.com"), List.of("https://studio.example.com"), true, false);
    port = deploy(0, portOptions).port();
    var line =
        "{\"definitionId\":\"hello\",\"root\":{\"id\":\"W\",\"type\":\"Elsa.WriteLine\",\"version\":1}}";
    node.definitions.saveAndPublish(JsonText.parseObject(line, JsonLimits.DEFAULT), null).await();
  }

  private static HttpOptions options(int port, PortOptions portOptions) {
    return HttpOptions.of(
        new HttpOptions.Listener(
            "127.0.0.1", port, URI.create("https://skein.test"), 100, portOptions),
        new HttpOptions.Timeouts(
            Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(1)),
        new HttpOptions.BodyLimits(JsonLimits.DEFAULT, UploadLimits.DEFAULT));
  }

  private static HttpVerticle deploy(int port, PortOptions portOptions) {
    return deploy(options(port, portOptions));
  }

  private static HttpVerticle deploy(HttpOptions options) {
    var verticle = new HttpVerticle(dependencies, options);
    node.vertx.deployVerticle(verticle).await();
    return verticle;
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  /** The answer until the server closes; asks it to. */
  private static String ask(int port, String line, String headers, String body) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(15_000);
      var length = body.isEmpty() ? "" : "Content-Length: " + body.length() + "\r\n";
      var text = line + " HTTP/1.1\r\n" + headers + length + "Connection: close\r\n\r\n" + body;
      socket.getOutputStream().write(text.getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  private static String ask(String line, String... headers) throws IOException {
    return ask(port, line, "Host: localhost\r\n" + lines(headers), "");
  }

  private static String send(String line, String body, String... headers) throws IOException {
    return ask(port, line, "Host: localhost\r\n" + lines(headers), body);
  }

  private static String lines(String... headers) {
    var lines = new StringBuilder();
    for (var header : headers) {
      lines.append(header).append("\r\n");
    }
    return lines.toString();
  }

  @Test
  void what_came_by_plain_http_is_refused_where_https_is_required() throws Exception {
    var callers =
        new Callers(SecretNames.DEFAULT, true, List.of(Network.parse("127.0.0.0/8")), true);
    int behind = deploy(options(0, PortOptions.DEFAULT).with(callers)).port();
    var token = API + "/bookmarks/resume?t=abc";
    var https = "Host: a\r\nX-Forwarded-Proto: https\r\n";

    for (var path : List.of("/", API + "/cluster", "/workflows/x", token)) {
      assertThat(ask(behind, "GET " + path, "Host: a\r\n", ""))
          .startsWith("HTTP/1.1 403 ")
          .contains("HTTPS_REQUIRED")
          .doesNotContain("Strict-Transport-Security");
      assertThat(ask(behind, "GET " + path, https, ""))
          .doesNotContain("HTTPS_REQUIRED")
          .containsIgnoringCase("Strict-Transport-Security: max-age=31536000");
    }
    assertThat(ask(behind, "POST " + token, "Host: a\r\n", "{}")).startsWith("HTTP/1.1 403 ");
    assertThat(ask(behind, "GET /health/live", "Host: a\r\n", "")).startsWith("HTTP/1.1 200 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/workflows/resume/%2e%2e/%2e%2e/elsa/api/workflow-instances?pageSize=1",
        "/health/live/%2E%2E/%2e./elsa/api/cluster",
        "/%65lsa/%61pi/cluster",
        "/workflows/../elsa/api/cluster",
        "//elsa//api/cluster",
        "/elsa/api/workflow-instances/%",
        "/elsa/api/workflow-instances/%zz",
        "/elsa/api/workflow-definitions/%zz/execute",
        "/workflows/%zz",
        "/health/live?%zz",
        "/nothing/%",
        "http://localhost/elsa/api/cluster"
      })
  void a_path_that_a_proxy_may_read_otherwise_is_refused(String path) throws IOException {
    assertThat(ask("GET " + path))
        .startsWith("HTTP/1.1 400 ")
        .contains("application/problem+json", "\"PATH_AMBIGUOUS\"")
        .containsIgnoringCase("connection: close");
  }

  @Test
  void a_request_names_one_host_that_is_known() throws IOException {
    var get = "GET /health/live";
    assertThat(ask(port, get, "Host: localhost:1\r\n", "")).startsWith("HTTP/1.1 200 ");
    for (var path : List.of("/health/live", API + "/cluster")) {
      for (var host :
          List.of(
              "127.0.0.1",
              "[::1]:5001",
              "10.0.3.7:5001",
              "[fd00::7]:5001",
              "SKEIN.test.",
              "elsa.example.com")) {
        assertThat(ask(port, "GET " + path, "Host: " + host + "\r\n", ""))
            .as(path + " at " + host)
            .startsWith("HTTP/1.1 200 ");
      }
    }
    for (var hosts : List.of("", "Host: a\r\nHost: a\r\n", "Host:\r\n", "Host: a@b\r\n")) {
      assertThat(ask(port, get, hosts, ""))
          .startsWith("HTTP/1.1 400 ")
          .contains("REQUEST_AMBIGUOUS");
    }
    for (var path : List.of("/", API + "/cluster", "/workflows/x")) {
      for (var host : List.of("attacker.example", "10.0.3.7.example", "1.2.3.4.5")) {
        assertThat(ask(port, "GET " + path, "Host: " + host + "\r\n", ""))
            .startsWith("HTTP/1.1 421 ")
            .contains("HOST_UNKNOWN");
      }
    }
    for (var path : List.of("/health/live", "/metrics")) {
      assertThat(ask(port, "GET " + path, "Host: skein-7.skein.svc\r\n", ""))
          .doesNotContain("HOST_UNKNOWN");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Origin: https://attacker.example",
        "Origin: null",
        "Origin: http://localhost:81",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
        "Sec-Fetch-Site: cross-site\r\nOrigin: http://localhost"
      })
  void a_page_of_another_site_changes_nothing(String header) throws IOException {
    for (var line :
        List.of(
            "POST " + API + "/workflow-definitions/hello/execute",
            "GET " + API + "/workflow-definitions/hello/execute",
            "GET " + API + "/alterations/workflows/retry?workflowInstanceIds=x",
            "DELETE " + API + "/workflow-definitions/hello",
            "POST " + API + "/workflow-definitions/import-files")) {
      assertThat(ask(line, header)).startsWith("HTTP/1.1 403 ").contains("CROSS_SITE");
    }
    assertThat(ask("GET " + API + "/workflow-definitions", header)).startsWith("HTTP/1.1 200 ");
    assertThat(ask("POST /workflows/nothing", header)).contains("NO_ENDPOINT");
    assertThat(ask("POST /workflows/resume/nothing", header)).contains("TOKEN_INVALID");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Referer: http://attacker.example/page?http://localhost",
        "Referer: http://localhost:81/",
        "Referer: about:blank",
        "Accept: image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8",
        "Accept: text/css,*/*;q=0.1",
        "Accept: text/javascript, application/javascript, */*;q=0.01",
        "Accept: image/*\r\nReferer: http://localhost/"
      })
  void a_page_starts_nothing_by_what_it_loads_over_plain_http(String header) throws IOException {
    for (var path :
        List.of(
            "/workflow-definitions/hello/execute",
            "/alterations/workflows/retry?workflowInstanceIds=x")) {
      assertThat(ask("GET " + API + path, header))
          .startsWith("HTTP/1.1 403 ")
          .contains("CROSS_SITE");
    }
    assertThat(ask("GET " + API + "/workflow-definitions", header)).startsWith("HTTP/1.1 200 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X: y",
        "Referer: http://localhost/elsa/api",
        "Referer: https://studio.example.com/",
        "Accept: */*",
        "Accept: application/json, image/png",
        "Accept: text/html,application/xhtml+xml,image/avif,image/webp,*/*;q=0.8",
        "Sec-Fetch-Site: same-origin\r\nReferer: https://behind.example/",
        "Origin: http://localhost",
        "Origin: http://localhost:80",
        "Origin: HTTPS://LocalHost:443",
        "Origin: https://skein.test",
        "Origin: https://studio.example.com:443",
        "Origin: https://studio.example.com",
        "Sec-Fetch-Site: same-origin\r\nOrigin: https://behind.example",
        "Sec-Fetch-Site: none",
        "Sec-Fetch-Site: cross-site\r\nOrigin: https://studio.example.com"
      })
  void ones_own_pages_and_other_clients_do(String header) throws IOException {
    for (var method : List.of("GET ", "POST ")) {
      assertThat(ask(method + API + "/workflow-definitions/hello/execute", header))
          .startsWith("HTTP/1.1 200 ");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Type: text/plain",
        "Content-Type: application/x-www-form-urlencoded",
        "Content-Type: multipart/form-data; boundary=b",
        "Content-Type: application/jsonx",
        "X: no type"
      })
  void a_body_that_any_page_could_send_is_not_taken(String type) throws IOException {
    for (var path :
        List.of(
            "/workflow-instances", "/workflow-definitions/hello/publish", "/events/go/trigger")) {
      assertThat(send("POST " + API + path, "{}", type))
          .startsWith("HTTP/1.1 415 ")
          .contains("UNSUPPORTED_MEDIA_TYPE");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/workflows/resume/none",
        API + "/bookmarks/resume?t=none",
        API + "/bookmarks/resume/?t=none",
        API + "/events/trigger?t=none",
        API + "/events/trigger/?t=none"
      })
  void the_form_of_a_link_is_taken_from_its_page(String link) throws IOException {
    var form = "Content-Type: application/x-www-form-urlencoded";
    for (var origin : List.of("Origin: null", "Sec-Fetch-Site: cross-site")) {
      assertThat(ask("POST " + link, form, origin, "Content-Length: 0"))
          .contains("content-type: text/html", "This did not work")
          .doesNotContain("HTTP/1.1 403 ", "HTTP/1.1 415 ");
    }
  }

  @Test
  void browsers_may_show_pages_of_listed_origins_what_the_api_answers() throws IOException {
    var preflight = "OPTIONS " + API + "/workflow-definitions/hello/publish";
    var asks = "Access-Control-Request-Method: POST";
    var studio = "https://studio.example.com";
    assertThat(ask(preflight, "Origin: " + studio, asks))
        .startsWith("HTTP/1.1 204 ")
        .containsIgnoringCase("access-control-allow-origin: " + studio + "\r\n")
        .containsPattern("(?i)access-control-allow-methods: .*POST")
        .containsPattern("(?i)access-control-allow-headers: .*Idempotency-Key")
        .doesNotContainIgnoringCase("allow-credentials");
    assertThat(ask("GET " + API + "/workflow-definitions", "Origin: " + studio + ":443"))
        .startsWith("HTTP/1.1 200 ")
        .containsIgnoringCase("access-control-allow-origin: " + studio + ":443\r\n")
        .containsPattern("(?i)access-control-expose-headers: .*Location");
    assertThat(ask("GET " + API + "/workflow-instances/none", "Origin: " + studio))
        .startsWith("HTTP/1.1 404 ")
        .containsIgnoringCase("access-control-allow-origin: " + studio + "\r\n");
    for (var origin : List.of("https://attacker.example", "null", "https://skein.test")) {
      assertThat(ask(preflight, "Origin: " + origin, asks))
          .doesNotContainIgnoringCase("access-control");
      assertThat(ask("GET " + API + "/workflow-definitions", "Origin: " + origin))
          .doesNotContainIgnoringCase("access-control");
    }
    assertThat(ask("OPTIONS /workflows/nothing", "Origin: " + studio, asks))
        .doesNotContainIgnoringCase("access-control");
  }

  @Test
  void an_empty_form_is_not_taken_and_no_body_at_all_is() throws IOException {
    var publish = "POST " + API + "/workflow-definitions/hello/publish";
    assertThat(ask(publish, "Content-Type: application/x-www-form-urlencoded", "Content-Length: 0"))
        .startsWith("HTTP/1.1 415 ");
    assertThat(ask(publish, "Content-Length: 0")).startsWith("HTTP/1.1 200 ");
    assertThat(ask(publish)).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void an_id_may_have_a_slash_that_is_encoded() throws IOException {
    var definition =
        "{\"definitionId\":\"team/hello\",\"root\":{\"id\":\"W\",\"type\":\"Elsa.WriteLine\",\"version\":1}}";
    node.definitions
        .saveAndPublish(JsonText.parseObject(definition, JsonLimits.DEFAULT), null)
        .await();
    var path = API + "/workflow-definitions/team%2Fhello";
    assertThat(ask("GET " + path)).startsWith("HTTP/1.1 200 ").contains("team/hello");
    assertThat(ask("POST " + path + "/execute")).startsWith("HTTP/1.1 200 ");
    assertThat(ask("POST " + API + "/events/team%2fgo/trigger")).startsWith("HTTP/1.1 200 ");
    assertThat(ask("GET " + API + "/workflow-definitions%2Fhello")).startsWith("HTTP/1.1 404 ");
  }

  @Test
  void what_the_api_answers_is_not_stored_on_the_way() throws IOException {
    for (var path : List.of("/workflow-instances", "/workflow-instances/none", "/nothing")) {
      assertThat(ask("GET " + API + path)).containsIgnoringCase("cache-control: no-store\r\n");
    }
  }

  @Test
  void head_is_answered_as_get_without_a_body() throws IOException {
    for (var path : List.of("/workflow-definitions", "/workflow-definitions/hello")) {
      var whole = ask("GET " + API + path);
      var head = ask("HEAD " + API + path);
      assertThat(head)
          .startsWith("HTTP/1.1 200 ")
          .endsWith("\r\n\r\n")
          .containsIgnoringCase(
              "content-length: " + (whole.length() - whole.indexOf("\r\n\r\n") - 4) + "\r\n");
    }
    assertThat(ask("HEAD " + API + "/workflow-definitions/hello/execute"))
        .startsWith("HTTP/1.1 405 ");
  }

  @Test
  void nothing_but_100_continue_is_expected() throws IOException {
    assertThat(ask("GET /health/live", "Expect: the unexpected"))
        .startsWith("HTTP/1.1 417 ")
        .contains("EXPECTATION_FAILED");
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(15_000);
      var head = "POST /x HTTP/1.1\r\nHost: localhost\r\nExpect: x\r\nContent-Length: 30\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(ISO_8859_1));
      assertThat(new String(socket.getInputStream().readAllBytes(), ISO_8859_1))
          .startsWith("HTTP/1.1 417 ")
          .containsIgnoringCase("connection: close");
    }
  }

  @Test
  void members_that_differ_only_in_case_are_refused_where_case_does_not_matter()
      throws IOException {
    var json = "Content-Type: application/json";
    var start = "POST " + API + "/workflow-instances";
    assertThat(send(start, "{\"definitionId\":\"hello\",\"DefinitionId\":\"x\"}", json))
        .startsWith("HTTP/1.1 400 ")
        .contains("INVALID_REQUEST", "differ only in case");
    assertThat(send(start, "{\"definitionId\":\"hello\",\"input\":{\"a\":1,\"A\":2}}", json))
        .startsWith("HTTP/1.1 201 ");
  }

  @Test
  void ports_of_their_own_serve_only_what_is_theirs() throws IOException {
    var ports = freePorts();
    deploy(
        ports.get(0),
        new PortOptions(ports.get(1), ports.get(2), List.of(), List.of(), true, false));
    var paths = List.of("/workflows/nothing", API + "/workflow-definitions", "/health/live");
    for (int served = 0; served < 3; served++) {
      for (int asked = 0; asked < 3; asked++) {
        var answer = ask(ports.get(asked), "GET " + paths.get(served), "Host: x\r\n", "");
        assertThat(answer.contains("\"NOT_FOUND\""))
            .as(paths.get(served) + " at " + asked)
            .isEqualTo(served != asked);
      }
    }
    for (var link : List.of("/events/trigger?t=x", "/bookmarks/resume/?t=x")) {
      for (int served = 0; served < 2; served++) {
        assertThat(ask(ports.get(served), "GET " + API + link, "Host: x\r\n", ""))
            .startsWith("HTTP/1.1 200 ");
      }
      assertThat(ask(ports.get(2), "GET " + API + link, "Host: x\r\n", ""))
          .contains("\"NOT_FOUND\"");
    }
    assertThat(ask(ports.get(0), "GET /workflows/../elsa/api/cluster", "Host: x\r\n", ""))
        .contains("PATH_AMBIGUOUS");
  }

  private static List<Integer> freePorts() throws IOException {
    try (var a = new ServerSocket(0);
        var b = new ServerSocket(0);
        var c = new ServerSocket(0)) {
      return List.of(a.getLocalPort(), b.getLocalPort(), c.getLocalPort());
    }
  }
}
