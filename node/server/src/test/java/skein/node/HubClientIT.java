package skein.node;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Microsoft's client of SignalR observes instances of a cluster. */
@ExtendWith(TestClusters.class)
@Tag("long")
class HubClientIT {
  private static final String PASSWORD = "a-password-of-these-tests";
  private static final int OBSERVERS = 1_000;

  /** Of the heap of a node, for all observers together. */
  private static final long OBSERVERS_BYTES_MAX = 64L << 20;

  private static Path client;

  @BeforeAll
  static void install() {
    client = HubClient.install();
  }

  private static String hub(ServerProcess node) {
    return node.http().base().resolve("/elsa/hubs/workflow-instance").toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"WebSockets", "ServerSentEvents", "LongPolling"})
  void every_transport_brings_what_another_node_does(String transport, TestCluster cluster) {
    var definition = "hub-" + transport;
    cluster.api(0).publish(Workflows.approval(definition));
    var id = cluster.api(0).start(definition);
    try (var observer = new HubClient(client, Map.of(), hub(cluster.node(1)), transport, id)) {
      observer.await("observing");
      var activities = observer.await("activities").getJsonObject("message");
      assertThat(activities.getJsonArray("stats").encode()).contains("\"isBlocked\":true");
      observer.drain();

      cluster.api(2).resume(id).orThrow();

      var update = observer.await("instance").getJsonObject("message");
      assertThat(update.getString("workflowInstanceId")).isEqualTo(id);
      observer.await("log");
      assertThat(observer.await("activities").getJsonObject("message").encode())
          .contains("\"isBlocked\":false");
    }
  }

  /** As behind a balancer without affinity: each request of the client goes to the next node. */
  @ParameterizedTest
  @ValueSource(strings = {"ServerSentEvents", "LongPolling"})
  void requests_of_one_client_may_come_to_any_node(String transport, TestCluster cluster) {
    var definition = "hub-balanced-" + transport;
    cluster.api(0).publish(Workflows.approval(definition));
    var id = cluster.api(0).start(definition);
    var ports = cluster.nodes().stream().map(node -> "" + node.http().base().getPort()).toList();
    var balanced = Map.of("PORTS", String.join(",", ports));
    try (var observer = new HubClient(client, balanced, hub(cluster.node(1)), transport, id)) {
      observer.await("observing");
      observer.await("activities");
      observer.drain();

      cluster.api(2).resume(id).orThrow();

      observer.await("instance");
    }
  }

  /** Of a proxy that takes any answer for consent, these would be the client's own bytes. */
  @Test
  void nothing_is_smuggled_behind_a_web_socket_that_is_refused(TestCluster cluster)
      throws Exception {
    var next = "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n";
    for (var path : List.of("/elsa/hubs/workflow-instance", "/health/live")) {
      var request =
          "GET %s HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
              .formatted(path);
      try (var socket =
          new Socket(InetAddress.getLoopbackAddress(), cluster.node(0).http().base().getPort())) {
        socket.setSoTimeout(10_000);
        socket.getOutputStream().write((request + next + next).getBytes(ISO_8859_1));
        var answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        assertThat(answer.split("HTTP/1.1 ", -1)).as(answer).hasSize(2);
      }
    }
  }

  @Test
  void a_client_of_a_node_that_stops_goes_on_at_another(TestPostgres postgres) {
    try (var cluster = TestClusters.another(postgres, "hub_stop", 2, Map.of())) {
      cluster.startAll();
      cluster.api(0).publish(Workflows.approval("hub_stop"));
      var id = cluster.api(0).start("hub_stop");
      var stopping = cluster.node(1);
      try (var port = new SwitchedPort(stopping.http().base().getPort());
          var observer =
              new HubClient(
                  client,
                  Map.of(),
                  "http://127.0.0.1:" + port.port() + "/elsa/hubs/workflow-instance",
                  "WebSockets",
                  id)) {
        observer.await("observing");
        port.leadTo(cluster.node(0).http().base().getPort());

        stopping.terminate();

        assertThat(observer.await("reconnecting").getString("error")).contains("NOT_READY");
        observer.await("reconnected");
        observer.drain();
        cluster.api(0).resume(id).orThrow();
        observer.await("instance");
      }
    }
  }

  @Test
  void only_those_who_may_read_instances_observe_and_tokens_are_in_no_log(TestPostgres postgres) {
    var settings =
        Map.of(
            "security.mode", "authenticated",
            "security.admin-password", PASSWORD,
            "logging.level", "DEBUG");
    try (var cluster = TestClusters.another(postgres, "hub_secured", 1, settings)) {
      cluster.startAll();
      var node = cluster.node(0);
      var login = new JsonObject().put("username", "admin").put("password", PASSWORD);
      var token =
          node.http()
              .post("/elsa/api/identity/login", login)
              .orThrow()
              .json()
              .getString("accessToken");
      for (var transport : List.of("WebSockets", "ServerSentEvents", "LongPolling")) {
        try (var known = new HubClient(client, Map.of(), hub(node), transport, "none", token)) {
          assertThat(known.await("refused", "failed").getString("error"))
              .contains("INSTANCE_NOT_FOUND");
        }
        try (var stranger =
            new HubClient(client, Map.of(), hub(node), transport, "none", "a.b.c")) {
          assertThat(stranger.await("failed").getString("error")).contains("401");
        }
        try (var nobody = new HubClient(client, Map.of(), hub(node), transport, "none")) {
          assertThat(nobody.await("failed").getString("error")).contains("401");
        }
      }
      assertThat(String.join("\n", node.output())).doesNotContain(token).doesNotContain("a.b.c");
    }
  }

  @Test
  void a_thousand_observers_are_bounded_in_memory(TestPostgres postgres) {
    try (var cluster = TestClusters.another(postgres, "hub_many", 2, Map.of())) {
      cluster.startAll();
      var observed = cluster.node(1);
      cluster.api(0).publish(Workflows.events("hub_many", 5));
      var ids = new ArrayList<String>();
      for (int i = 0; i < 50; i++) {
        ids.add(cluster.api(0).start("hub_many"));
      }
      long before = liveBytes(observed);
      var many = Map.of("COUNT", "" + OBSERVERS, "INSTANCES", String.join(",", ids));
      try (var observers = new HubClient(client, many, hub(observed), "WebSockets")) {
        assertThat(observers.await("observing").getInteger("count")).isEqualTo(OBSERVERS);
        var refused = new HubClient(client, Map.of(), hub(observed), "WebSockets", ids.getFirst());
        assertThat(refused.await("failed").getString("error")).contains("503");
        refused.close();
        observers.drain();
        ids.forEach(id -> cluster.api(0).resume(id).orThrow());
        var told =
            Eventually.get(
                Duration.ofSeconds(20), () -> told(observers), found -> found >= OBSERVERS);
        assertThat(told).isGreaterThanOrEqualTo(OBSERVERS);
        long bytes = liveBytes(observed) - before;
        Measured.say("hub", "%,d observers take %,d KB of heap", OBSERVERS, bytes / 1_024);
        assertThat(bytes).isLessThan(OBSERVERS_BYTES_MAX);
      }
    }
  }

  /** Of the heap, after a full collection. */
  private static long liveBytes(ServerProcess node) {
    var jcmd = System.getProperty("java.home") + "/bin/jcmd";
    try {
      var process =
          new ProcessBuilder(jcmd, String.valueOf(node.pid()), "GC.class_histogram")
              .redirectErrorStream(true)
              .start();
      try (var lines = process.inputReader()) {
        var total =
            lines.lines().filter(line -> line.startsWith("Total ")).findFirst().orElseThrow();
        return Long.parseLong(total.trim().split("\\s+", -1)[2]);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private final List<JsonObject> all = new ArrayList<>();

  private long told(HubClient observers) {
    all.addAll(observers.drain());
    return all.stream().filter(event -> "instance".equals(event.getString("event"))).count();
  }
}
