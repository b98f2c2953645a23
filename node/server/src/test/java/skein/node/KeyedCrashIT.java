package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.node.Http.Answer;

/**
 * A node is killed while it resumes; a caller without an answer asks another node with the same
 * key.
 */
@ExtendWith(TestClusters.class)
class KeyedCrashIT {
  private static final int RESUMES = 300;
  private static final int BEFORE_THE_KILL = 60;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void a_resume_is_done_once_whoever_dies_over_it(TestCluster cluster) {
    cluster.api(1).publish(Workflows.approval("keyed-crash"));
    var waiting = Together.call(RESUMES, 16, number -> cluster.api(number).start("keyed-crash"));
    var answered = new AtomicInteger();

    var firsts =
        Together.call(
            RESUMES,
            24,
            number -> {
              var answer = resume(cluster, 0, waiting.get(number));
              if (answered.incrementAndGet() == BEFORE_THE_KILL) {
                cluster.node(0).sendKill();
              }
              return answer == null ? "" : answer.body();
            });
    cluster.node(0).awaitExit(PATIENCE);
    var finals = Together.call(RESUMES, 24, number -> repeat(cluster, waiting.get(number)));
    cluster.startAll();

    assertThat(firsts.stream().filter(String::isEmpty)).as("without an answer").isNotEmpty();
    for (int i = 0; i < RESUMES; i++) {
      assertThat(finals.get(i).status()).as(finals.get(i).body()).isEqualTo(200);
      if (firsts.get(i).contains("Resumed")) {
        assertThat(finals.get(i).body()).isEqualTo(firsts.get(i));
      }
    }
    assertThat(bursts(cluster, waiting)).containsOnly(2);
    Measured.say(
        "keyed resumes and a kill",
        "%d of %d got no answer; repeated elsewhere all are Resumed, each once",
        firsts.stream().filter(String::isEmpty).count(),
        RESUMES);
  }

  private static @Nullable Answer resume(TestCluster cluster, int node, String id) {
    try {
      return cluster
          .node(node)
          .http()
          .post(
              "/elsa/api/workflow-instances/" + id + "/resume",
              new JsonObject(),
              Map.of("Idempotency-Key", "crash-" + id));
    } catch (UncheckedIOException _) {
      return null;
    }
  }

  /** As long as it is told to come back. */
  private static Answer repeat(TestCluster cluster, String id) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      var answer = resume(cluster, 1, id);
      if (answer != null && (answer.status() == 200 || System.nanoTime() > end)) {
        return answer;
      }
      LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
    }
  }

  private static List<Integer> bursts(TestCluster cluster, List<String> ids) {
    return ids.stream()
        .map(id ->
            (int)
                cluster
                    .sql()
                    .number("select count(*) from journal where workflow_instance_id = $1", id))
        .toList();
  }
}
