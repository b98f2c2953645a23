package skein.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.node.Eventually;
import skein.node.Measured;
import skein.node.Workflows;

/**
 * PostgreSQL dies every 5 to 40 seconds while workflows run that wait three times each, as the
 * makers of DBOS test theirs. How many: {@code skein.faults.chaos-workflows}, within {@code
 * skein.faults.chaos-seconds}.
 */
@ExtendWith(FaultClusters.class)
@Tag("long")
@Tag("alone")
class DatabaseChaosFaultIT {
  private static final int WORKFLOWS = Integer.getInteger("skein.faults.chaos-workflows", 10_000);
  private static final Duration LENGTH =
      Duration.ofSeconds(Long.getLong("skein.faults.chaos-seconds", 600));
  private static final long SEED = Long.getLong("skein.faults.seed", System.nanoTime() % 100_000);
  private static final int NAPS = 3;
  private static final int CALLERS = 16;
  private static final Duration QUIET_MAX = Duration.ofMinutes(3);
  private static final Duration ASK_AGAIN = Duration.ofMillis(200);

  @Test
  @LongRun
  void every_workflow_ends_with_all_its_waits_and_none_twice(FaultCluster cluster) {
    var definition = "chaos-" + SEED;
    cluster.api(0).publish(Workflows.naps(definition, NAPS));
    var started = new AtomicInteger();
    int deaths = 0;
    long since = System.nanoTime();
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int caller = 0; caller < CALLERS; caller++) {
        callers.execute(() -> startInTime(cluster, definition, started, since));
      }
      var random = new SplittableRandom(SEED);
      while (true) {
        Eventually.pause(Duration.ofMillis(random.nextInt(5_000, 40_000)));
        if (Measured.seconds(since) > LENGTH.toSeconds()) {
          break;
        }
        cluster.stopDatabase(true);
        Eventually.pause(Duration.ofMillis(random.nextInt(0, 3_000)));
        cluster.startDatabase();
        deaths++;
      }
    }
    boolean quiet = Eventually.isTrue(QUIET_MAX, () -> finished(cluster, definition) >= WORKFLOWS);
    Measured.say(
        "database chaos",
        "seed %d: %d workflows, PostgreSQL killed %d times in %.0f s, all ended %s",
        SEED,
        WORKFLOWS,
        deaths,
        Measured.seconds(since),
        quiet);

    assertThat(deaths).isPositive();
    assertThat(finished(cluster, definition)).isEqualTo(WORKFLOWS);
    assertThat(number(cluster, "select count(*) from workflow_instances", definition))
        .isEqualTo(WORKFLOWS);
    assertThat(
            cluster
                .sql()
                .number(
                    "select count(*) from (select i.id from workflow_instances i left join"
                        + " journal_entries e on e.workflow_instance_id = i.id and e.event ="
                        + " 'Completed' and e.activity_type = 'Elsa.Delay' where i.definition_id ="
                        + " $1 group by i.id having count(e.execution) <> "
                        + NAPS
                        + " or count(distinct e.activity_id) <> "
                        + NAPS
                        + ") as wrong",
                    definition))
        .as("instances without each wait once")
        .isZero();
  }

  private static long finished(FaultCluster cluster, String definition) {
    return number(
        cluster,
        "select count(*) filter (where status = 'Completed')" + " from workflow_instances",
        definition);
  }

  private static long number(FaultCluster cluster, String select, String definition) {
    return cluster.sql().number(select + " where definition_id = $1", definition);
  }

  /** Spread over the time; each is asked for until it is there, with a key of its own. */
  private static void startInTime(
      FaultCluster cluster, String definition, AtomicInteger started, long since) {
    var request = new JsonObject().put("definitionId", definition);
    for (int number = started.getAndIncrement();
        number < WORKFLOWS;
        number = started.getAndIncrement()) {
      double due = number * (LENGTH.toSeconds() * 0.9) / WORKFLOWS;
      while (Measured.seconds(since) < due) {
        Eventually.pause(Duration.ofMillis(10));
      }
      var key = Map.of("Idempotency-Key", definition + "-" + number);
      for (int attempt = number; !isStarted(cluster, request, key, attempt); attempt++) {
        Eventually.pause(ASK_AGAIN);
      }
    }
  }

  private static boolean isStarted(
      FaultCluster cluster, JsonObject request, Map<String, String> key, int node) {
    try {
      return cluster.api(node).start(request, key).status() < 300;
    } catch (UncheckedIOException e) {
      return false;
    }
  }
}
