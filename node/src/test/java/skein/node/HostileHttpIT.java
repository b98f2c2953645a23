package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/** Callers who mean harm, over HTTP, on a node whose times to wait are short. */
@ExtendWith(TestClusters.class)
@TestInstance(Lifecycle.PER_CLASS)
class HostileHttpIT {
  private static final Duration FREED = Duration.ofSeconds(45);
  private static final String START = "/elsa/api/workflow-instances";
  private static final String LARGE = "/elsa/api/workflow-definitions/by-definition-id/large";
  private static final String HEAD =
      "POST " + START + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
  private static final Map<String, String> SETTINGS =
      Map.of(
          "http.header-timeout", "5s",
          "http.body-timeout", "5s",
          "http.send-timeout", "5s",
          "http.idle-timeout", "35s",
          "http.connections-max", "8000");

  private final TestCluster cluster;
  private final int port = TestCluster.freePorts(1).getFirst();
  private Siege siege;

  HostileHttpIT(TestPostgres postgres) {
    cluster = new TestCluster(postgres, TestClusters.folder(), "hostile", List.of(port), SETTINGS);
  }

  @BeforeAll
  void start() {
    cluster.startAll();
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

  @Test
  void connections_that_say_nothing() throws Exception {
    siege.withstands(
        "10,000 idle connections",
        FREED,
        () -> {
          var sockets = new RawSockets(port);
          Measured.say("siege", "%d of 10,000 connections opened", sockets.idle(10_000));
          return sockets;
        });
  }

  @Test
  void headers_that_come_slowly() throws Exception {
    siege.withstands(
        "1,000 slow headers",
        FREED,
        () -> {
          var sockets = new RawSockets(port);
          sockets.each(
              1_000,
              socket -> {
                RawSockets.send(socket, "GET / HTTP/1.1\r\nHost: localhost\r\nX: ");
                drip(socket);
              });
          return sockets;
        });
  }

  @Test
  void large_headers_that_do_not_end() throws Exception {
    siege.withstands(
        "3,000 connections with 14 KiB of headers each",
        FREED,
        () -> {
          var sockets = new RawSockets(port);
          var headers = "X-Header: 0123456789012345678901234567890123456789\r\n".repeat(280);
          var number = new AtomicInteger();
          sockets.each(
              3_000,
              socket -> {
                Thread.sleep(2L * number.getAndIncrement());
                RawSockets.send(socket, "GET / HTTP/1.1\r\nHost: localhost\r\n" + headers);
                drip(socket);
              });
          return sockets;
        });
  }

  @Test
  void bodies_that_come_slowly() throws Exception {
    siege.withstands(
        "1,000 slow bodies",
        FREED,
        () -> {
          var sockets = new RawSockets(port);
          sockets.each(
              1_000,
              socket -> {
                RawSockets.send(
                    socket, HEAD + "Content-Length: 100000\r\n\r\n{\"definitionId\":\"");
                drip(socket);
              });
          return sockets;
        });
  }

  @Test
  void large_bodies_that_do_not_end() throws Exception {
    siege.withstands(
        "400 bodies of 1,000,000 bytes without their last bytes",
        FREED,
        () -> {
          var sockets = new RawSockets(port);
          var most = "x".repeat(1_000_000);
          var number = new AtomicInteger();
          sockets.each(
              400,
              socket -> {
                Thread.sleep(15L * number.getAndIncrement());
                RawSockets.send(socket, HEAD + "Content-Length: 1000100\r\n\r\n{\"a\":\"");
                RawSockets.send(socket, most);
                drip(socket);
              });
          return sockets;
        });
  }

  @Test
  void bodies_without_an_end() throws Exception {
    siege.withstands(
        "20 endless bodies",
        FREED,
        () -> {
          var sockets = new RawSockets(port);
          var chunk = "4000\r\n" + "x".repeat(0x4000) + "\r\n";
          again(
              sockets,
              20,
              socket -> {
                RawSockets.send(socket, HEAD + "Transfer-Encoding: chunked\r\n\r\n");
                for (int i = 0; i < 10_000; i++) {
                  RawSockets.send(socket, chunk);
                  Thread.sleep(1);
                }
              });
          return sockets;
        });
  }

  /** One answer is about 900 KB; all of them would be more than the heap. */
  @Test
  void answers_that_are_not_read() throws Exception {
    cluster.api(0).publish(Workflows.lines("large", "x".repeat(900_000)));
    siege.withstands(
        "300 large answers that are not read",
        FREED,
        () -> {
          var sockets = new RawSockets(port);
          var number = new AtomicInteger();
          sockets.eachWithSmallWindow(
              300,
              socket -> {
                Thread.sleep(30L * number.getAndIncrement());
                RawSockets.send(socket, "GET " + LARGE + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
                drip(socket);
              });
          return sockets;
        });
  }

  @Test
  void requests_that_are_not_waited_for() throws Exception {
    siege.withstands(
        "requests that are left at once",
        FREED,
        () -> {
          var sockets = new RawSockets(port);
          var body = new JsonObject().put("definitionId", "honest-" + port).encode();
          again(
              sockets,
              4,
              socket -> {
                RawSockets.send(socket, HEAD + "Content-Length: " + body.length() + "\r\n\r\n");
                RawSockets.send(socket, body);
                socket.setSoLinger(true, 0);
                socket.close();
                Thread.sleep(40);
              });
          return sockets;
        });
  }

  @Test
  void thousands_of_requests_at_once_on_one_connection() throws Exception {
    siege.withstands(
        "20 connections with 5,000 requests each, answers not read",
        FREED,
        () -> {
          var sockets = new RawSockets(port);
          var requests = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(5_000);
          sockets.eachWithSmallWindow(20, socket -> RawSockets.send(socket, requests));
          return sockets;
        });
  }

  @Test
  void streams_that_are_reset_at_once() throws Exception {
    siege.withstands(
        "HTTP/2 rapid reset", FREED, () -> http2(4, this::resets, H2Frames.settings()));
  }

  private void resets(OutputStream out) throws IOException {
    for (int stream = 1; stream < 20_001; stream += 2) {
      out.write(H2Frames.get(stream, "/elsa/api/workflow-instances"));
      out.write(H2Frames.reset(stream));
    }
    out.flush();
  }

  @Test
  void headers_that_go_on_in_further_frames() throws Exception {
    siege.withstands(
        "HTTP/2 continuations", FREED, () -> http2(4, HostileHttpIT::further, H2Frames.settings()));
  }

  private static void further(OutputStream out) throws IOException {
    out.write(H2Frames.endlessHeaders(1, "/"));
    var block = H2Frames.header("x-more", "0".repeat(120));
    for (int i = 0; i < 100_000; i++) {
      out.write(H2Frames.continuation(1, block));
    }
    out.flush();
  }

  @Test
  void settings_and_pings() throws Exception {
    siege.withstands(
        "HTTP/2 settings and pings", FREED, () -> http2(4, HostileHttpIT::control, new byte[0]));
  }

  private static void control(OutputStream out) throws IOException {
    for (int i = 0; i < 50_000; i++) {
      out.write(H2Frames.settings());
      out.write(H2Frames.ping());
    }
    out.flush();
  }

  @Test
  void streams_whose_answers_are_not_taken() throws Exception {
    cluster.api(0).publish(Workflows.lines("large", "x".repeat(900_000)));
    siege.withstands(
        "HTTP/2: 10 connections with 30 large answers each that are not taken",
        FREED,
        () -> {
          var sockets = new RawSockets(port);
          sockets.each(
              10,
              socket -> {
                var out = socket.getOutputStream();
                out.write(H2Frames.PREFACE);
                out.write(H2Frames.settingsWithoutWindow());
                for (int i = 0; i < 30; i++) {
                  out.write(H2Frames.get(2 * i + 1, LARGE));
                  Thread.sleep(300);
                }
                while (true) {
                  Thread.sleep(1_000);
                  out.write(H2Frames.ping());
                }
              });
          return sockets;
        });
  }

  private interface Writing {
    void to(OutputStream out) throws IOException;
  }

  /** One after the other on each of some threads, until the connection is refused. */
  private RawSockets http2(int count, Writing writing, byte[] settings) {
    var sockets = new RawSockets(port);
    again(
        sockets,
        count,
        socket -> {
          var out = new BufferedOutputStream(socket.getOutputStream(), 16_384);
          out.write(H2Frames.PREFACE);
          out.write(settings.length == 0 ? H2Frames.settings() : settings);
          writing.to(out);
        });
    return sockets;
  }

  /** When one is over, another one begins 100 ms later. */
  private static void again(RawSockets sockets, int count, RawSockets.Talk talk) {
    sockets.each(
        count,
        first -> {
          var socket = first;
          for (int i = 0; i < 2_000; i++) {
            try {
              talk.on(socket);
            } catch (IOException _) {
              sockets.ended.incrementAndGet();
            }
            socket.close();
            Thread.sleep(100);
            socket = sockets.connect();
          }
        });
  }

  private static void drip(Socket socket) throws IOException, InterruptedException {
    while (true) {
      Thread.sleep(1_000);
      RawSockets.send(socket, "x");
    }
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
        assertThat(sockets.ask(HEAD + lie + "\r\n\r\n" + body))
            .as(lie)
            .matches("(?s)(HTTP/1.1 400 .*)?"); // or the connection is closed
      }
      assertThat(sockets.ask(HEAD + "Content-Length: 2000000000\r\n\r\n" + body))
          .startsWith("HTTP/1.1 413")
          .contains("TOO_LARGE");
    }
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
    }
  }

  @Test
  void a_thousand_callers_resume_one_instance() throws Exception {
    cluster.api(0).publish(Workflows.approval("crowd"));
    var id = cluster.api(0).start("crowd");
    var codes = new ConcurrentHashMap<String, AtomicInteger>();
    siege.withstands(
        "1,000 resumes of one instance",
        FREED,
        () -> {
          var crowd = Thread.startVirtualThread(() -> resumeTogether(id, codes));
          return crowd::join;
        });
    assertThat(codes.get("200 ")).hasValue(1);
    assertThat(codes.keySet()).isSubsetOf("200 ", "409 ALREADY_RESUMED", "409 IN_PROGRESS");
  }

  private void resumeTogether(String id, Map<String, AtomicInteger> codes) {
    long since = System.nanoTime();
    for (var answer : Together.call(1_000, _ -> cluster.api(0).resume(id))) {
      codes
          .computeIfAbsent(answer.status() + " " + answer.code(), _ -> new AtomicInteger())
          .incrementAndGet();
    }
    Measured.say("siege", "resumed in %.1f s: %s", Measured.seconds(since), codes);
  }
}
