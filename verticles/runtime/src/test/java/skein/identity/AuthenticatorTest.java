package skein.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import skein.loop.VertxDelays;
import skein.loop.VertxEventLoop;
import skein.metrics.SecurityMetrics;
import skein.storage.ApplicationStore;
import skein.storage.Database;
import skein.storage.RoleStore;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AuthenticatorTest {
  private static final String HERE = "192.0.2.1";
  private static final Caller.User KIM =
      new Caller.User("kim", List.of("viewer"), Permissions.of(Set.of("read:*")));
  private static final Duration SOON = Duration.ofSeconds(1);
  private static final InstantSource CLOCK = InstantSource.system();

  private final Vertx vertx = Vertx.vertx();
  private final AccessTokens tokens =
      new AccessTokens(
          vertx, List.of("key-of-these-tests-that-nobody-guesses"), "tests", Duration.ofMinutes(5));
  private final Map<String, Validated> remembered = new HashMap<>();
  private final VertxEventLoop loop = new VertxEventLoop(vertx, vertx.getOrCreateContext());
  private final Authenticator authenticator = authenticator();

  @AfterAll
  void stop() {
    vertx.close().await();
  }

  /** The database is not used here: no server listens there. */
  private Authenticator authenticator() {
    var database =
        new Database(
            vertx,
            new Database.Options(
                new Database.Login("postgresql://postgres@127.0.0.1:1/postgres"),
                "none",
                new Database.PoolLimits(1, 10),
                new Database.Timeouts(SOON, SOON),
                new Database.Reads(1, 10, 1 << 20)));
    var roles = new RolePermissions(new RoleStore(database));
    var programs =
        new Authenticator.Programs(
            new ApiKeys(new ApplicationStore(database), roles, CLOCK, SOON),
            new CertificateRoles(Map.of(), roles, CLOCK, SOON));
    var throttle = new Throttle(new Throttle.Options(3, SOON, SOON, SOON, 50, 2), System::nanoTime);
    var guard = new SignIn.Guard(throttle, new VertxDelays(vertx), new SecurityMetrics());
    return new Authenticator(loop, tokens, Map.of(), programs, guard, CLOCK, remembered);
  }

  private Caller authenticate(Credential credential) {
    return Future.<Caller>future(promise ->
            loop.execute(() -> authenticator.authenticate(credential, HERE).onComplete(promise)))
        .await();
  }

  @Test
  void what_is_remembered_of_a_token_does_not_have_the_token() {
    var token = tokens.issue("1", KIM);

    assertThat(authenticate(new Credential.Bearer(token)).label()).contains("kim");

    assertThat(remembered).hasSize(1);
    for (var part : List.of(token.split("\\.", -1))) {
      assertThat(remembered.keySet()).noneMatch(key -> key.contains(part));
    }
    assertThat(authenticate(new Credential.Bearer(token)).label()).contains("kim");
    assertThat(remembered).as("found again").hasSize(1);
  }

  @Test
  void an_api_key_is_remembered_by_its_hash() throws Exception {
    var key = "client-with-a-key-that-nobody-guesses";
    var hash =
        Base64.getEncoder()
            .encodeToString(
                MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8)));
    remembered.put("K " + hash, new Validated(KIM, CLOCK.instant().plusSeconds(60)));

    assertThat(authenticate(new Credential.ApiKey(key))).isEqualTo(KIM);
  }
}
