package skein.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import skein.identity.BrowserSignIn.Returned;
import skein.loop.VertxDelays;
import skein.metrics.SecurityMetrics;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.storage.Database;
import skein.storage.RoleStore;
import skein.storage.SessionStore;
import skein.storage.UserStore;

/** Errors with which a provider sends a browser back, and which of them count as guesses. */
class BrowserSignInTest {
  private static final String ISSUER = "https://id.example.com/realm";
  private static final String CALLBACK = "https://skein.test/callback";
  private static final String HERE = "192.0.2.1";
  private static final Duration SOON = Duration.ofSeconds(1);
  private static final int FREE = 3;

  private static final Vertx VERTX = Vertx.vertx();

  private final Throttle throttle =
      new Throttle(
          new Throttle.Options(FREE, SOON, SOON, Duration.ofMinutes(1), 50, 2), System::nanoTime);
  private final BrowserSignIn signIn = signIn();

  @AfterAll
  static void stop() {
    VERTX.close().await();
  }

  /** Publishes its metadata, and issues no tokens. */
  private static final class Provider implements ProviderCalls {
    @Override
    public Future<JsonObject> metadata() {
      return Future.succeededFuture(
          new JsonObject()
              .put("authorization_endpoint", ISSUER + "/authorize")
              .put("token_endpoint", ISSUER + "/token"));
    }

    @Override
    public Future<JsonObject> tokens(String url, Map<String, String> form, @Nullable String basic) {
      return Future.failedFuture(new IllegalStateException("It issues none"));
    }
  }

  private BrowserSignIn signIn() {
    var nowhere =
        new Database(
            VERTX,
            new Database.Options(
                new Database.Login("postgresql://postgres@127.0.0.1:1/postgres"),
                "none",
                new Database.PoolLimits(1, 10),
                new Database.Timeouts(SOON, SOON),
                new Database.Reads(1, 10, 1 << 20)));
    var roles = new RolePermissions(new RoleStore(nowhere));
    var clock = InstantSource.system();
    var calls = new Provider();
    var client =
        new OpenIdClient(
            "", "Example", "skein", ClientSecret.fixed(""), List.of("openid"), Duration.ofHours(1));
    var claims = new Issuer.Claims("permissions", "groups", Map.of(), Issuer.Claims.NAMES, "");
    var tokens =
        new IssuerTokens(
            VERTX,
            new Issuer(ISSUER, "skein", claims, SOON),
            () -> Future.succeededFuture(List.of()),
            roles,
            Set.of(),
            System::nanoTime,
            new Recheck(clock, SOON));
    var key = "key-of-these-tests-that-nobody-guesses";
    var accounts =
        new SignIn.Accounts(
            new UserStore(nowhere),
            new Passwords(VERTX, 1_000, 1, 10),
            new ReservedNames(Set.of()));
    return new BrowserSignIn(
        client,
        new KnownProvider(calls, ISSUER, "Example", System::nanoTime),
        calls,
        new IdTokens(tokens, client, roles),
        new SignIn(
            accounts,
            new SessionStore(nowhere),
            roles,
            new AccessTokens(VERTX, List.of(key), "tests", Duration.ofMinutes(5)),
            new SignIn.Guard(throttle, new VertxDelays(VERTX), new SecurityMetrics()),
            Duration.ofHours(1)),
        new SealedTexts(() -> List.of(key), "tests"),
        clock);
  }

  /** What becomes of an attempt that the provider answers with this error. */
  private void assertRefused(String error, ErrorCode code) {
    var begun = signIn.begin("/console", CALLBACK).await();
    var state = URI.create(begun.location()).getQuery().replaceAll(".*state=([^&]*).*", "$1");
    var returned = new Returned(begun.cookie(), state, null, error, null);

    assertThatThrownBy(() -> signIn.finish(returned, CALLBACK, HERE).await())
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).as(error).isEqualTo(code));
  }

  @ParameterizedTest
  @ValueSource(strings = {"temporarily_unavailable", "server_error"})
  void a_provider_that_cannot_sign_anybody_in_has_found_no_guess(String error) {
    for (int i = 0; i < 2 * FREE; i++) {
      assertRefused(error, ErrorCode.PROVIDER_UNAVAILABLE);
    }

    assertThat(throttle.delay(HERE, null)).isZero();
  }

  @Test
  void a_person_whom_the_provider_refuses_is_refused() {
    assertRefused("access_denied", ErrorCode.SIGN_IN_INVALID);
    assertRefused("server_error_of_our_own", ErrorCode.SIGN_IN_INVALID);
  }
}
