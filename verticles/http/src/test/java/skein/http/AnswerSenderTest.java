package skein.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import skein.identity.RateLimit;

/** Large answers while others have not taken theirs. */
class AnswerSenderTest {
  private static final int SENDING_BYTES_MAX = 100_000;
  private static final Buffer LARGE = Buffer.buffer("x".repeat(10_000));
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final Vertx vertx = Vertx.vertx();
  private final Connections connections = connections();
  private HttpServer server;

  @BeforeEach
  void listen() {
    var router = Router.router(vertx);
    router.route().handler(this::answer);
    server = vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1").await();
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  private void answer(RoutingContext context) {
    var connection = context.request().connection();
    var address = connection.remoteAddress();
    var remote = new Remote(address.host(), address.port());
    var peer = connections.open(remote, connection::close);
    assertThat(peer).isNotNull().isEqualTo(connections.find(address));
    assertThat(connections.begin(peer, context, (_, _) -> {})).isNotNull();
    if ("/reads".equals(context.request().path())) {
      AnswerSender.markHarmless(context);
    }
    AnswerSender.send(new Answer(200, Map.of(), "text/plain", LARGE), context);
  }

  @Test
  void what_only_reads_is_refused_whatever_its_method() throws Exception {
    assertThat(sent("POST", "/reads").statusCode()).isEqualTo(200);

    connections.sending(SENDING_BYTES_MAX);

    assertThat(sent("GET", "/").statusCode()).isEqualTo(503);
    var refused = sent("POST", "/reads");
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.body()).contains("OVERLOADED", "http.sending-bytes-max");
  }

  @Test
  void what_was_done_is_told_until_twice_as_much_is_not_taken() throws Exception {
    connections.sending(SENDING_BYTES_MAX);

    assertThat(sent("POST", "/").body()).hasSize(LARGE.length());

    connections.sending(SENDING_BYTES_MAX);
    assertThatThrownBy(() -> sent("POST", "/")).isInstanceOf(IOException.class);
  }

  private HttpResponse<String> sent(String method, String path) throws Exception {
    var uri = URI.create("http://127.0.0.1:" + server.actualPort() + path);
    return CLIENT.send(
        HttpRequest.newBuilder(uri).method(method, BodyPublishers.noBody()).build(),
        BodyHandlers.ofString());
  }

  private static Connections connections() {
    var seconds = Duration.ofSeconds(10);
    var limits =
        new ConnectionLimits(
            10,
            10,
            10,
            new ConnectionLimits.Timeouts(seconds, seconds, seconds, seconds),
            SENDING_BYTES_MAX,
            SENDING_BYTES_MAX,
            RateLimit.Options.NONE);
    return new Connections(limits, 50_000, System::nanoTime);
  }
}
