package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import skein.cluster.Order;
import skein.cluster.WaitingCommands;
import skein.cluster.WaitingCommands.Reason;
import skein.loop.SimulatedLoop;
import skein.loop.Simulator;
import skein.messages.Command;
import skein.messages.Reply;
import skein.model.InstanceId;
import skein.model.Labels;
import skein.model.StartRequest;

class InstanceQueueTest {
  private static final InstanceId ID = new InstanceId("instance");

  private final Simulator simulator = new Simulator(1);
  private final SimulatedLoop loop = simulator.newLoop("loop");

  private void run(Consumer<InstanceQueue> test) {
    loop.execute(() -> test.accept(new InstanceQueue(loop, ID, 16)));
    while (simulator.step(Duration.ofSeconds(1).toNanos())) {
      // until nothing is left
    }
    assertThat(simulator.failure()).isNull();
  }

  private Work work(Duration waited) {
    var request = new StartRequest(Map.of(), Labels.NONE, null, null, null);
    var command = new Command.Start(ID, "definition", null, request, false, false);
    Promise<Reply> promise = Promise.promise();
    return new Work(
        Order.of(command, new UUID(1, 2), null),
        promise,
        new PendingReply(loop, command, promise),
        new CommandProgress(loop),
        loop.nanoTime() - waited.toNanos(),
        false);
  }

  @Test
  void commands_wait_for_the_lock_until_the_queue_is_open() {
    run(queue -> {
      queue.add(work(Duration.ofMillis(7)));
      queue.add(work(Duration.ofMillis(3)));

      assertThat(queue.waiting())
          .isEqualTo(new WaitingCommands(ID, 2, Duration.ofMillis(7), Reason.LOCK));
    });
  }

  @Test
  void behind_a_command_that_has_begun_the_others_wait_for_it() {
    run(queue -> {
      queue.add(work(Duration.ofMillis(7)));
      queue.open(() -> {});
      assertThat(queue.beginNext(() -> {})).isNotNull();
      assertThat(queue.waiting()).isNull();

      queue.add(work(Duration.ofMillis(3)));

      assertThat(queue.beginNext(() -> {})).isNull();
      assertThat(queue.waiting())
          .isEqualTo(new WaitingCommands(ID, 1, Duration.ofMillis(3), Reason.COMMANDS));
    });
  }
}
