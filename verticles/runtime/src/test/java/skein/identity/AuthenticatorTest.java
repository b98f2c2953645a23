package skein.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
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
import skein.model.ErrorCode;
import skein.model.SkeinException;
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
  private final Authenticator authenticator = authenticator(1, throttle());

  @AfterAll
  void stop() {
    vertx.close().await();
  }

  private static Throttle throttle() {
    var shortest = Duration.ofMillis(1);
    return new Throttle(new Throttle.Options(3, shortest, SOON, SOON, 50, 2), System::nanoTime);
  }

  /** With a database at that port; at port 1 no server listens. */
  private Authenticator authenticator(int port, Throttle throttle) {
    var database =
        new Database(
            vertx,
            new Database.Options(
                new Database.Login("postgresql://postgres@127.0.0.1:" + port + "/postgres"),
                "none",
                new Database.PoolLimits(1, 10),
                new Database.Timeouts(SOON, SOON),
                new Database.Reads(1, 10, 1 << 20)));
    var roles = new RolePermissions(new RoleStore(database));
    var programs =
        new Authenticator.Programs(
            new ApiKeys(new ApplicationStore(database), roles, CLOCK, SOON),
            new CertificateRoles(Map.of(), roles, CLOCK, SOON));
    var guard = new SignIn.Guard(throttle, new VertxDelays(vertx), new SecurityMetrics());
    return new Authenticator(loop, tokens, Map.of(), programs, guard, CLOCK, remembered);
  }

  private Caller authenticate(Credential credential) {
    return asked(authenticator, credential).await();
  }

  private Future<Caller> asked(Authenticator authenticator, Credential credential) {
    return Future.future(promise ->
        loop.execute(() -> authenticator.authenticate(credential, HERE).onComplete(promise)));
  }

  /** A database that refuses each login, as while the password of the role is replaced. */
  private int refusingDatabase() {
    var refusal = "SFATAL\0C28P01\0Mpassword authentication failed\0\0";
    var answer = Buffer.buffer("E").appendInt(4 + refusal.length()).appendString(refusal);
    return vertx
        .createNetServer()
        .connectHandler(socket -> socket.handler(_ -> socket.end(answer)))
        .listen(0, "127.0.0.1")
        .await()
        .actualPort();
  }

  @Test
  void a_look_up_that_fails_is_not_a_wrong_credential_and_no_guess() {
    var throttle = throttle();
    var refusing = authenticator(refusingDatabase(), throttle);

    for (int i = 0; i < 10; i++) { // more than wrong ones that are answered at once
      assertThatThrownBy(() -> asked(refusing, new Credential.ApiKey("some-key")).await())
          .isInstanceOfSatisfying(
              SkeinException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE));
    }

    assertThat(throttle.delay(HERE, null)).isZero();
  }

  @Test
  void a_token_that_is_wrong_in_any_way_is_refused() {
    var others =
        new AccessTokens(
            vertx, List.of("another-key-that-nobody-guesses-at"), "tests", Duration.ofMinutes(5));
    var right = tokens.issue("1", KIM);
    for (var wrong :
        List.of(
            "",
            "x",
            "a.b.c",
            others.issue("1", KIM),
            right + "x",
            "x" + right,
            right.substring(1))) {
      assertThatThrownBy(() -> asked(authenticator, new Credential.Bearer(wrong)).await())
          .as(wrong)
          .isInstanceOfSatisfying(
              SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAUTHENTICATED));
    }
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
