package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import skein.cluster.HeldLock;
import skein.cluster.Inquiries;
import skein.cluster.LockReport;
import skein.cluster.Locks;
import skein.cluster.NoLocks;
import skein.cluster.WaitingCommands;
import skein.cluster.WaitingReport;
import skein.model.InstanceId;
import skein.openapi.CheckedAnswers;

/** The locks that nodes hold, and the commands that wait for one, over a real connection. */
class LockRoutesIT {
  private static final InstanceId ID = new InstanceId("i1");

  private static HttpNode node;

  /** Holds the lock of one instance. */
  private static final class OneLock implements Locks {
    private final Locks locks = new NoLocks();

    @Override
    public Future<Long> tryAcquire(InstanceId instanceId) {
      return locks.tryAcquire(instanceId);
    }

    @Override
    public void release(InstanceId instanceId, long token) {
      locks.release(instanceId, token);
    }

    @Override
    public HeldLock.Holdings holdings(int instancesMax) {
      var lock =
          new HeldLock(
              HeldLock.Kind.INSTANCE,
              "workflow:" + ID,
              Duration.ofSeconds(3),
              Duration.ofSeconds(9),
              42);
      return new HeldLock.Holdings("test", List.of(lock), 1);
    }
  }

  @BeforeAll
  static void start() throws Exception {
    node = new HttpNode(LiveOptions.DEFAULT);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static JsonObject read(String path) throws Exception {
    var answer = CheckedAnswers.of(node.get(node.api(path)));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return new JsonObject(answer.body());
  }

  @Test
  void waiting_commands_have_their_instance_and_node_and_a_silent_node_is_named() throws Exception {
    var inquiries = new Inquiries(node.node.vertx, node.node.cluster);
    var name = node.node.cluster.self().name();
    var silent = read("/locks/waiting");
    assertThat(silent.getJsonArray("items")).isEmpty();
    assertThat(silent.getJsonArray("unreachable").getJsonObject(0).getString("node"))
        .isEqualTo(name);

    var commands = new WaitingCommands(ID, 7, Duration.ofSeconds(90), WaitingCommands.Reason.LOCK);
    WaitingReport.serve(inquiries, () -> Future.succeededFuture(List.of(commands))).await();
    var found = read("/locks/waiting");

    assertThat(found.getJsonArray("unreachable")).isEmpty();
    assertThat(found.getInteger("totalCount")).isEqualTo(1);
    var item = found.getJsonArray("items").getJsonObject(0);
    assertThat(item.getString("workflowInstanceId")).isEqualTo(ID.value());
    assertThat(item.getString("node")).isEqualTo(name);
    assertThat(item.getInteger("commands")).isEqualTo(7);
    assertThat(item.getString("reason")).isEqualTo("lock");
    assertThat(item.getLong("waitedMs")).isEqualTo(90_000);
    assertThat(item.getInstant("since")).isBefore(Instant.now().minusSeconds(80));
  }

  @Test
  void a_lock_has_the_token_of_its_holder() throws Exception {
    var inquiries = new Inquiries(node.node.vertx, node.node.cluster);
    LockReport.serve(inquiries, new OneLock()).await();

    var found = read("/locks?kind=instance");

    var item = found.getJsonArray("items").getJsonObject(0);
    assertThat(item.getString("key")).isEqualTo("workflow:" + ID);
    assertThat(item.getLong("token")).isEqualTo(42);
    assertThat(item.getLong("heldMs")).isEqualTo(3_000);
    assertThat(read("/locks?kind=shard").getJsonArray("items")).isEmpty();
  }
}
