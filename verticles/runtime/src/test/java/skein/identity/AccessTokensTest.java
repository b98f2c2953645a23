package skein.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccessTokensTest {
  private static final String OLD = "old-key-of-these-tests-that-nobody-guesses";
  private static final String NEW = "new-key-of-these-tests-that-nobody-guesses";
  private static final Caller.User KIM =
      new Caller.User("kim", List.of("viewer"), Permissions.of(Set.of("read:*")));

  private final Vertx vertx = Vertx.vertx();

  @AfterAll
  void stop() {
    vertx.close().await();
  }

  private AccessTokens tokens(String... keys) {
    return new AccessTokens(vertx, List.of(keys), "tests", Duration.ofMinutes(5));
  }

  private static boolean accepts(AccessTokens tokens, String token) {
    var verified = tokens.verify(token);
    try {
      verified.await();
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }

  @Test
  void the_first_key_signs_and_all_are_accepted() {
    var both = tokens(NEW, OLD);

    for (int i = 0; i < 20; i++) { // not one of the keys by chance
      assertThat(accepts(tokens(NEW), both.issue("1", KIM))).isTrue();
    }
    assertThat(accepts(both, tokens(OLD).issue("1", KIM))).isTrue();
    assertThat(accepts(tokens(OLD), both.issue("1", KIM))).isFalse();
  }

  @Test
  void keys_are_replaced_and_what_the_old_one_signed_is_refused_once_it_is_gone() {
    var tokens = tokens(OLD);
    var before = tokens.issue("1", KIM);
    int version = tokens.version();

    assertThat(tokens.use(List.of(OLD))).isFalse();
    assertThat(tokens.version()).isEqualTo(version);
    assertThat(tokens.use(List.of(NEW, OLD))).isTrue();
    assertThat(accepts(tokens, before)).isTrue();
    assertThat(tokens.use(List.of(NEW))).isTrue();
    assertThat(accepts(tokens, before)).isFalse();
    assertThat(accepts(tokens, tokens.issue("1", KIM))).isTrue();
    assertThat(tokens.version()).isGreaterThan(version);
  }

  @Test
  void a_token_says_whose_its_user_is() {
    var tokens = tokens(OLD);
    var ofAcme = new Caller.User("kim", List.of("viewer"), KIM.permissions(), "acme");

    assertThat(tokens.verify(tokens.issue("1", ofAcme)).await().caller()).isEqualTo(ofAcme);
    assertThat(tokens.verify(tokens.issue("1", KIM)).await().caller()).isEqualTo(KIM);
    var known = new Caller.User("kim", List.of("viewer"), KIM.permissions(), "acme", "u1");
    assertThat(tokens.verify(tokens.issue("u1", known)).await().caller()).isEqualTo(known);
  }

  @Test
  void a_short_key_replaces_nothing() {
    var tokens = tokens(OLD);
    var before = tokens.issue("1", KIM);

    assertThatThrownBy(() -> tokens.use(List.of(NEW, "short")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> tokens.use(List.of())).isInstanceOf(IllegalArgumentException.class);
    assertThat(accepts(tokens, before)).isTrue();
  }
}
