package skein.node;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import skein.node.dev.Ports;

/**
 * A proxy that keeps the API from its callers, and a node behind it, find the end of every request
 * at the same byte: no client gets a request past the proxy within another one, nor the answer to
 * another's. {@code skein.proxies.all} is for both versions of HTTP/1.
 */
@ExtendWith(TestClusters.class)
@TestInstance(Lifecycle.PER_CLASS)
@Tag("long")
class ProxiesAgreeIT {
  private static final int AT_ONCE = 24;

  /** Of a stream, which may wait for what never comes. */
  private static final int SILENCE_MS = 400;

  /** Of what ends with a request whose answer closes the connection. */
  private static final int ANSWER_MS = 20_000;

  private static final List<String> VERSIONS =
      Boolean.getBoolean("skein.proxies.all") ? List.of("1.1", "1.0") : List.of("1.1");

  /** What the proxy would not let through. */
  private static final String HIDDEN =
      "POST /elsa/api/workflow-definitions/hidden/execute HTTP/1.1\r\nHost: localhost\r\n"
          + "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";

  private static final String END =
      "GET /workflows/hello/end HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

  /** Whatever may say where a body ends, and N for the bytes of the body. */
  private static final List<String> HEADERS =
      List.of(
          "Content-Length: N",
          "Content-Length: 0",
          "Content-Length: +N",
          "Content-Length: -N",
          "Content-Length: 0N",
          "Content-Length: N, N",
          "Content-Length : N",
          "Content-Length:\tN\t",
          "Content-Length: N\u000b",
          "Content_Length: N",
          "Transfer-Encoding: chunked",
          "transfer-encoding:CHUNKED",
          "Transfer-Encoding: chunked\t",
          "Transfer-Encoding:\u000bchunked",
          "Transfer-Encoding : chunked",
          "Transfer-Encoding:\r\n chunked",
          "Transfer-Encoding: xchunked",
          "Transfer-Encoding: \"chunked\"",
          "Transfer-Encoding: chunked, identity",
          "Transfer-Encoding: identity, chunked",
          "Transfer-Encoding: chunked, chunked",
          "Transfer-Encoding: chunked;a=b",
          "Transfer_Encoding: chunked",
          "X: y\nTransfer-Encoding: chunked",
          "X: y\rTransfer-Encoding: chunked",
          "Connection: Content-Length",
          "Connection: Transfer-Encoding",
          "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAA",
          "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key1: 4 @1  46546xW%0l 1 5",
          "Expect: 100-continue");

  private static final String BYTES = Integer.toHexString(HIDDEN.length());

  /** What a reader takes for the body, if any, and for the next request. */
  private static final List<String> BODIES =
      List.of(
          HIDDEN,
          "0\r\n\r\n" + HIDDEN,
          "1;\n x\r\n0\r\n\r\n" + HIDDEN,
          BYTES + "\r\n" + HIDDEN + "\r\n0\r\n\r\n",
          "100000000\r\n" + HIDDEN,
          "0\r\nX: y\n\n" + HIDDEN);

  private static final List<String> PATHS =
      List.of(
          "/workflows/../elsa/api",
          "/workflows/%2e%2e/elsa/api",
          "/workflows/.%2E/elsa/api",
          "/workflows/..%2felsa/api",
          "/workflows/..%5celsa/api",
          "/workflows/..;/elsa/api",
          "/%65lsa/api",
          "/elsa%2fapi",
          "//elsa/api",
          "/./elsa/api",
          "/elsa//api",
          "/elsa/./api",
          "/elsa\\api",
          "http://localhost/elsa/api",
          "http://localhost/workflows/../elsa/api");

  private final TestCluster cluster;
  private final int nodePort = Ports.free(1).getFirst();

  ProxiesAgreeIT(TestPostgres postgres) {
    cluster =
        new TestCluster(postgres, TestClusters.folder(), "proxies", List.of(nodePort), Map.of());
  }

