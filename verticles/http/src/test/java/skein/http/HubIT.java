package skein.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import skein.cluster.Readiness;
import skein.storage.TestDatabase;

/** The hub over real connections, of two nodes with one database. */
class HubIT {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final String APPROVAL =
      """
      {"definitionId": "hub-approval", "root": {"type": "Elsa.Event", "id": "wait",
       "eventName": {"typeName": "String", "expression": {"type": "Literal", "value": "Go"}}}}
      """;
  private static final String KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  private static final String UPGRADE = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
  private static final String VERSION = "Sec-WebSocket-Version: 13\r\n";

  private static HttpNode one;
  private static HttpNode other;
  private static String schema;

  @BeforeAll
  static void start() {
    schema = TestDatabase.newSchema();
    one = HttpNode.with(schema, options(50, Duration.ofSeconds(5)));
    other = HttpNode.with(schema, options(50, Duration.ofSeconds(5)));
    one.node.publish(APPROVAL);
  }

  @AfterAll
  static void stop() {
    one.close();
    other.close();
  }

  private static HubOptions options(int connectionsMax, Duration client) {
    return new HubOptions(
        Duration.ofMillis(50),
        Duration.ofMillis(50),
        new HubOptions.Retries(Duration.ofMillis(200), Duration.ofMillis(200)),
        new HubOptions.Limits(connectionsMax, 2, 4_096),
        new HubOptions.Times(
            Duration.ofSeconds(2),
            Duration.ofMillis(300),
            client,
            Duration.ofSeconds(1),
            Duration.ofMinutes(1)));
  }

  private static URI hub(HttpNode node) {
    return node.uri(HubRoutes.PATH);
  }

  @Test
  void an_observer_is_told_what_any_node_does_to_an_instance() throws Exception {
    var id = one.node.start("hub-approval").value();
    try (var client = HubClient.open(hub(other))) {
      client.observe(id);
      assertThat(client.next("3").getString("error")).isNull();
      var first = client.next("WorkflowInstanceUpdatedAsync");
      assertThat(first.getJsonArray("arguments").getJsonObject(0))
          .isEqualTo(new JsonObject().put("workflowInstanceId", id));
      client.next("ActivityExecutionLogUpdatedAsync");

      one.post("/workflow-instances/" + id + "/resume", "{}");

      client.next("WorkflowInstanceUpdatedAsync");
      client.next("WorkflowExecutionLogUpdatedAsync");
      var stats =
          client
              .next("ActivityExecutionLogUpdatedAsync")
              .getJsonArray("arguments")
              .getJsonObject(0)
              .getJsonArray("stats");
      assertThat(stats).isNotEmpty();
      assertThat(stats.getJsonObject(0).getString("activityId")).isNotNull();
      assertThat(stats.getJsonObject(0).getInteger("completedCount")).isEqualTo(1);
    }
  }

  @Test
  void what_cannot_be_done_is_told_to_whoever_waits_for_an_answer() throws Exception {
    try (var client = HubClient.open(hub(one))) {
      client.observe("nobody");
      assertThat(client.next("3").getString("error")).startsWith("INSTANCE_NOT_FOUND: ");
      client.send("{'type':1,'invocationId':'2','target':'Destroy','arguments':[]}");
      assertThat(client.next("3").getString("error")).contains("no method Destroy");
      client.send("{'type':1,'invocationId':'3','target':'ObserveInstanceAsync','arguments':[]}");
      assertThat(client.next("3").getString("error")).contains("takes the id");
      client.send("{'type':4,'invocationId':'4','target':'x','arguments':[]}");
      assertThat(client.next("3").getString("invocationId")).isEqualTo("4");
      client.send("{'type':1,'target':'Destroy','arguments':[]}");
      client.send("{'type':99}");
      assertThat(client.next("6")).as("a ping").isNotNull();
    }
  }

