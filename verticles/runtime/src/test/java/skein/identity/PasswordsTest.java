package skein.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PasswordsTest {
  private static final int ITERATIONS = 100_000;

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() throws Exception {
    await(vertx.close());
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.await(60, TimeUnit.SECONDS);
  }

  /** A hash would take the event loop on which a node starts hours. */
  @Test
  void nothing_is_hashed_before_somebody_asks() {
    long since = System.nanoTime();
    var _ = new Passwords(vertx, Integer.MAX_VALUE, 1, 1);

    assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(Duration.ofSeconds(10));
  }

  @Test
  void a_password_is_verified_by_its_hash() throws Exception {
    var passwords = new Passwords(vertx, ITERATIONS, 1, 10);
    var hash = await(passwords.hash("a-password"));

    assertThat(await(passwords.verify(hash, "a-password"))).isTrue();
    assertThat(await(passwords.verify(hash, "another-one"))).isFalse();
    assertThat(await(passwords.verifyNobody("a-password"))).isFalse();
    assertThat(await(passwords.verifyNobody("x".repeat(Passwords.CHARS_MAX + 1)))).isFalse();
  }

  @Test
  void nobody_s_password_takes_as_long_as_a_wrong_one() throws Exception {
    var passwords = new Passwords(vertx, ITERATIONS, 1, 10);
    var hash = await(passwords.hash("a-password"));
    var wrong = new long[9];
    var nobody = new long[9];
    for (int i = 0; i < wrong.length; i++) {
      wrong[i] = nanos(() -> passwords.verify(hash, "wrong"));
      nobody[i] = nanos(() -> passwords.verifyNobody("wrong"));
    }

    assertThat((double) median(nobody) / median(wrong)).isBetween(0.5, 2.0);
  }

  private static long nanos(Supplier<Future<Boolean>> check) throws Exception {
    long since = System.nanoTime();
    assertThat(await(check.get())).isFalse();
    return System.nanoTime() - since;
  }

  private static long median(long[] times) {
    Arrays.sort(times);
    return times[times.length / 2];
  }
}
