package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The runtime of three nodes, paused and drained by force through any of them. */
@ExtendWith(TestClusters.class)
@Tag("long")
class PauseClusterIT {
  private static final Duration MAX = Duration.ofSeconds(30);
  private static final String PATH = "/elsa/api/admin/workflow-runtime/";
  private static final String COMMITS = "select count(*) from journal";
  private static final int CALLERS = 6;
  private TestCluster cluster;

  @BeforeEach
  void begin(TestCluster given) {
    cluster = given;
  }

  @AfterEach
  void resume() {
    cluster.startAll();
    tell(0, "resume").orThrow();
  }

  private Http.Answer tell(int node, String action) {
    return cluster.node(node).http().post(PATH + action, new JsonObject());
  }

  private JsonObject status(int node) {
    return cluster.node(node).http().get(PATH + "status").orThrow().json();
  }

  private static List<String> states(JsonObject status) {
    return Api.objects(status.getJsonArray("sources")).stream()
        .map(source -> source.getString("name") + " " + source.getString("state"))
        .toList();
  }

  private static String reason(JsonObject status) {
    return status.getJsonObject("state").getString("reason");
  }

  private long count(String sql) {
    return cluster.sql().number(sql);
  }

  private boolean isIdle() {
    return status(2).getInteger("activeExecutionCycleCount") == 0;
  }

  @Test
  void a_paused_cluster_begins_nothing_and_loses_nothing() throws InterruptedException {
    cluster.api(0).publish(Workflows.delay("pause-delay", 2));
    var accepted = new CopyOnWriteArrayList<String>();
    var refusals = new CopyOnWriteArrayList<String>();
    var callers = new ArrayList<Thread>();
    var request = new JsonObject().put("definitionId", "pause-delay");
    var over = new AtomicBoolean();
    for (int i = 0; i < CALLERS; i++) {
      var api = cluster.api(i % 3);
      callers.add(
          Thread.ofVirtual()
              .start(() -> {
                while (!over.get()) {
                  var answer = api.start(request);
                  if (answer.status() == 201) {
                    accepted.add(answer.json().getString("id"));
                  } else {
                    refusals.add(answer.code());
                    Eventually.pause(Duration.ofMillis(50));
                  }
                }
              }));
    }
    assertThat(Eventually.isTrue(MAX, () -> accepted.size() > 60)).isTrue();

    var paused = tell(1, "pause").orThrow().json();

    assertThat(reason(paused)).isEqualTo("AdministrativePause");
    assertThat(states(paused)).hasSize(3).noneMatch(state -> state.contains("Running"));
    assertThat(Eventually.isTrue(MAX, this::isIdle)).isTrue();
    long commits = count(COMMITS);
    long callsBefore = refusals.size();
    Eventually.pause(Duration.ofSeconds(4)); // All delays are over.
    assertThat(count(COMMITS)).as("nothing began").isEqualTo(commits);
    assertThat(refusals.size()).isGreaterThan((int) callsBefore);
    assertThat(new HashSet<>(refusals)).containsExactly("RUNTIME_PAUSED");
    assertThat(states(status(0))).containsExactly("n1 Paused", "n2 Paused", "n3 Paused");
    assertThat(cluster.nodes()).allMatch(ServerProcess::isReady);
    over.set(true);
    for (var caller : callers) {
      caller.join();
    }

    var resumed = tell(2, "resume").orThrow().json();

    assertThat(states(resumed)).containsExactly("n1 Running", "n2 Running", "n3 Running");
    var completed =
        "select count(*) from workflow_instances where definition_id = 'pause-delay'"
            + " and status = 'Completed'";
    assertThat(Eventually.isTrue(MAX, () -> count(completed) == accepted.size()))
        .as("%d of %d", count(completed), accepted.size())
        .isTrue();
    assertThat(
            count(
                "select count(*) from workflow_instances" + " where definition_id = 'pause-delay'"))
        .as("those that were answered 201, and no other")
        .isEqualTo(accepted.size());
    assertThat(
            count(
                "select count(*) from journal j join workflow_instances i"
                    + " on i.id = j.workflow_instance_id where definition_id = 'pause-delay'"))
        .as("each timer once")
        .isEqualTo(2L * accepted.size());
    Measured.say(
        "pause", "%d starts accepted, %d refused while paused", accepted.size(), refusals.size());
  }

  @Test
  void a_pause_outlives_all_nodes_and_says_which_do_not_answer() {
    cluster.api(0).publish(Workflows.approval("pause-kept"));
    tell(0, "pause").orThrow();

    cluster.killAll();
    cluster.startAll();

    assertThat(reason(status(2))).isEqualTo("AdministrativePause");
    assertThat(start(0).code()).isEqualTo("RUNTIME_PAUSED");
    cluster.node(2).freeze();
    try {
      var again = tell(0, "pause").orThrow().json();
      assertThat(states(again)).contains("n1 Paused", "n2 Paused");
      assertThat(states(again)).doesNotContain("n3 Paused");
    } finally {
      cluster.node(2).thaw();
    }
    assertThat(Eventually.isTrue(MAX, () -> states(status(0)).contains("n3 Paused"))).isTrue();
    tell(1, "resume").orThrow();
    assertThat(start(0).status()).isEqualTo(201);
  }

  private Http.Answer start(int node) {
    return cluster.api(node).start(new JsonObject().put("definitionId", "pause-kept"));
  }

  @Test
  void a_forced_drain_ends_node_by_node_as_they_start_again() {
    cluster.api(0).publish(Workflows.approval("pause-kept"));

    var outcome = tell(0, "force-drain").orThrow().json().getJsonObject("outcome");

    assertThat(outcome.getString("overallResult")).isEqualTo("Forced");
    assertThat(states(outcome)).containsExactly("n1 Paused", "n2 Paused", "n3 Paused");
    assertThat(start(1).code()).isEqualTo("RUNTIME_PAUSED");
    var refused = tell(1, "resume");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.code()).isEqualTo("RUNTIME_DRAINING");

    for (var node : cluster.nodes()) {
      node.terminate();
      assertThat(node.awaitExit(MAX)).isZero();
      node.start();
      node.awaitReady();
    }

    assertThat(reason(status(0))).isEqualTo("None");
    for (int i = 0; i < 3; i++) {
      assertThat(start(i).status()).isEqualTo(201);
    }
  }
}
