package skein.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VertxEventLoopTest {
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2));
  private final ContextInternal mine = ((VertxInternal) vertx).createEventLoopContext();
  private final ContextInternal another = ((VertxInternal) vertx).createEventLoopContext();
  private final VertxEventLoop loop = new VertxEventLoop(vertx, mine);

  @AfterEach
  void close() {
    vertx.close().await();
  }

  /** Whether what is brought is told on the loop that brings it. */
  private boolean isToldHere(Future<String> elsewhere) throws Exception {
    Promise<Boolean> told = Promise.promise();
    loop.execute(
        () -> loop.bring(elsewhere).onComplete(_ -> told.complete(loop.isCurrent()), told::fail));
    return told.future().await(10, TimeUnit.SECONDS);
  }

  @Test
  void what_another_loop_has_completed_long_ago_is_told_on_the_loop_that_brings_it()
      throws Exception {
    assertThat(mine.nettyEventLoop()).isNotSameAs(another.nettyEventLoop());

    assertThat(isToldHere(another.succeededFuture("done"))).isTrue();
  }

  @Test
  void what_another_loop_completes_later_is_told_there_too() throws Exception {
    Promise<String> later = another.promise();
    vertx.setTimer(20, _ -> another.runOnContext(_ -> later.complete("done")));

    assertThat(isToldHere(later.future())).isTrue();
  }
}
