package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import skein.activities.SecretNames;
import skein.cluster.Readiness;
import skein.codecs.Network;
import skein.identity.RateLimit;
import skein.metrics.HttpMetrics;

/** A caller that asks too often is refused, and no other. */
class RequestRatesIT {
  private static final int BURST = 5;
  private static final int MANY = 1_000;

  private static GuardedServer server;
  private static String admin;

  @BeforeAll
  static void start() throws Exception {
    server = new GuardedServer();
    admin = server.admin();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static ConnectionLimits limits() {
    var usual = ConnectionLimits.DEFAULT;
    return new ConnectionLimits(
        usual.max(),
        usual.perAddressMax(),
        usual.requestsMax(),
        usual.timeouts(),
        usual.receivingBytesMax(),
        usual.sendingBytesMax(),
        new RateLimit.Options(1, BURST, 100));
  }

  /** Served by one that believes proxies on this machine; its bucket fills by one a second. */
  private static final class Limited {
    final HttpMetrics metrics = new HttpMetrics();
    private final int port;

    Limited(Security security) {
      var readiness = new Readiness();
      readiness.advanceTo(Readiness.Phase.READY);
      var dependencies = HttpFixture.dependencies(server.node, readiness).with(security);
      var proxies = List.of(Network.parse("127.0.0.0/8"));
      var options =
          HttpOptions.of("127.0.0.1", 0, URI.create("http://skein.test"))
              .with(new Callers(SecretNames.DEFAULT, true, proxies, false));
      var health =
          new Health(readiness, dependencies.member().cluster(), dependencies.stores().database());
      var verticle =
          new HttpVerticle(
              dependencies, options, new Connections(limits(), 100_000), health, metrics, null);
      server.vertx().deployVerticle(verticle).await();
      port = verticle.port();
    }

    HttpResponse<String> get(String path, Map<String, String> headers) throws Exception {
      var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
      headers.forEach(request::header);
      return GuardedServer.CLIENT.send(request.build(), BodyHandlers.ofString());
    }

    /** The first refusal for the rate, after a burst that is served. */
    HttpResponse<String> refusal(IntFunction<Map<String, String>> headers) throws Exception {
      for (int i = 0; i < MANY; i++) {
        var answer = get(LIST, headers.apply(i));
        if (answer.statusCode() == 429) {
          assertThat(i).as("served before").isGreaterThanOrEqualTo(BURST);
          return answer;
        }
        assertThat(answer.statusCode()).isEqualTo(200);
      }
      throw new AssertionError(MANY + " requests were served");
    }
  }

  private static final String LIST = Routes.API + "/workflow-definitions";

  @Test
  void an_address_is_refused_with_the_time_after_which_to_come_again() throws Exception {
    var limited = new Limited(Security.OPEN);
    var from = Map.of("X-Forwarded-For", "192.0.2.1");
    var refused = limited.refusal(_ -> from);
    assertThat(GuardedServer.code(refused)).isEqualTo("TOO_MANY_REQUESTS");
    assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
    assertThat(limited.metrics.limited().sum()).isPositive();
    assertThat(limited.get(LIST, Map.of("X-Forwarded-For", "192.0.2.2")).statusCode())
        .isEqualTo(200);
    for (int i = 0; i < 2 * BURST; i++) {
      assertThat(limited.get("/health/live", from).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void who_has_signed_in_counts_by_name_wherever_they_are() throws Exception {
    var limited = new Limited(new Security.Authenticated(server.identity, true));
    var viewer = server.user("rates-viewer", "viewer");
    limited.refusal(i -> Map.of("Authorization", admin, "X-Forwarded-For", "192.0.2." + i % 200));

    var others = Map.of("Authorization", viewer, "X-Forwarded-For", "192.0.2.1");
    assertThat(limited.get(LIST, others).statusCode()).isEqualTo(200);
    assertThat(limited.get("/workflows/none", Map.of("X-Forwarded-For", "192.0.2.1")).statusCode())
        .isEqualTo(404);
  }
}
