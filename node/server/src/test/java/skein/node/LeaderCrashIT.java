package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(TestClusters.class)
class LeaderCrashIT {
  private static final int TIMERS = 120;
  private static final int FIRED_BEFORE = 20;
  private static final int APART_MS = 50;
  private static final int FIRST_MS = 4_000;
  private static final String COMPLETED =
      "select count(*) from workflow_instances where definition_id = $1 and status = 'Completed'";
  private static final String FIRST_AFTER =
      """
      select min(at) from journal_entries
       where workflow_instance_id = any($1) and event = 'Resumed' and at > $2
      """;

  @Test
  void timers_of_a_killed_leader_fire_once(TestCluster cluster) {
    cluster.api(0).publish(Workflows.delayFromInput("leader"));
    var leader = new Leaders(cluster).only();
    var others = cluster.nodes().stream().filter(node -> node != leader).toList();
    var ids = Together.call(TIMERS, 16, number -> start(others.get(number % 2), number));

    Eventually.isTrue(Duration.ofSeconds(20), () -> completed(cluster) >= FIRED_BEFORE);
    var killedAt = Instant.now();
    leader.kill();
    long pending = TIMERS - completed(cluster);
    boolean all = Eventually.isTrue(Duration.ofSeconds(60), () -> completed(cluster) == TIMERS);

    assertThat(pending).as("timers pending at the kill").isGreaterThanOrEqualTo(50);
    assertThat(all).as("all %d fired, %d did", TIMERS, completed(cluster)).isTrue();
    var outcomes = Outcome.of(cluster.sql(), ids);
    assertThat(outcomes).hasSize(TIMERS);
    assertThat(outcomes.values())
        .allMatch(Outcome::isGapless)
        .allMatch(outcome -> outcome.lines() == 1 && outcome.resumed() == 1);
    assertThat(others)
        .allMatch(node -> says(node, "node.left"))
        .anyMatch(node -> says(node, "leader.elected"));
    Measured.say(
        "leader killed",
        "%d timers pending, all fired once; the first %d ms after the kill",
        pending,
        Duration.between(killedAt, firstAfter(cluster, ids, killedAt)).toMillis());
  }

  private static boolean says(ServerProcess node, String event) {
    return node.output().stream().anyMatch(line -> line.contains(event));
  }

  private static String start(ServerProcess node, int number) {
    long millis = FIRST_MS + (long) number * APART_MS;
    var wait = "00:00:%02d.%03d".formatted(millis / 1000, millis % 1000);
    return node.api()
        .start(
            new JsonObject()
                .put("definitionId", "leader")
                .put("input", new JsonObject().put("wait", wait)))
        .orThrow()
        .json()
        .getString("id");
  }

  private static long completed(TestCluster cluster) {
    return cluster.sql().number(COMPLETED, "leader");
  }

  private static Instant firstAfter(TestCluster cluster, List<String> ids, Instant killedAt) {
    var at = killedAt.atOffset(ZoneOffset.UTC);
    return cluster
        .sql()
        .rows(FIRST_AFTER, ids.toArray(String[]::new), at)
        .getFirst()
        .getOffsetDateTime(0)
        .toInstant();
  }
}
