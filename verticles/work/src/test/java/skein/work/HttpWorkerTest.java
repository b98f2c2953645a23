package skein.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import skein.activities.Json;
import skein.activities.KeptSecrets;
import skein.activities.SecretNames;
import skein.activities.WorkResult;
import skein.codecs.JsonLimits;
import skein.model.BookmarkId;
import skein.model.Effect;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HttpWorkerTest {
  private static final Duration LONG = Duration.ofSeconds(10);
  private static final Duration SHORT = Duration.ofMillis(200);

  private final Vertx vertx = Vertx.vertx();
  private final List<Map<String, String>> seen = Collections.synchronizedList(new ArrayList<>());
  private HttpServer server;
  private HttpServer other;

  @BeforeAll
  void start() {
    server = listen();
    other = listen();
  }

  private HttpServer listen() {
    return vertx
        .createHttpServer()
        .requestHandler(request -> request.body().onSuccess(body -> answer(request, body)))
        .listen(0, "127.0.0.1")
        .await();
  }

  @AfterAll
  void stop() {
    vertx.close().await();
  }

  @BeforeEach
  void forget() {
    seen.clear();
  }

  private void answer(HttpServerRequest request, Buffer body) {
    var path = String.valueOf(request.path());
    var told = new LinkedHashMap<String, String>();
    told.put("method", request.method().name());
    told.put("path", path);
    told.put("body", body.toString());
    request
        .headers()
        .forEach(header -> told.put(header.getKey().toLowerCase(Locale.ROOT), header.getValue()));
    seen.add(told);
    var response = request.response();
    switch (path) {
      case "/json" -> {
        response.headers().add("Set-Cookie", "session=secret");
        response.headers().add("X-Two", "a").add("X-Two", "b");
        response.putHeader("Content-Type", "application/json").end("{\"n\":[1,2.5]}");
      }
      case "/broken-json" ->
          response.putHeader("Content-Type", "application/json").end("{ not json");
      case "/form" ->
          response
              .putHeader("Content-Type", "application/x-www-form-urlencoded")
              .end("a=1+2&b=%C3%A9");
      case "/latin" ->
          response
              .putHeader("Content-Type", "text/plain; charset=iso-8859-1")
              .end(Buffer.buffer(new byte[] {(byte) 0xe9}));
      case "/bytes" ->
          response
              .putHeader("Content-Type", "image/png")
              .putHeader("Content-Disposition", "attachment; filename=\"../a b.png\"")
              .end(Buffer.buffer(new byte[] {0, 1, (byte) 0xff}));
      case "/zero" ->
          response.putHeader("Content-Type", "text/plain").end(Buffer.buffer(new byte[] {0, 65}));
      case "/large" -> response.end(Buffer.buffer(new byte[5_000]));
      case "/stall" -> response.setChunked(true).write("so far");
      case "/silent" -> {}
      case "/reset" -> request.connection().close();
      case "/half" -> {
        response.putHeader("Content-Length", "100").write("half");
        request.connection().close();
      }
      case "/empty" -> response.setStatusCode(204).end();
      case "/to-json" -> moved(request, Integer.parseInt(request.getParam("code")), "/json");
      case "/to-other" -> moved(request, 307, url(other, "/json"));
      case "/to-file" -> moved(request, 302, "file:///etc/passwd");
      case "/for-ever" -> moved(request, 302, "/for-ever");
      default -> response.setStatusCode(Integer.parseInt(path.substring(1))).end("told");
    }
  }

  private static void moved(HttpServerRequest request, int code, String to) {
    request.response().setStatusCode(code).putHeader("Location", to).end();
  }

  private static String url(HttpServer to, String path) {
    return "http://127.0.0.1:" + to.actualPort() + path;
  }

  private static HttpWorkOptions options(boolean denyPrivate) {
    return options(LONG, denyPrivate);
  }

  private static HttpWorkOptions options(Duration timeout, boolean denyPrivate) {
    return options(timeout, denyPrivate ? Targets.PUBLIC : Targets.ANY);
  }

  private static HttpWorkOptions options(Duration timeout, Targets targets) {
    return new HttpWorkOptions(
        new HttpWorkOptions.Timeouts(timeout, LONG),
        new HttpWorkOptions.Answers(1_000, 6_000, JsonLimits.DEFAULT),
        5,
        10,
        targets,
        SecretNames.DEFAULT);
  }

  private WorkResult perform(Object... namesAndValues) {
    return perform(new HttpWorker(vertx, options(false)), namesAndValues);
  }

  private static WorkResult perform(HttpWorker worker, @Nullable Object... namesAndValues) {
    var request = Json.members("method", "GET");
    request.putAll(Json.members(namesAndValues));
    var order =
        new Effect.Work(
            BookmarkId.parse("i1-1"), "http", request, Duration.ofSeconds(5), "i1:2", 1);
    return worker.perform(order).await();
  }

  private Map<String, @Nullable Object> get(String path) {
    return perform("url", url(server, path)).orFault();
  }

  private static WorkResult.Failed failed(WorkResult result) {
    assertThat(result).isInstanceOf(WorkResult.Failed.class);
    return (WorkResult.Failed) result;
  }

  @Test
  void an_answer_becomes_a_value_by_its_type() {
    var json = get("/json");

    assertThat(json)
        .containsEntry("statusCode", 200L)
        .containsEntry("contentType", "application/json")
        .containsEntry("content", Map.of("n", List.of(1L, 2.5)));
    assertThat(Json.object(json.get("headers"))).containsEntry("x-two", List.of("a", "b"));
    assertThat(get("/form")).containsEntry("content", Map.of("a", "1 2", "b", "é"));
    assertThat(get("/latin")).containsEntry("content", "é");
    assertThat(get("/bytes")).containsEntry("content", "AAH/");
    assertThat(get("/empty")).containsEntry("statusCode", 204L).containsEntry("content", null);
  }

  @Test
  void what_is_not_what_it_is_said_to_be_is_still_given() {
    assertThat(get("/broken-json")).containsEntry("content", "{ not json");
    assertThat(get("/zero")).containsEntry("content", "AEE=");
  }

  @Test
  void a_file_has_a_name_a_type_and_base64() {
    var answer = perform("url", url(server, "/bytes"), "file", true).orFault();

    assertThat(answer.get("file"))
        .isEqualTo(
            Map.of(
                "filename", "a b.png", "contentType", "image/png", "size", 3L, "content", "AAH/"));
    assertThat(answer).doesNotContainKey("content");
    var large = perform("url", url(server, "/large"), "file", true).orFault();
    assertThat(Json.object(large.get("file")))
        .containsEntry("filename", "large")
        .containsEntry("size", 5_000L);
  }

  @Test
  void every_attempt_has_the_same_idempotency_key_unless_the_definition_gives_one() {
    get("/json");
    get("/json");
    perform("url", url(server, "/json"), "headers", Map.of("idempotency-key", "mine"));

    assertThat(seen)
        .extracting(request -> request.get("idempotency-key"))
        .containsExactly("i1:2", "i1:2", "mine");
  }

  @Test
  void content_is_sent_by_its_type() {
    post("text", null);
    post(Map.of("a", 1L), null);
    post(Map.of("a", List.of("1", "ü"), "b", 2L), "application/x-www-form-urlencoded");
    post("{\"as\": \"it is\"}", "application/json");
    post(
        Base64.getEncoder().encodeToString("raw".getBytes(StandardCharsets.UTF_8)),
        "application/octet-stream");
    post(Map.of("filename", "f", "contentType", "text/csv", "content", "YSxi"), null);

    assertThat(seen)
        .extracting(r -> r.get("content-type") + " " + r.get("body"))
        .satisfies(sent -> {
          assertThat(sent.get(0)).isEqualTo("text/plain; charset=utf-8 text");
          assertThat(sent.get(1)).isEqualTo("application/json {\"a\":1}");
          assertThat(sent.get(2)).contains("a=1&a=%C3%BC").contains("b=2");
          assertThat(sent.get(3)).isEqualTo("application/json {\"as\": \"it is\"}");
          assertThat(sent.get(4)).isEqualTo("application/octet-stream raw");
          assertThat(sent.get(5)).isEqualTo("text/csv a,b");
        });
    assertThat(failed(post("no base64!", "image/png")).type()).isEqualTo("InvalidContent");
    assertThat(failed(post(Map.of(), "multipart/form-data")).type())
        .isEqualTo("UnsupportedContent");
  }

  private WorkResult post(Object content, @Nullable String type) {
    return perform(
        new HttpWorker(vertx, options(false)),
        "url",
        url(server, "/json"),
        "method",
        "POST",
        "content",
        content,
        "contentType",
        type);
  }

  @Test
  void a_secret_is_looked_up_for_each_request_and_stays_at_its_origin() {
    var now = new AtomicReference<>("first-secret");
    var worker = new HttpWorker(vertx, options(false), _ -> now.get());
    var headers = Map.of("X-Custom", "key=${a};${b}");

    perform(worker, "url", url(server, "/json"), "secrets", headers);
    now.set("second$1\\secret");
    perform(worker, "url", url(server, "/to-other"), "secrets", headers);
    now.set("line\nbreak");
    var broken = perform(worker, "url", url(server, "/json"), "secrets", headers);

    assertThat(seen.get(0)).containsEntry("x-custom", "key=first-secret;first-secret");
    assertThat(seen.get(1)).containsEntry("x-custom", "key=second$1\\secret;second$1\\secret");
    assertThat(seen.get(2)).containsEntry("path", "/json").doesNotContainKey("x-custom");
    assertThat(failed(broken).type()).isEqualTo("InvalidRequest");
    assertThat(failed(broken).message()).doesNotContain("break");
    assertThat(seen).hasSize(3);
  }

  @Test
  void without_secrets_a_request_that_names_one_is_not_sent() {
    var result = perform("url", url(server, "/json"), "secrets", Map.of("X-Custom", "${a}"));

    assertThat(failed(result).type()).isEqualTo("SecretMissing");
    assertThat(failed(result).message()).contains("\"a\"", "secrets.folder");
    assertThat(seen).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "429,true",
    "502,true",
    "503,true",
    "504,true",
    "200,false",
    "404,false",
    "500,false"
  })
  void some_status_codes_say_that_it_may_succeed_on_retry(int status, boolean passing) {
    var result = perform("url", url(server, "/" + status));

    assertThat(result.orFault()).containsEntry("statusCode", (long) status);
    assertThat(result.passing()).isEqualTo(passing);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/silent", "/stall"})
  void a_server_that_stalls_is_given_up(String path) {
    var worker = new HttpWorker(vertx, options(SHORT, false));

    var result = failed(perform(worker, "url", url(server, path)));

    assertThat(result.type()).isEqualTo("Timeout");
    assertThat(result.passing()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/reset", "/half"})
  void a_connection_that_breaks_is_a_failure_that_passes(String path) {
    var result = failed(perform("url", url(server, path)));

    assertThat(result.type()).isEqualTo("FailedToConnect");
    assertThat(result.passing()).isTrue();
  }

  @Test
  void nobody_there_is_a_failure_that_passes() {
    var closed = listen();
    int port = closed.actualPort();
    closed.close().await();

    var refused = failed(perform("url", "http://127.0.0.1:" + port + "/"));
    var unknown = failed(perform("url", "http://nobody.invalid/"));

    assertThat(refused.type()).isEqualTo("FailedToConnect");
    assertThat(refused.message()).contains("127.0.0.1:" + port);
    assertThat(refused.passing()).isTrue();
    assertThat(unknown.type()).isEqualTo("FailedToConnect");
  }

  @Test
  void an_answer_that_is_too_large_is_not_read_on() {
    var result = failed(perform("url", url(server, "/large")));

    assertThat(result.type()).isEqualTo("ResponseTooLarge");
    assertThat(result.passing()).isFalse();
    assertThat(result.message()).contains("work.http.response-bytes-max");
  }

  @ParameterizedTest
  @CsvSource({"301,GET", "302,GET", "303,GET", "307,POST", "308,POST"})
  void a_redirect_is_followed_with_the_method_that_it_asks_for(int code, String method) {
    var answer =
        perform(
                "url",
                url(server, "/to-json?code=" + code),
                "method",
                "POST",
                "content",
                Map.of("a", 1L))
            .orFault();

    assertThat(answer).containsEntry("statusCode", 200L);
    assertThat(seen.getLast()).containsEntry("method", method);
    assertThat(seen.getLast().get("body")).isEqualTo(method.equals("POST") ? "{\"a\":1}" : "");
  }

  @Test
  void another_server_does_not_get_the_authorization() {
    perform("url", url(server, "/to-other"), "authorization", "Bearer secret");

    assertThat(seen).hasSize(2);
    assertThat(seen.getFirst()).containsEntry("authorization", "Bearer secret");
    assertThat(seen.getLast()).doesNotContainKey("authorization").containsKey("idempotency-key");
  }

  @Test
  void another_server_does_not_get_any_credentials() {
    perform(
        "url",
        url(server, "/to-other"),
        "headers",
        Map.of("X-Api-Key", "k", "x-auth-token", "t", "Cookie", "c", "X-Shown", "s"));

    assertThat(seen).hasSize(2);
    assertThat(seen.getFirst()).containsKeys("x-api-key", "x-auth-token", "cookie");
    assertThat(seen.getLast())
        .doesNotContainKeys("x-api-key", "x-auth-token", "cookie")
        .containsEntry("x-shown", "s");
  }

  @Test
  void credentials_of_an_answer_are_set_apart() {
    var answer = get("/json?api_key=secret&n=1");

    assertThat(Json.object(answer.get("headers"))).doesNotContainKey("set-cookie");
    assertThat(answer.get(KeptSecrets.MEMBER))
        .isEqualTo(Map.of("headers", Map.of("set-cookie", List.of("session=secret"))));
    assertThat(String.valueOf(answer.get("url"))).endsWith("/json?api_key=***&n=1");
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, true",
    "127.0.0.0/8, true",
    "127.0.0.1:PORT, true",
    "127.0.0.1:1, false",
    "10.0.0.0/8, false",
    "localhost, false",
    "'[::1]:PORT', false"
  })
  void exemptions_are_networks_and_hosts_with_their_ports(String exemption, boolean allowed) {
    var text = exemption.replace("PORT", String.valueOf(server.actualPort()));
    var targets = new Targets(true, List.of(Targets.Exemption.parse(text)));

    var result =
        perform(new HttpWorker(vertx, options(LONG, targets)), "url", url(server, "/json"));

    assertThat(result instanceof WorkResult.Done).isEqualTo(allowed);
  }

  @Test
  void a_name_is_exempt_as_it_stands_in_the_url() {
    var targets = new Targets(true, List.of(Targets.Exemption.parse("LocalHost")));
    var worker = new HttpWorker(vertx, options(LONG, targets));

    assertThat(perform(worker, "url", url(server, "/json").replace("127.0.0.1", "localhost")))
        .isInstanceOf(WorkResult.Done.class);
    assertThat(failed(perform(worker, "url", url(server, "/json"))).type())
        .isEqualTo("ForbiddenTarget");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "10.0.0.0/33", "10.0.0/8", "a b", "host:0", "host:70000", "::1/129"})
  void what_is_no_exemption_is_refused(String text) {
    assertThatThrownBy(() -> Targets.Exemption.parse(text))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void redirects_end() {
    assertThat(get("/for-ever")).containsEntry("statusCode", 302L);
    assertThat(seen).hasSize(6);
    assertThat(get("/to-file")).containsEntry("statusCode", 302L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense",
        "/relative",
        "file:///etc/passwd",
        "ftp://a/b",
        "http:///x",
        "http://u:p@host/",
        "http://host:0/",
        "http://host:70000/",
        "http://a b/"
      })
  void what_is_no_address_is_refused(String url) {
    var result = failed(perform("url", url));

    assertThat(result.type()).isEqualTo("InvalidUrl");
    assertThat(result.passing()).isFalse();
  }

  @Test
  void a_header_cannot_begin_another_one() {
    var url = url(server, "/json");

    assertThat(failed(perform("url", url, "headers", Map.of("X", "a\r\nY: b"))).type())
        .isEqualTo("InvalidRequest");
    assertThat(failed(perform("url", url, "headers", Map.of("X: y", "a"))).type())
        .isEqualTo("InvalidRequest");
    assertThat(failed(perform("url", url, "authorization", "a\nb")).type())
        .isEqualTo("InvalidRequest");
    assertThat(failed(perform("url", url, "method", "GET / HTTP/1.1")).type())
        .isEqualTo("InvalidRequest");
    assertThat(seen).isEmpty();
  }

  @Test
  void headers_of_the_connection_are_not_taken_from_definitions() {
    perform(
        "url",
        url(server, "/json"),
        "headers",
        Map.of("Host", "elsewhere", "Content-Length", "5", "X-Mine", List.of("a")));

    assertThat(seen.getFirst().get("host")).startsWith("127.0.0.1");
    assertThat(seen.getFirst()).doesNotContainKey("content-length").containsEntry("x-mine", "a");
  }

  @Test
  void private_networks_can_be_denied() {
    var worker = new HttpWorker(vertx, options(true));

    for (var host : List.of("127.0.0.1", "localhost", "[::1]", "10.1.2.3", "169.254.169.254")) {
      var result = failed(perform(worker, "url", "http://" + host + ":1/"));
      assertThat(result.type()).as(host).isEqualTo("ForbiddenTarget");
      assertThat(result.passing()).isFalse();
    }
  }
}
