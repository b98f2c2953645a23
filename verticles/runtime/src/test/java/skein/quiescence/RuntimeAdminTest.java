package skein.quiescence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import skein.cluster.Cluster;
import skein.cluster.Inquiries;
import skein.cluster.Quiescence;
import skein.messages.Addresses;
import skein.model.ErrorCode;
import skein.model.InstanceId;
import skein.model.RuntimePause;
import skein.model.SkeinException;
import skein.storage.Database;
import skein.storage.PauseStore;

/** What is said of nodes that are late with their answer. */
class RuntimeAdminTest {
  private static final Instant NOW = Instant.parse("2026-11-01T10:00:00Z");
  private static final RuntimePause PAUSE = new RuntimePause(NOW, "a move", "user:kim");
  private static final Duration SOON = Duration.ofSeconds(2);

  private final Vertx vertx = Vertx.vertx();
  private final RuntimeAdmin admin =
      new RuntimeAdmin(new PauseStore(nowhere()), new Inquiries(vertx, new Two()), new Two());
  private int asked;

  /** n1, which is this node, and n2. */
  private static final class Two implements Cluster {
    private static final List<Node> NODES =
        List.of(new Node("n1", "n1", 1), new Node("n2", "n2", 1));

    @Override
    public Node self() {
      return NODES.getFirst();
    }

    @Override
    public Node ownerOf(InstanceId instanceId) {
      return self();
    }

    @Override
    public List<Node> members() {
      return NODES;
    }

    @Override
    public void onChange(Runnable listener) {
      // Nobody joins or leaves.
    }
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  /** No server listens there. */
  private Database nowhere() {
    return new Database(
        vertx,
        new Database.Options(
            new Database.Login("postgresql://postgres@127.0.0.1:1/postgres"),
            "none",
            new Database.PoolLimits(1, 10),
            new Database.Timeouts(SOON, SOON),
            new Database.Reads(1, 10, 1 << 10)));
  }

  /** A node that answers from the {@code from}th question on; before it is as if it were late. */
  private void answers(
      String node, int from, @Nullable RuntimePause pause, @Nullable Instant drainedAt) {
    var json = new NodeQuiescence(new Quiescence.State(pause, drainedAt), 0).toJson();
    vertx
        .eventBus()
        .<JsonObject>consumer(
            Addresses.inquiry("runtime", node),
            message -> {
              if (++asked < from) {
                message.fail(1, "late");
              } else {
                message.reply(json);
              }
            })
        .completion()
        .await();
  }

  private static void assertFails(Future<?> answer, ErrorCode code) {
    assertThatThrownBy(answer::await)
        .isInstanceOfSatisfying(SkeinException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void a_runtime_is_paused_also_when_the_node_that_is_asked_is_late() {
    answers("n2", 1, PAUSE, null);

    var status = admin.status().await();

    assertThat(status.pause()).isEqualTo(PAUSE);
    assertThat(status.members()).extracting(RuntimeAdmin.Member::trouble).last().isNull();
    assertThat(status.members().getFirst().trouble()).contains("n1");
  }

  @Test
  void the_node_that_is_asked_knows_best() {
    answers("n1", 1, null, null);
    answers("n2", 1, PAUSE, null);

    assertThat(admin.status().await().pause()).as("it has just been resumed").isNull();
  }

  @Test
  void what_no_node_says_is_not_known() {
    assertFails(admin.status(), ErrorCode.TIMEOUT);
  }

  @Test
  void a_node_that_is_late_once_may_be_drained() {
    answers("n2", 2, PAUSE, NOW);

    assertFails(admin.resume(), ErrorCode.RUNTIME_DRAINING);
    assertThat(asked).isEqualTo(2);
  }

  /** The pause is ended in the database, which is away here. */
  @Test
  void a_node_that_stays_late_does_not_keep_the_others_from_going_on() {
    answers("n1", 1, PAUSE, null);

    assertFails(admin.resume(), ErrorCode.STORAGE_UNAVAILABLE);
    assertThat(asked).as("twice").isEqualTo(2);
  }

  @Test
  void a_drain_that_no_node_has_heard_of_is_none() {
    assertFails(admin.forceDrain(), ErrorCode.TIMEOUT);
  }
}
