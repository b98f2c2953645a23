package skein.node;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A service that wants a key in {@code X-Api-Key}, and repeats it in all that it says. */
final class PayService implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private volatile Set<String> keys;

  /** The keys of requests that were answered. */
  final Queue<String> accepted = new ConcurrentLinkedQueue<>();

  /** Those of others. */
  final Queue<String> refused = new ConcurrentLinkedQueue<>();

  PayService(Set<String> keys) {
    this.keys = Set.copyOf(keys);
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(executor);
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var key = String.valueOf(exchange.getRequestHeaders().getFirst("X-Api-Key"));
      boolean known = keys.contains(key);
      (known ? accepted : refused).add(key);
      var authorization = exchange.getRequestHeaders().getFirst("Authorization");
      var said = "{\"key\":\"" + key + "\",\"authorization\":\"" + authorization + "\"}";
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.getResponseHeaders().set("X-Echo", key);
      var bytes = said.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(known ? 200 : 401, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/pay";
  }

  /** Those that it knows from now on. */
  void knows(String... next) {
    keys = Set.of(next);
  }

  @Override
  public void close() {
    server.stop(0);
    executor.close();
  }
}
