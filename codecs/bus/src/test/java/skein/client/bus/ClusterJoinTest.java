package skein.client.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import skein.model.ErrorCode;
import skein.model.SkeinException;

class ClusterJoinTest {
  private static final Duration MAX = Duration.ofMillis(50);

  private final Promise<Vertx> building = Promise.promise();

  /** One that builds what the test says. */
  private VertxBuilder builder() {
    return (VertxBuilder)
        Proxy.newProxyInstance(
            VertxBuilder.class.getClassLoader(),
            new Class<?>[] {VertxBuilder.class},
            (_, _, _) -> building.future());
  }

  @Test
  void a_service_that_is_not_let_in_is_told_what_to_look_at_in_time() {
    assertThatThrownBy(() -> await(ClusterJoin.join(builder(), MAX)))
        .isInstanceOfSatisfying(
            SkeinException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.NOT_READY);
              assertThat(e.detail())
                  .contains("within 50 ms", "The Hazelcast of this service is ", "skein-hz5.7-w1")
                  .contains("cluster.name", "cluster.host", "cluster.port");
            });
  }

  @Test
  void who_joins_too_late_leaves_again() throws TimeoutException {
    Promise<String> closed = Promise.promise();
    var late =
        (Vertx)
            Proxy.newProxyInstance(
                Vertx.class.getClassLoader(),
                new Class<?>[] {Vertx.class},
                (_, method, _) -> {
                  closed.complete(method.getName());
                  return Future.succeededFuture();
                });
    assertThatThrownBy(() -> await(ClusterJoin.join(builder(), MAX)))
        .isInstanceOf(SkeinException.class);
    building.complete(late);

    assertThat(await(closed.future())).isEqualTo("close");
  }

  @Test
  void who_joins_in_time_gets_the_cluster() throws TimeoutException {
    var vertx = Vertx.vertx();
    building.complete(vertx);

    assertThat(await(ClusterJoin.join(builder(), Duration.ofSeconds(10)))).isSameAs(vertx);
    await(vertx.close());
  }

  @Test
  void what_hazelcast_says_is_the_cause() {
    var refused = new VertxException("Node failed to start!");
    building.fail(refused);

    assertThatThrownBy(() -> await(ClusterJoin.join(builder(), MAX))).hasCause(refused);
  }

  private static <T> T await(Future<T> future) throws TimeoutException {
    return future.await(10, TimeUnit.SECONDS);
  }
}