  @BeforeAll
  void start() {
    cluster.startAll();
    cluster.api(0).publish(Workflows.lines("hidden", "reached"));
    cluster.api(0).publish(Workflows.hello("hello"));
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  private long reached() {
    var sql = "select count(*) from workflow_instances where definition_id = 'hidden'";
    return cluster.sql().number(sql);
  }

  private static String hello(String name) {
    return "GET /workflows/hello/" + name + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }

  @Test
  void without_a_proxy_the_hidden_request_is_served() throws IOException {
    long before = reached();
    assertThat(ask(nodePort, hello("first") + HIDDEN + END))
        .contains("Hello, first!", "Hello, end!");
    assertThat(reached()).isEqualTo(before + 1);
  }

  @ParameterizedTest
  @EnumSource
  void about_where_requests_end(Proxy proxy) throws Exception {
    try (var running = begin(proxy)) {
      long before = reached();
      assertThat(ask(running.port(), hello("first") + HIDDEN + END))
          .contains("Hello, first!")
          .contains(" 403 ");
      var seen = new Seen(running.port());
      try (var executor = Executors.newFixedThreadPool(AT_ONCE)) {
        for (var stream : streams()) {
          executor.execute(() -> seen.send(stream));
        }
      }

      Measured.say(
          "proxies",
          "%s: %d streams, %d of which the node answered, %d that the proxy denied, %d refused",
          proxy.program(),
          seen.streams.get(),
          seen.served.get(),
          seen.denied.get(),
          seen.refused.get());
      assertThat(seen.faults).as("answers that are not the caller's").isEmpty();
      assertThat(reached()).as("requests that came past the proxy").isEqualTo(before);
      assertThat(seen.served.get()).isPositive();
      assertThat(seen.denied.get()).isPositive();
      assertThat(seen.refused.get()).isPositive();
      assertThat(cluster.node(0).isReady()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void about_which_paths_are_the_apis(Proxy proxy) throws Exception {
    try (var running = begin(proxy)) {
      long before = reached();
      for (var path : PATHS) {
        var request = HIDDEN.replace("/elsa/api", path).replace("{}", "{}" + END);

        assertThat(ask(running.port(), request)).as(path).matches("(?s)HTTP/1.1 4\\d\\d .*");
      }
      assertThat(reached()).as("requests that came past the proxy").isEqualTo(before);
    }
  }

  private Proxy.Running begin(Proxy proxy) throws IOException {
    if (!proxy.isInstalled()) {
      Measured.say("proxies", "%s is not installed: not tested", proxy.program());
    }
    assumeTrue(proxy.isInstalled(), proxy.program() + " is not installed");
    var folder = TestClusters.folder().resolve("proxies");
    return proxy.start(folder, Ports.free(1).getFirst(), nodePort);
  }

  private static List<String> streams() {
    var streams = new ArrayList<String>();
    for (var version : VERSIONS) {
      for (int i = 0; i < HEADERS.size(); i++) {
        for (int j = 0; j < HEADERS.size(); j++) {
          for (var body : BODIES) {
            var headers = i == j ? HEADERS.get(i) : HEADERS.get(i) + "\r\n" + HEADERS.get(j);
            streams.add(stream(version, headers, body));
          }
        }
      }
    }
    return streams;
  }

  private static String stream(String version, String headers, String body) {
    return "POST /workflows/hello/first HTTP/"
        + version
        + "\r\nHost: localhost\r\nConnection: keep-alive\r\n"
        + headers.replaceAll("(?<=[: 0+-])N\\b", String.valueOf(body.length()))
        + "\r\n\r\n"
        + body
        + END;
  }

  private static String ask(int port, String text) throws IOException {
    return ask(port, text, ANSWER_MS);
  }

  /** All that comes until the other end closes or is silent. */
  private static String ask(int port, String text, int silenceMs) throws IOException {
    var answer = new ByteArrayOutputStream();
    try (var sockets = new RawSockets(port);
        var socket = sockets.connect()) {
      socket.setSoTimeout(silenceMs);
      socket.getOutputStream().write(text.getBytes(ISO_8859_1));
      socket.getInputStream().transferTo(answer);
    } catch (SocketTimeoutException _) {
      return answer.toString(ISO_8859_1) + "\n(silent)";
    }
    return answer.toString(ISO_8859_1);
  }

  /** The outcome of each stream, and of a request of another client after it. */
  private static final class Seen {
    private final int port;
    private final AtomicInteger streams = new AtomicInteger();
    private final AtomicInteger served = new AtomicInteger();
    private final AtomicInteger denied = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();

    Seen(int port) {
      this.port = port;
    }

    void send(String stream) {
      var name = "other-" + streams.incrementAndGet();
      try {
        count(ask(port, stream, SILENCE_MS));
      } catch (IOException _) {
        refused.incrementAndGet(); // the proxy has closed the connection while it was sent
      }
      String honest;
      try {
        honest = ask(port, hello(name).replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
      } catch (IOException e) {
        honest = e.toString();
      }
      if (!honest.startsWith("HTTP/1.1 200 ") || !honest.contains("Hello, " + name + "!")) {
        faults.add(honest + " for " + name + ", after " + stream);
      }
    }

    private void count(String answers) {
      if (answers.contains("Hello, first!")) {
        served.incrementAndGet();
      }
      if (answers.contains(" 403 ")) {
        denied.incrementAndGet();
      }
      if (answers.contains(" 400 ")) {
        refused.incrementAndGet();
      }
    }
  }
}
