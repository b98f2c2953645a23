package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import skein.identity.Throttle;
import skein.metrics.SecurityMetrics.Refusal;

/** Guesses take longer and longer, and do not delay others. */
@Tag("long")
class GuessesIT {
  private static final Throttle.Options STRICT =
      new Throttle.Options(
          3, Duration.ofMillis(100), Duration.ofMillis(400), Duration.ofMinutes(1), 100, 4);

  /** With a connection for each request that is under way. */
  private static final HttpClient GUESSER =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private static GuardedServer server;

  @BeforeAll
  static void start() {
    server = new GuardedServer(STRICT, List.of());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static HttpRequest login(String name, String password) {
    var body = new JsonObject().put("username", name).put("password", password).encode();
    return HttpRequest.newBuilder(server.api("/identity/login"))
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body))
        .build();
  }

  /** The statuses of so many at once. */
  private static List<Integer> statuses(HttpRequest request, int times) {
    var all = new ArrayList<CompletableFuture<Integer>>();
    for (int i = 0; i < times; i++) {
      all.add(
          GUESSER
              .sendAsync(request, BodyHandlers.discarding())
              .thenApply(answer -> answer.statusCode()));
    }
    return all.stream().map(CompletableFuture::join).toList();
  }

  @Test
  void ten_thousand_guesses_are_bounded_work_and_the_honest_get_in() throws Exception {
    long hashed = server.metrics.refusals(Refusal.PASSWORD);
    long start = System.nanoTime();

    var statuses = new ArrayList<Integer>();
    for (int i = 0; i < 20; i++) {
      statuses.addAll(statuses(login(GuardedServer.ADMIN, "guess-" + i), 500));
    }

    var took = Duration.ofNanos(System.nanoTime() - start);
    assertThat(statuses).hasSize(10_000).containsOnly(200, 429).contains(429);
    // Four at once, each of which waits for 400 ms after the first few.
    assertThat(server.metrics.refusals(Refusal.PASSWORD) - hashed)
        .isLessThan(10 + 4 * (took.toMillis() / 400 + 2));
    assertThat(server.metrics.refusals(Refusal.THROTTLED)).isGreaterThan(5_000);
    long before = System.nanoTime();
    assertThat(
            server.login(GuardedServer.ADMIN, GuardedServer.PASSWORD).getBoolean("isAuthenticated"))
        .isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void what_is_refused_says_when_to_come_again() {
    var refused = new ArrayList<String>();
    var all = new ArrayList<CompletableFuture<Void>>();
    for (int i = 0; i < 60; i++) {
      all.add(
          GUESSER
              .sendAsync(login("nobody", "guess"), BodyHandlers.ofString())
              .thenAccept(answer -> {
                if (answer.statusCode() == 429) {
                  synchronized (refused) {
                    refused.add(
                        GuardedServer.code(answer)
                            + answer.headers().firstValue("Retry-After").orElse(""));
                  }
                }
              }));
    }
    all.forEach(CompletableFuture::join);

    assertThat(refused).isNotEmpty().containsOnly("TOO_MANY_ATTEMPTS1");
  }

  @Test
  void whoever_is_signed_in_is_not_held_up_by_guesses_of_tokens_from_the_same_address()
      throws Exception {
    var admin = server.admin();
    assertThat(server.get("/workflow-instances", admin).statusCode()).isEqualTo(200);
    var guess =
        HttpRequest.newBuilder(server.api("/workflow-instances"))
            .header("Authorization", "Bearer a.b.c")
            .build();
    var guesses = CompletableFuture.supplyAsync(() -> statuses(guess, 200));

    int asked = 0;
    long slowest = 0;
    while (!guesses.isDone() || asked < 20) {
      long start = System.nanoTime();
      assertThat(server.get("/workflow-instances", admin).statusCode()).isEqualTo(200);
      slowest = Math.max(slowest, System.nanoTime() - start);
      asked++;
    }

    assertThat(guesses.join()).containsOnly(401, 429);
    assertThat(Duration.ofNanos(slowest)).isLessThan(Duration.ofSeconds(2));
  }
}
