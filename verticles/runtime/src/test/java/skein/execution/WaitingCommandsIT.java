package skein.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import skein.cluster.Inquiries;
import skein.cluster.Locks;
import skein.cluster.WaitingCommands;
import skein.cluster.WaitingReport;
import skein.messages.Request;
import skein.model.InstanceId;
import skein.model.WorkflowStatus;

/** Which commands wait while another node holds the lock of their instance. */
class WaitingCommandsIT {
  private static final Duration SEEN_MAX = Duration.ofSeconds(4);
  private static final String APPROVAL =
      """
      {"definitionId": "Approval", "root": {"type": "Elsa.Event", "id": "wait",
       "eventName": "Approve"}}
      """;

  /** Taken by another node, or not there. */
  private static final class DistantLocks implements Locks {
    private volatile boolean taken;

    @Override
    public Future<Long> tryAcquire(InstanceId instanceId) {
      return Future.succeededFuture(taken ? HELD : -1L);
    }

    @Override
    public void release(InstanceId instanceId, long token) {
      // there is none
    }
  }

  @Test
  void all_commands_of_an_instance_are_counted_until_its_lock_is_free() {
    var locks = new DistantLocks();
    try (var node = new OneNode(locks)) {
      node.publish(APPROVAL);
      var id = node.start("Approval");
      var inquiries = new Inquiries(node.vertx, node.cluster);
      WaitingReport.serve(inquiries, node::mostWaiting).await();
      assertThat(WaitingReport.of(inquiries).await().instances()).isEmpty();

      locks.taken = true;
      var asked =
          IntStream.range(0, 3)
              .mapToObj(_ -> node.ingress.resume(new Request.Resume(id, null, Map.of())))
              .toList();
      var waiting = seen(inquiries);

      assertThat(waiting).hasSize(1);
      var commands = waiting.getFirst().commands();
      assertThat(waiting.getFirst().node()).isEqualTo(node.cluster.self());
      assertThat(commands.id()).isEqualTo(id);
      assertThat(commands.count()).isEqualTo(3);
      assertThat(commands.reason()).isEqualTo(WaitingCommands.Reason.LOCK);
      assertThat(commands.waitedFor()).isLessThan(SEEN_MAX.plusSeconds(1));
      locks.taken = false;
      Future.join(asked).otherwiseEmpty().await();
      node.awaitStatus(id, WorkflowStatus.Completed);
      assertThat(WaitingReport.of(inquiries).await().instances()).isEmpty();
    }
  }

  private static List<WaitingReport.OfNode> seen(Inquiries inquiries) {
    long end = System.nanoTime() + SEEN_MAX.toNanos();
    while (true) {
      var found = WaitingReport.of(inquiries).await().instances();
      int commands = found.stream().mapToInt(one -> one.commands().count()).sum();
      if (commands == 3 || System.nanoTime() > end) {
        return found;
      }
      LockSupport.parkNanos(10_000_000);
    }
  }
}