  @Test
  void one_connection_observes_so_many_instances() throws Exception {
    try (var client = HubClient.open(hub(one))) {
      for (int i = 0; i < 2; i++) {
        client.observe(one.node.start("hub-approval").value());
        assertThat(client.next("3").getString("error")).isNull();
      }
      client.observe(one.node.start("hub-approval").value());
      assertThat(client.next("3").getString("error"))
          .contains("OVERLOADED")
          .contains("hub.instances-max");
    }
  }

  @Test
  void a_client_that_does_not_keep_to_the_protocol_is_told_and_cut_off() throws Exception {
    try (var client = new HubClient(hub(one))) {
      client.send("{'protocol':'messagepack','version':1}");
      assertThat(client.next().getString("error")).contains("json");
      assertThat(client.next().getInteger(HubClient.CLOSED)).isEqualTo(1002);
    }
    try (var client = HubClient.open(hub(one))) {
      client.send("nonsense");
      var close = client.next("7");
      assertThat(close.getString("error")).contains("INVALID_JSON");
      assertThat(close.getBoolean("allowReconnect")).isNull();
    }
    try (var client = HubClient.open(hub(one))) {
      client.sendRaw("x".repeat(3_000));
      client.sendRaw("x".repeat(3_000));
      assertThat(client.next("7").getString("error")).contains("hub.message-bytes-max");
    }
  }

  @Test
  void a_client_that_says_nothing_is_cut_off_and_may_come_again() throws Exception {
    try (var node = HttpNode.with(schema, options(5, Duration.ofSeconds(1)));
        var client = HubClient.open(hub(node))) {
      assertThat(client.next("6")).isNotNull();
      var close = client.next("7");
      assertThat(close.getString("error")).contains("hub.client-timeout");
      assertThat(close.getBoolean("allowReconnect")).isTrue();
      assertThat(client.next().getInteger(HubClient.CLOSED)).isEqualTo(1008);
    }
  }

  @Test
  void a_client_that_never_shakes_hands_is_cut_off() throws Exception {
    try (var client = new HubClient(hub(one))) {
      assertThat(client.next().getString("error")).contains("hub.handshake-timeout");
      assertThat(client.next().getInteger(HubClient.CLOSED)).isEqualTo(1008);
    }
  }

  @Test
  void a_node_that_leaves_sends_its_clients_to_another() throws Exception {
    var node = HttpNode.with(schema, options(5, Duration.ofSeconds(5)));
    try (var client = HubClient.open(hub(node))) {
      node.readiness.advanceTo(Readiness.Phase.DRAINING);
      var close = client.next("7");
      assertThat(close.getBoolean("allowReconnect")).isTrue();
      assertThat(client.next().getInteger(HubClient.CLOSED)).isEqualTo(1001);
      assertThat(negotiate(node).statusCode()).isEqualTo(503);
    } finally {
      node.close();
    }
  }

  @Test
  void a_connection_is_no_request_in_flight_and_leaves_nothing_behind() throws Exception {
    try (var node = HttpNode.with(schema, options(1, Duration.ofSeconds(5)))) {
      for (int i = 0; i < 3; i++) {
        var client = HubClient.open(hub(node));
        assertThat(node.inFlight()).isZero();
        assertThat(node.connections()).isEqualTo(i == 0 ? 1 : 2);
        assertThat(negotiate(node).body()).contains("OVERLOADED").contains("hub.connections-max");
        client.close();
        awaitConnections(node, 1); // that of the negotiation
        Thread.sleep(200);
      }
    }
  }

  private static void awaitConnections(HttpNode node, int max) throws InterruptedException {
    for (int i = 0; i < 100 && node.connections() > max; i++) {
      Thread.sleep(50);
    }
    assertThat(node.connections()).isLessThanOrEqualTo(max);
  }

  private static HttpResponse<String> negotiate(HttpNode node)
      throws IOException, InterruptedException {
    return send(node, "POST", "/negotiate?negotiateVersion=1", "");
  }

