package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A jar with activities that one of two nodes has. */
@ExtendWith(TestClusters.class)
@Tag("long")
class ActivityJarIT {
  private static final Duration MAX = Duration.ofSeconds(60);
  private static final int COUNT = 20;
  private static final Map<String, String> SETTINGS = Map.of("timers.retry-delay-max", "2s");

  @Test
  void instances_are_executed_by_nodes_that_have_it_and_wait_for_one(
      TestPostgres postgres, @TempDir Path jars) throws IOException {
    Greeting.pack(jars.resolve("greeting.jar"));
    var has = Map.of("activities.directory", jars.toString());
    try (var cluster =
        TestClusters.another(postgres, "activity_jar", 2, SETTINGS, List.of(has, Map.of()))) {
      cluster.startAll();
      var without = cluster.api(1);
      var published = without.saveAndPublish(Workflows.greeting("greets", Greeting.TYPE)).orThrow();
      assertThat(published.json().getJsonArray("validationErrors").encode())
          .contains("other nodes know the activity type");

      var ids = IntStream.range(0, COUNT).mapToObj(i -> cluster.api(i).start("greets")).toList();
      ids.forEach(id -> assertThat(without.resume(id).status()).as(id).isEqualTo(200));
      assertGreeted(cluster, ids);

      cluster.node(0).terminate();
      cluster.node(0).awaitExit(MAX);
      var late = List.of(without.start("greets"), without.start("greets"));
      var refused = without.resume(late.getFirst());
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.code()).isEqualTo("ACTIVITY_ELSEWHERE");
      without.http().post("/elsa/api/events/Approve/trigger").orThrow();

      cluster.startAll();
      assertGreeted(cluster, late);
    }
  }

  private static void assertGreeted(TestCluster cluster, List<String> ids) {
    var outcomes =
        Eventually.get(
            MAX,
            () -> Outcome.of(cluster.sql(), ids),
            found -> found.values().stream().allMatch(Outcome::isCompleted));
    assertThat(outcomes).hasSize(ids.size());
    assertThat(outcomes.values())
        .allMatch(Outcome::isCompleted)
        .allMatch(Outcome::isGapless)
        .allMatch(outcome -> outcome.lines() == 1);
  }
}
