package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Many callers of a workflow of activities of its users, each of which ends on another thread. */
@ExtendWith(TestClusters.class)
class OwnStepsIT {
  private static final int CALLERS = 128;
  private static final int STEPS = 3;
  private static final Duration LONG = Duration.ofSeconds(Long.getLong("skein.steps.seconds", 5));

  /** Much less than the lease of work outside: what waits for one is not done by then. */
  private static final Duration REST_MAX = Duration.ofSeconds(5);

  private static final String UNFINISHED =
      "select count(*) from workflow_instances where definition_id = 'steps' and"
          + " (finished_at is null or status <> 'Completed')";
  private static final String STARTED =
      "select count(*) from workflow_instances where definition_id = 'steps'";
  private static final String TIMERS =
      "select count(*) from timers where workflow_instance_id in"
          + " (select id from workflow_instances where definition_id = 'steps')";

  @Test
  void none_of_many_callers_is_told_of_an_error_and_no_work_waits_for_its_lease(
      TestPostgres postgres, @TempDir Path jars) throws IOException {
    Greeting.pack(jars.resolve("greeting.jar"));
    var settings = Map.of("activities.directory", jars.toString());
    try (var cluster = TestClusters.another(postgres, "own_steps", 1, settings, List.of())) {
      cluster.startAll();
      var api = cluster.api(0);
      api.publish(Workflows.greetings("steps", Greeting.TYPE, STEPS));
      var start = new JsonObject().put("definitionId", "steps");
      var others = new ConcurrentLinkedQueue<Http.Answer>();
      var created = new AtomicLong();
      long since = System.nanoTime();

      Together.call(
          CALLERS,
          _ -> {
            while (System.nanoTime() - since < LONG.toNanos()) {
              var answer = api.start(start);
              if (answer.status() == 201) {
                created.incrementAndGet();
              } else {
                others.add(answer);
              }
            }
            return true;
          });
      double seconds = Measured.seconds(since);
      boolean allEnded = Eventually.isTrue(REST_MAX, () -> cluster.sql().number(UNFINISHED) == 0);

      Measured.say(
          "own steps",
          "%d starts of %d steps in %.1f s, %d other answers",
          created.get(),
          STEPS,
          seconds,
          others.size());
      assertThat(others).isEmpty();
      assertThat(allEnded).as("all have ended").isTrue();
      assertThat(cluster.sql().number(STARTED)).isEqualTo(created.get()).isGreaterThan(CALLERS);
      assertThat(cluster.sql().number(TIMERS)).isZero();
    }
  }
}
