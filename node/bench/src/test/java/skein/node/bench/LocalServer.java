package skein.node.bench;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A server of HTTP or HTTPS on loopback that answers as a test wants. */
final class LocalServer implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx();
  private final URI base;

  LocalServer(Consumer<HttpServerRequest> handler) throws TimeoutException {
    this(new HttpServerOptions(), handler);
  }

  LocalServer(HttpServerOptions options, Consumer<HttpServerRequest> handler)
      throws TimeoutException {
    var server =
        vertx
            .createHttpServer(options)
            .requestHandler(handler::accept)
            .listen(0, "127.0.0.1")
            .await(10, TimeUnit.SECONDS);
    base = URI.create((options.isSsl() ? "https" : "http") + "://127.0.0.1:" + server.actualPort());
  }

  URI base() {
    return base;
  }

  @Override
  public void close() throws TimeoutException {
    vertx.close().await(10, TimeUnit.SECONDS);
  }
}
