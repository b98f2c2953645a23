package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(TestClusters.class)
class NoStaleStartIT {
  private static final int ROUNDS = Integer.getInteger("publish.rounds", 1_000);

  /** Of them each publishes a definition of its own, one version after the other. */
  private static final int AUTHORS = 4;

  private static final String ID = "greeting-of-";
  private static final String INVALIDATED =
      "Received cache invalidation event for workflow definition ";
  private static final String LINES =
      """
      select workflow_instance_id as id, lower(data ->> 'state') as state
        from journal_entries
       where workflow_instance_id = any($1)
         and activity_type = 'Elsa.WriteLine' and event = 'Started'
      """;

  @Test
  void what_was_published_on_one_node_is_started_on_the_next(TestCluster cluster) {
    long before = cluster.nodes().stream().mapToLong(NoStaleStartIT::invalidations).sum();
    long since = System.nanoTime();

    var expected = new HashMap<String, String>();
    Together.call(AUTHORS, author -> publishAndStart(cluster, author)).forEach(expected::putAll);
    double seconds = Measured.seconds(since);

    assertThat(expected).hasSize(ROUNDS);
    assertThat(stale(cluster, expected)).as("instances that wrote another text").isEmpty();
    for (var node : cluster.nodes()) {
      long lines =
          Eventually.get(
              Duration.ofSeconds(10), () -> invalidations(node), found -> found >= ROUNDS);
      assertThat(lines).as("invalidations in the log of %s", node.name()).isEqualTo(ROUNDS);
    }
    assertThat(before).isZero();
    Measured.say(
        "stale starts",
        "0 of %d rounds of publish and start, %.0f a second",
        ROUNDS,
        ROUNDS / seconds);
  }

  /** The texts that instances have to write, by their ids. */
  private static Map<String, String> publishAndStart(TestCluster cluster, int author) {
    var id = ID + author;
    var expected = new HashMap<String, String>();
    for (int round = author; round < ROUNDS; round += AUTHORS) {
      int node = round / AUTHORS + author;
      var text = "text of round " + round;
      var saved = cluster.api(node).update(Workflows.lines(id, text)).orThrow().json();
      var published = saved.getJsonObject("workflowDefinition").getInteger("version");
      var started =
          cluster.api(node + 1).start(new JsonObject().put("definitionId", id)).orThrow().json();
      assertThat(started.getInteger("version")).as("round %d", round).isEqualTo(published);
      expected.put(started.getString("id"), text);
    }
    return expected;
  }

  /** Of the definitions of this test, in the log of the node. */
  private static long invalidations(ServerProcess node) {
    return node.output().stream().filter(line -> line.contains(INVALIDATED + ID)).count();
  }

  /** Instances that did not write the text they were to write, and what they wrote. */
  private static Map<String, String> stale(TestCluster cluster, Map<String, String> expected) {
    var left = new HashMap<>(expected);
    var ids = expected.keySet().toArray(String[]::new);
    for (var row : cluster.sql().rows(LINES, (Object) ids)) {
      var id = row.getString("id");
      if (row.getString("state").contains('"' + expected.get(id) + '"')) {
        left.remove(id);
      } else {
        left.put(id, row.getString("state"));
      }
    }
    return left;
  }
}