  private static HttpResponse<String> send(HttpNode node, String method, String path, String body)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(hub(node) + path))
            .header("Content-Type", "text/plain;charset=UTF-8")
            .version(HttpClient.Version.HTTP_1_1)
            .method(method, BodyPublishers.ofString(body))
            .build();
    return CLIENT.send(request, BodyHandlers.ofString());
  }

  @Test
  void a_negotiation_names_the_transports_and_a_token_of_its_version() throws Exception {
    var json = new JsonObject(negotiate(one).body());
    assertThat(json.getInteger("negotiateVersion")).isEqualTo(1);
    assertThat(json.getString("connectionToken")).isNotEqualTo(json.getString("connectionId"));
    assertThat(json.getJsonArray("availableTransports").encode())
        .contains("WebSockets", "ServerSentEvents", "LongPolling");

    var old = new JsonObject(send(one, "POST", "/negotiate", "").body());
    assertThat(old.getInteger("negotiateVersion")).isZero();
    assertThat(old.getString("connectionToken")).isNull();
  }

  @Test
  void long_polling_fetches_what_a_stream_would_be_sent() throws Exception {
    var id = one.node.start("hub-approval").value();
    var token = new JsonObject(negotiate(one).body()).getString("connectionToken");
    var at = "?id=" + token;
    assertThat(send(one, "GET", at, "").body()).isEmpty();
    assertThat(send(one, "POST", at, "{\"protocol\":\"json\",\"version\":1}\u001e").statusCode())
        .isEqualTo(200);
    assertThat(send(one, "GET", at, "").body()).isEqualTo("{}\u001e");
    send(
        one,
        "POST",
        at,
        "{\"type\":1,\"target\":\"ObserveInstanceAsync\",\"arguments\":[\"" + id + "\"]}\u001e");
    assertThat(send(one, "GET", at, "").body()).contains("WorkflowInstanceUpdatedAsync");
    assertThat(send(one, "DELETE", at, "").statusCode()).isEqualTo(202);
    assertThat(send(one, "GET", at, "").statusCode()).isIn(204, 404);
    assertThat(send(one, "POST", at, "{}\u001e").statusCode()).isEqualTo(404);
  }

  @Test
  void an_old_or_invented_token_is_not_taken_for_a_new_connection() throws Exception {
    var old = HubToken.make(System.currentTimeMillis() - 60_000);

    assertThat(send(one, "GET", "?id=" + old, "").statusCode()).isEqualTo(404);
    assertThat(send(one, "GET", "?id=anything", "").statusCode()).isEqualTo(404);
    assertThat(send(one, "GET", "", "").statusCode()).isEqualTo(400);
  }

  @Test
  void a_page_of_another_site_opens_no_web_socket_and_sends_nothing() throws Exception {
    var head = "GET " + HubRoutes.PATH + " HTTP/1.1\r\nHost: x\r\n" + UPGRADE + VERSION + KEY;

    assertThat(raw(head + "Origin: https://evil.example\r\n\r\n"))
        .startsWith("HTTP/1.1 403 ")
        .contains("CROSS_SITE");
    assertThat(raw(head + "Sec-Fetch-Site: cross-site\r\n\r\n")).startsWith("HTTP/1.1 403 ");
    var post =
        "POST "
            + HubRoutes.PATH
            + "/negotiate HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n"
            + "Connection: close\r\nOrigin: https://evil.example\r\n\r\n";
    assertThat(raw(post)).startsWith("HTTP/1.1 403 ");
  }

  /** The connection ends with the answer, or what follows would be a request behind a proxy. */
  @Test
  void a_web_socket_that_is_refused_is_the_last_request_of_its_connection() throws Exception {
    for (var path : new String[] {HubRoutes.PATH, "/health/live", "/elsa/api/nothing"}) {
      var head = "GET " + path + " HTTP/1.1\r\nHost: x\r\n" + UPGRADE;
      for (var rest : new String[] {"Sec-WebSocket-Version: 12\r\n" + KEY, VERSION, KEY}) {
        assertThat(raw(head + rest + "\r\n")).as(path).containsIgnoringCase("Connection: close");
      }
    }
  }

  /** All that comes until the server closes. */
  private static String raw(String request) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), one.port())) {
      socket.setSoTimeout(5_000);
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }
}
