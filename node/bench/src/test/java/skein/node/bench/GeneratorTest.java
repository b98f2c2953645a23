package skein.node.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import skein.node.bench.BenchOptions.Access;
import skein.node.dev.CannotStartException;
import skein.node.dev.Ports;

class GeneratorTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final byte[] REQUEST = Requests.get("/");

  @TempDir private Path folder;

  @Test
  void every_request_is_asked_and_counted_once() throws Exception {
    var seen = new AtomicInteger();
    Set<String> connections = ConcurrentHashMap.newKeySet();
    try (var server =
            new LocalServer(request -> {
              seen.incrementAndGet();
              connections.add(request.remoteAddress().toString());
              request.response().end("fine");
            });
        var generator = new Generator(List.of(server.base()), Access.NONE)) {

      var outcome = generator.run(new Fixed(REQUEST, "fine", 1_000), 8, LONG);

      assertThat(outcome.operations()).isEqualTo(1_000);
      assertThat(outcome.failures()).isZero();
      assertThat(outcome.micros().getTotalCount()).isEqualTo(1_000);
      assertThat(outcome.perSecond()).isPositive();
      assertThat(seen).hasValue(1_000);
      assertThat(connections).as("one connection a caller").hasSize(8);
    }
  }

  @Test
  void a_large_answer_in_many_pieces_is_one_answer() throws Exception {
    var large = "x".repeat(1 << 20) + "end";
    try (var server = new LocalServer(request -> request.response().end(large));
        var generator = new Generator(List.of(server.base()), Access.NONE)) {

      var outcome = generator.run(new Fixed(REQUEST, "end", 20), 2, LONG);

      assertThat(outcome.errors()).isEmpty();
      assertThat(outcome.operations()).isEqualTo(20);
    }
  }

  @Test
  void answers_that_are_not_the_wanted_ones_are_failures() throws Exception {
    try (var server = new LocalServer(GeneratorTest::refuse);
        var generator = new Generator(List.of(server.base()), Access.NONE)) {

      var outcome = generator.run(new Fixed(REQUEST, "", 100), 4, LONG);

      assertThat(outcome.operations()).isZero();
      assertThat(outcome.failures()).isEqualTo(100);
      assertThat(outcome.errors()).hasSize(Outcome.ERRORS_MAX).contains("Answered 409: busy");
    }
  }

  private static void refuse(HttpServerRequest request) {
    request.response().setStatusCode(409).end("busy");
  }

  @Test
  void a_connection_that_is_closed_is_a_failure_and_made_anew_for_the_next_run() throws Exception {
    var seen = new AtomicInteger();
    try (var server =
            new LocalServer(request -> {
              if (seen.incrementAndGet() == 1) {
                var _ = request.connection().close();
              } else {
                request.response().end("fine");
              }
            });
        var generator = new Generator(List.of(server.base()), Access.NONE)) {

      var broken = generator.run(new Fixed(REQUEST, "fine", 10), 1, LONG);
      var next = generator.run(new Fixed(REQUEST, "fine", 10), 1, LONG);

      assertThat(broken.failures()).isEqualTo(1);
      assertThat(broken.errors()).containsExactly("The connection was closed");
      assertThat(next.operations()).isEqualTo(10);
    }
  }

  @Test
  void an_answer_of_unknown_length_is_said_to_be_one() throws Exception {
    try (var server =
            new LocalServer(request -> {
              var response = request.response().setChunked(true);
              response.write("a");
              response.end("b");
            });
        var generator = new Generator(List.of(server.base()), Access.NONE)) {

      var outcome = generator.run(new Fixed(REQUEST, "", 1), 1, LONG);

      assertThat(outcome.failures()).isEqualTo(1);
      assertThat(outcome.errors().getFirst()).contains("chunks");
    }
  }

  @Test
  void at_a_fixed_rate_requests_fall_due_by_the_clock() throws Exception {
    try (var server = new LocalServer(request -> request.response().end("fine"));
        var generator = new Generator(List.of(server.base()), Access.NONE)) {
      var work = new Fixed(REQUEST, "fine", Long.MAX_VALUE);

      var outcome =
          Generator.end(generator.begin(work, 4, Duration.ofSeconds(3), Duration.ofMillis(10)));

      assertThat(outcome.failures()).isZero();
      assertThat(outcome.operations()).isBetween(270L, 300L);
    }
  }

  @Test
  void a_run_ends_when_its_time_is_over() throws Exception {
    try (var server = new LocalServer(request -> request.response().end("fine"));
        var generator = new Generator(List.of(server.base()), Access.NONE)) {
      var work = new Fixed(REQUEST, "fine", Long.MAX_VALUE);

      var outcome = generator.run(work, 4, Duration.ofMillis(300));

      assertThat(Duration.ofNanos(outcome.nanos()))
          .isBetween(Duration.ofMillis(200), Duration.ofSeconds(10));
      assertThat(outcome.operations()).isPositive();
    }
  }

  @Test
  void nobody_there_is_said_in_a_sentence() {
    var nowhere = URI.create("http://127.0.0.1:" + Ports.free(1).getFirst());
    try (var generator = new Generator(List.of(nowhere), Access.NONE)) {
      assertThatThrownBy(() -> generator.run(new Fixed(REQUEST, "", 1), 1, LONG))
          .isInstanceOf(CannotStartException.class)
          .hasMessageContaining(nowhere.toString());
    }
  }

  @Test
  void nodes_with_https_are_asked_with_the_credential() throws Exception {
    var store = new TestKeyStore(folder);
    var seen = new ConcurrentLinkedQueue<String>();
    try (var server =
            new LocalServer(
                store.serverOptions(),
                request ->
                    request
                        .body()
                        .onSuccess(body -> {
                          seen.add(
                              request.method()
                                  + " "
                                  + request.path()
                                  + " "
                                  + request.getHeader("Authorization")
                                  + " "
                                  + request.getHeader("Host")
                                  + " "
                                  + body);
                          request.response().end("fine");
                        }));
        var generator =
            new Generator(List.of(server.base()), new Access(store.trusting(), "ApiKey a-key"))) {

      var posts = generator.run(new Fixed(Requests.post("/start", "{}"), "fine", 100), 4, LONG);
      var gets = generator.run(new Fixed(REQUEST, "fine", 100), 4, LONG);

      assertThat(posts.errors()).isEmpty();
      assertThat(posts.operations()).isEqualTo(100);
      assertThat(gets.operations()).isEqualTo(100);
      assertThat(seen)
          .hasSize(200)
          .containsOnly(
              "POST /start ApiKey a-key skein-bench {}", "GET / ApiKey a-key skein-bench ");
    }
  }

  @Test
  void a_certificate_of_an_unknown_authority_or_another_host_is_said_in_a_sentence()
      throws Exception {
    var store = new TestKeyStore(folder);
    try (var server =
        new LocalServer(store.serverOptions(), request -> request.response().end("fine"))) {
      var otherHost = URI.create("https://localhost:" + server.base().getPort());
      assertUntrusted(server.base(), SSLContext.getDefault());
      assertUntrusted(otherHost, store.trusting());
    }
  }

  private static void assertUntrusted(URI base, SSLContext tls) {
    var access = new Access(tls, null);
    try (var generator = new Generator(List.of(base), access);
        var api = new Api(base, access)) {
      assertThatThrownBy(() -> generator.run(new Fixed(REQUEST, "", 1), 1, LONG))
          .isInstanceOf(CannotStartException.class)
          .hasMessageContaining(base.toString())
          .hasMessageContaining("--ca-file");
      assertThatThrownBy(() -> api.start(new JsonObject()))
          .isInstanceOf(CannotStartException.class)
          .hasMessageContaining("--ca-file");
    }
  }
}
