package skein.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A small balancer for machines that have no other. */
final class OwnBalancer implements Balancer {
  private static final Duration PROBE_INTERVAL = Duration.ofMillis(200);
  private static final Duration PROBE_MAX = Duration.ofSeconds(1);

  private final HttpServer server;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final AtomicInteger turn = new AtomicInteger();
  private final List<URI> nodes;
  private final Set<URI> ready = ConcurrentHashMap.newKeySet();
  private final List<Thread> probing;

  OwnBalancer(List<Integer> nodePorts) {
    nodes = nodePorts.stream().map(port -> URI.create("http://127.0.0.1:" + port)).toList();
    ready.addAll(nodes);
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::forward);
    server.start();
    probing = nodes.stream().map(node -> Thread.ofVirtual().start(() -> probe(node))).toList();
  }

  @Override
  public URI base() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** Each node by itself: one that is slow to answer must not hide that another one leaves. */
  private void probe(URI node) {
    while (!Thread.currentThread().isInterrupted()) {
      if (isReady(node)) {
        ready.add(node);
      } else {
        ready.remove(node);
      }
      LockSupport.parkNanos(PROBE_INTERVAL.toNanos());
    }
  }

  private static boolean isReady(URI node) {
    try {
      return new Http(node, PROBE_MAX).get("/health/ready").status() == 200;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  private void forward(HttpExchange exchange) throws IOException {
    try (exchange) {
      // its server closes idle connections at the moment at which clients may take them again
      exchange.getResponseHeaders().set("Connection", "close");
      var candidates = nodes.stream().filter(ready::contains).toList();
      if (candidates.isEmpty()) {
        answer(exchange, 503, "no node is ready".getBytes(UTF_8));
        return;
      }
      var node = candidates.get(Math.floorMod(turn.getAndIncrement(), candidates.size()));
      try {
        var answered = client.send(request(exchange, node), BodyHandlers.ofByteArray());
        answer(exchange, answered.statusCode(), answered.body());
      } catch (IOException e) {
        answer(exchange, 502, (node + ": " + e).getBytes(UTF_8));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static HttpRequest request(HttpExchange exchange, URI node) throws IOException {
    var body = exchange.getRequestBody().readAllBytes();
    var request =
        HttpRequest.newBuilder(node.resolve(exchange.getRequestURI()))
            .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
    var type = exchange.getRequestHeaders().getFirst("Content-Type");
    if (type != null) {
      request.header("Content-Type", type);
    }
    return request.build();
  }

  private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    probing.forEach(Thread::interrupt);
    server.stop(0);
    client.close();
  }

  @Override
  public String toString() {
    return "the test's own balancer";
  }
}
