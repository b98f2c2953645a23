package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import skein.metrics.HttpMetrics;

class CommonHandlersTest {
  private static final HttpOptions OPTIONS =
      HttpOptions.of("127.0.0.1", 0, URI.create("http://127.0.0.1"));
  private static final Duration TIMEOUT = OPTIONS.timeouts().request();

  /** With one event loop, for all of them. */
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5); // the clock may run over
  private final List<RoutingContext> received = new ArrayList<>();
  private final CommonHandlers handlers =
      new CommonHandlers(
          vertx,
          OPTIONS,
          new Connections(ConnectionLimits.DEFAULT, 1_000),
          new HttpMetrics(),
          _ -> null,
          nanos::get);
  private HttpServer server;

  @BeforeEach
  void listen() {
    var router = handlers.router();
    router.route().handler(received::add);
    router.route().failureHandler(RequestRefusals::failed);
    server = vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1").await();
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  @Test
  void a_request_fails_when_its_time_is_up_and_not_before() throws Exception {
    var first = sent("/first");
    await(1);
    nanos.addAndGet(TIMEOUT.toNanos() - 1);
    endLate();
    var second = sent("/second");
    await(2);

    assertThat(first.isComplete()).isFalse();
    assertThat(requests()).isEqualTo(2);

    nanos.incrementAndGet();
    endLate();
    var late = answer(first);

    assertThat(late.statusCode()).isEqualTo(504);
    assertThat(late.body().await().toString()).contains("\"TIMEOUT\"", "No answer in time");
    assertThat(second.isComplete()).isFalse();
    assertThat(requests()).isOne();
  }

  @Test
  void a_request_that_was_answered_does_not_fail_later() throws Exception {
    var first = sent("/first");
    await(1);
    vertx.runOnContext(_ -> received.getFirst().response().end("done"));
    assertThat(answer(first).statusCode()).isEqualTo(200);
    assertThat(requests()).isZero();

    nanos.addAndGet(TIMEOUT.toNanos() * 2);
    endLate();

    assertThat(onLoop(() -> received.getFirst().failed())).isFalse();
  }

  @Test
  void a_stream_has_no_end() throws Exception {
    var stream = sent(Routes.API + "/live");
    await(1);

    nanos.addAndGet(TIMEOUT.toNanos() * 2);
    endLate();

    assertThat(onLoop(() -> received.getFirst().failed())).isFalse();
    assertThat(stream.isComplete()).isFalse();
    assertThat(requests()).isOne();
  }

  private Future<HttpClientResponse> sent(String path) {
    return vertx
        .createHttpClient()
        .request(HttpMethod.GET, server.actualPort(), "127.0.0.1", path)
        .compose(request -> request.send())
        .compose(response -> response.body().map(response));
  }

  private static HttpClientResponse answer(Future<HttpClientResponse> sent) throws Exception {
    return sent.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  private void await(int requests) throws Exception {
    for (int i = 0; onLoop(received::size) < requests; i++) {
      assertThat(i).as("no request came in ten seconds").isLessThan(2_000);
      Thread.sleep(5);
    }
  }

  private void endLate() throws Exception {
    onLoop(() -> {
      handlers.endLate();
      return true;
    });
  }

  private int requests() throws Exception {
    return onLoop(handlers::requests);
  }

  private <T> T onLoop(Supplier<T> read) throws Exception {
    Promise<T> promise = Promise.promise();
    vertx.runOnContext(_ -> promise.complete(read.get()));
    return promise.future().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }
}
