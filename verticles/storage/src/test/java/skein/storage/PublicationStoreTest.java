package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import skein.model.ErrorCode;
import skein.model.SkeinException;

class PublicationStoreTest {
  @Test
  void who_publishes_waits_no_longer_for_a_silent_database_than_others() throws Exception {
    var vertx = Vertx.vertx();
    try (var silent = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
      var soon = Duration.ofMillis(300);
      var database =
          new Database(
              vertx,
              new Database.Options(
                  new Database.Login(
                      "postgresql://postgres@127.0.0.1:" + silent.getLocalPort() + "/postgres"),
                  "none",
                  new Database.PoolLimits(1, 10),
                  new Database.Timeouts(soon, soon),
                  new Database.Reads(1, 10, 1 << 20)));
      var retracted = new PublicationStore(database).retract("d");

      assertThatThrownBy(() -> retracted.await(5, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              SkeinException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE));
    } finally {
      vertx.close().await();
    }
  }
}
