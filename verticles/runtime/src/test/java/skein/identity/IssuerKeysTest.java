package skein.identity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import skein.model.ErrorCode;
import skein.model.SkeinException;
import skein.storage.Database;
import skein.storage.RoleStore;

/** When the keys of an issuer are read, and what holds while they cannot be. */
class IssuerKeysTest {
  private static final String ISSUER = "https://id.example.com/realm";
  private static final String AUDIENCE = "skein-api";
  private static final Duration SOON = Duration.ofSeconds(1);
  private static final String WRONG = "wrong";
  private static final String RIGHT = "right";
  private static final String UNDECIDED = ErrorCode.NOT_READY.name();

  private static final Vertx VERTX = Vertx.vertx();
  private static final KeyPair KEYS = generated();

  private Supplier<Future<List<JsonObject>>> source = this::published;
  private List<String> published = List.of("old");
  private Duration now = Duration.ofDays(1);
  private int reads;

  @AfterAll
  static void stop() {
    VERTX.close().await();
  }

  private static KeyPair generated() {
    try {
      var generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private JsonObject key(String id) {
    var key = (RSAPublicKey) KEYS.getPublic();
    return new JsonObject()
        .put("kty", "RSA")
        .put("alg", "RS256")
        .put("kid", id)
        .put("n", base64(key.getModulus().toByteArray()))
        .put("e", base64(key.getPublicExponent().toByteArray()));
  }

  private Future<List<JsonObject>> published() {
    return Future.succeededFuture(published.stream().map(this::key).toList());
  }

  private static Future<List<JsonObject>> away() {
    return Future.failedFuture(new IllegalStateException("503"));
  }

  /** A token that the issuer has signed with its key of this id. */
  private String token(String keyId) {
    var header = new JsonObject().put("alg", "RS256").put("kid", keyId);
    var claims =
        new JsonObject()
            .put("iss", ISSUER)
            .put("aud", AUDIENCE)
            .put("sub", "kim")
            .put("exp", Instant.now().getEpochSecond() + 300);
    var text =
        base64(header.encode().getBytes(UTF_8)) + "." + base64(claims.encode().getBytes(UTF_8));
    try {
      var signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(KEYS.getPrivate());
      signature.update(text.getBytes(UTF_8));
      return text + "." + base64(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private IssuerTokens tokens() {
    var nowhere =
        new Database(
            VERTX,
            new Database.Options(
                new Database.Login("postgresql://postgres@127.0.0.1:1/postgres"),
                "none",
                new Database.PoolLimits(1, 10),
                new Database.Timeouts(SOON, SOON),
                new Database.Reads(1, 10, 1 << 20)));
    var claims = new Issuer.Claims("permissions", "groups", Map.of(), Issuer.Claims.NAMES, "");
    return new IssuerTokens(
        VERTX,
        new Issuer(ISSUER, AUDIENCE, claims, SOON),
        () -> {
          reads++;
          return source.get();
        },
        new RolePermissions(new RoleStore(nowhere)),
        Set.of(),
        () -> now.toNanos(),
        new Recheck(InstantSource.system(), SOON));
  }

  private Future<String> asked(IssuerTokens tokens, String keyId) {
    var token = token(keyId);
    var shape = TokenShape.of(token, IssuerTokens.ALGORITHMS);
    assertThat(shape).isNotNull();
    return tokens.verified(token, shape).map(_ -> RIGHT).otherwise(IssuerKeysTest::meaning);
  }

  private static String meaning(Throwable e) {
    return e instanceof SkeinException refusal
        ? refusal.code().name()
        : e instanceof IllegalArgumentException ? WRONG : e.toString();
  }

  private String verified(IssuerTokens tokens, String keyId) {
    return asked(tokens, keyId).await();
  }

  private void pass(Duration time) {
    now = now.plus(time).plusMillis(1);
  }

  @Test
  void a_token_with_a_new_key_is_not_wrong_while_the_keys_cannot_be_read() {
    var tokens = tokens();
    assertThat(verified(tokens, "old")).isEqualTo(RIGHT);
    pass(IssuerTokens.REREAD_MIN);
    published = List.of("old", "new");
    source = IssuerKeysTest::away;

    assertThat(verified(tokens, "new")).isEqualTo(UNDECIDED);
    assertThat(verified(tokens, "new")).as("without a read").isEqualTo(UNDECIDED);
    assertThat(verified(tokens, "old")).isEqualTo(RIGHT);
    assertThat(reads).isEqualTo(2);
    source = this::published;
    pass(IssuerTokens.RETRY_MIN);

    assertThat(verified(tokens, "new")).isEqualTo(RIGHT);
    assertThat(verified(tokens, "invented")).as("once they were read").isEqualTo(WRONG);
    assertThat(reads).isEqualTo(3);
  }

  @Test
  void invented_ids_cause_few_reads_also_while_these_fail() {
    var tokens = tokens();
    assertThat(verified(tokens, "old")).isEqualTo(RIGHT);
    pass(IssuerTokens.REREAD_MIN);
    source = IssuerKeysTest::away;

    for (int i = 0; i < 20; i++) { // five seconds
      assertThat(verified(tokens, "invented-" + i)).isEqualTo(UNDECIDED);
      now = now.plusMillis(250);
    }

    assertThat(reads).isEqualTo(1 + 3);
  }

  @Test
  void old_keys_that_could_not_be_read_again_are_read_soon_after() {
    var tokens = tokens();
    assertThat(verified(tokens, "old")).isEqualTo(RIGHT);
    pass(IssuerTokens.KEYS_AGE_MAX);
    source = IssuerKeysTest::away;
    assertThat(verified(tokens, "old")).isEqualTo(RIGHT);
    source = this::published;
    published = List.of("new");
    pass(IssuerTokens.REREAD_MIN);

    verified(tokens, "old");

    assertThat(verified(tokens, "old")).as("the issuer has it no more").isEqualTo(WRONG);
  }

  @Test
  void all_who_wait_for_a_read_that_fails_learn_that_it_decides_nothing() {
    var tokens = tokens();
    assertThat(verified(tokens, "old")).isEqualTo(RIGHT);
    pass(IssuerTokens.REREAD_MIN);
    Promise<List<JsonObject>> answer = Promise.promise();
    source = answer::future;
    var first = asked(tokens, "new");
    var second = asked(tokens, "new");

    answer.fail("timeout");

    assertThat(first.await()).isEqualTo(UNDECIDED);
    assertThat(second.await()).isEqualTo(UNDECIDED);
    assertThat(reads).isEqualTo(2);
  }

  @Test
  void a_source_that_throws_has_failed_and_is_asked_again() {
    source =
        () -> {
          throw new IllegalStateException("no such address");
        };
    var tokens = tokens();
    assertThat(verified(tokens, "old")).isEqualTo(UNDECIDED);
    source = this::published;
    pass(IssuerTokens.RETRY_MIN);

    assertThat(verified(tokens, "old")).isEqualTo(RIGHT);
  }
}
