package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import skein.cluster.Locks;
import skein.messages.Addresses;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.InstanceId;

/** An instance that goes to another node, with its lock, while a command for it waits here. */
class MovedInstanceIT {
  /** Less than a lock is waited for. */
  private static final Duration SOON = Duration.ofSeconds(3);

  @Test
  void what_waits_for_the_lock_of_an_instance_goes_after_it() throws Exception {
    var asked = new CountDownLatch(2);
    try (var node = new OneNode(new HeldByAnother(asked))) {
      for (int lane = 0; lane < 2; lane++) {
        node.vertx
            .eventBus()
            .<Command>consumer(
                Addresses.execution("n2", lane),
                message -> message.reply(new Reply.TokenMinted("n2", null)));
      }
      var answer = node.router.send(new Command.Cancel(new InstanceId("i1")));
      assertThat(asked.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();

      node.giveAllTo("n2");

      assertThat(answer.await(SOON.toSeconds(), TimeUnit.SECONDS))
          .isEqualTo(new Reply.TokenMinted("n2", null));
    }
  }

  private record HeldByAnother(CountDownLatch asked) implements Locks {
    @Override
    public Future<Long> tryAcquire(InstanceId instanceId) {
      asked.countDown();
      return Future.succeededFuture(HELD);
    }

    @Override
    public void release(InstanceId instanceId, long token) {
      throw new AssertionError("No node has it");
    }
  }
}
