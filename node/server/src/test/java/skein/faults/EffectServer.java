package skein.faults;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The world outside: takes calls of workflows, writes them down, and is slow at times. */
final class EffectServer implements AutoCloseable {
  private static final int SLOW_MS_MAX = 300;

  private final History history;
  private final HttpServer server;
  private final AtomicReference<@Nullable Trap> trap = new AtomicReference<>();

  /**
   * What one call is to set off.
   *
   * @param answered not before the call has been answered
   * @param then what is done
   */
  record Trap(Predicate<HttpExchange> of, boolean answered, Runnable then) {}

  EffectServer(History history) {
    this.history = history;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/effect", this::take);
    server.start();
  }

  /** To be called with {@code instance} and {@code step} as its query. */
  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/effect";
  }

  /** Is set off by the first call that fits, once; null: none. */
  void set(@Nullable Trap next) {
    trap.set(next);
  }

  boolean isSet() {
    return trap.get() != null;
  }

  private @Nullable Trap sprung(HttpExchange exchange) {
    var set = trap.get();
    return set != null && set.of().test(exchange) && trap.compareAndSet(set, null) ? set : null;
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      var query = new HashMap<String, String>();
      for (var part : exchange.getRequestURI().getQuery().split("&", -1)) {
        var pair = part.split("=", 2);
        query.put(pair[0], pair[1]);
      }
      var key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
      history.add(
          new Effect(
              System.nanoTime(),
              String.valueOf(key),
              String.valueOf(query.get("instance")),
              String.valueOf(query.get("step"))));
      var sprung = sprung(exchange);
      if (sprung != null && !sprung.answered()) {
        sprung.then().run();
        return;
      }
      Thread.sleep(ThreadLocalRandom.current().nextInt(SLOW_MS_MAX));
      var body = "{}".getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      if (sprung != null) {
        sprung.then().run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
