package skein.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RenewedClientSecretTest {
  private Vertx vertx;
  private volatile Supplier<String> file = () -> "old";
  private RenewedClientSecret secret;

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
    secret = new RenewedClientSecret(vertx, "security.oidc.client-secret-file", "old", this::read);
  }

  @AfterEach
  void stop() {
    vertx.close().await();
  }

  private String read() {
    return file.get();
  }

  private String now() throws TimeoutException {
    return secret.now().await(20, TimeUnit.SECONDS);
  }

  @Test
  void a_replaced_secret_is_used_from_then_on() throws Exception {
    assertThat(now()).isEqualTo("old");

    file = () -> "new";

    assertThat(now()).isEqualTo("new");
  }

  @Test
  void while_the_file_cannot_be_used_the_secret_before_it_is() throws Exception {
    file = () -> "new";
    assertThat(now()).isEqualTo("new");

    file =
        () -> {
          throw new IllegalArgumentException("is empty");
        };
    assertThat(now()).isEqualTo("new");

    file = () -> "newest";
    assertThat(now()).isEqualTo("newest");
  }
}
