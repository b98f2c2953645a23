package skein.node;

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
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A small balancer for machines that have no other. */
final class OwnBalancer implements Balancer {
  private static final Duration PROBE_INTERVAL = Duration.ofMillis(200);

  private final HttpServer server;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final AtomicInteger turn = new AtomicInteger();
  private final List<URI> nodes;
  private final Thread probing;
  private volatile List<URI> ready;

  OwnBalancer(List<Integer> nodePorts) {
    nodes = nodePorts.stream().map(port -> URI.create("http://127.0.0.1:" + port)).toList();
    ready = nodes;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::forward);
    server.start();
    probing = Thread.ofVirtual().start(this::probe);
  }

  @Override
  public URI base() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private void probe() {
    while (!Thread.currentThread().isInterrupted()) {
      ready = nodes.stream().filter(OwnBalancer::isReady).toList();
      LockSupport.parkNanos(PROBE_INTERVAL.toNanos());
    }
  }

  private static boolean isReady(URI node) {
    try {
      return new Http(node).get("/health/ready").status() == 200;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  private void forward(HttpExchange exchange) throws IOException {
    try (exchange) {
      var candidates = ready;
      if (candidates.isEmpty()) {
        exchange.sendResponseHeaders(503, -1);
        return;
      }
      var node = candidates.get(Math.floorMod(turn.getAndIncrement(), candidates.size()));
      var body = exchange.getRequestBody().readAllBytes();
      var request =
          HttpRequest.newBuilder(node.resolve(exchange.getRequestURI()))
              .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
      var type = exchange.getRequestHeaders().getFirst("Content-Type");
      if (type != null) {
        request.header("Content-Type", type);
      }
      var answer = client.send(request.build(), BodyHandlers.ofByteArray());
      exchange.sendResponseHeaders(
          answer.statusCode(), answer.body().length == 0 ? -1 : answer.body().length);
      exchange.getResponseBody().write(answer.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    probing.interrupt();
    server.stop(0);
    client.close();
  }

  @Override
  public String toString() {
    return "the test's own balancer";
  }
}
