package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(TestClusters.class)
class DelayIT {
  private static final int INSTANCES = 200;
  private static final Duration DELAY = Duration.ofSeconds(5);
  private static final Instant NEVER = Instant.parse("9999-01-01T00:00:00Z");
  private static final String FINISHED =
      "select id from workflow_instances where definition_id = $1 and status = 'Completed'";
  private static final String WAITS =
      """
      select workflow_instance_id as id,
             min(at) filter (where event = 'Started') as from,
             min(at) filter (where event = 'Resumed') as until
        from journal_entries
       where workflow_instance_id = any($1) and activity_id = 'wait'
       group by workflow_instance_id
      """;

  private record Started(String id, long nanos, Instant at) {}

  @Test
  void a_delay_ends_once_and_never_early(TestCluster cluster) {
    cluster.api(0).publish(Workflows.delay("delay", (int) DELAY.toSeconds()));

    var started = Together.call(INSTANCES, 16, _ -> start(cluster));
    var seen = watch(cluster, Instant.now().plus(DELAY).plusSeconds(30));

    assertThat(seen).as("finished instances").hasSize(INSTANCES);
    for (var each : started) {
      assertThat(Duration.ofNanos(seen.getOrDefault(each.id, 0L) - each.nanos))
          .as("from the request to the end of %s", each.id)
          .isGreaterThanOrEqualTo(DELAY);
    }
    var lateness = lateness(cluster, started);
    checkOnce(cluster, started.stream().map(Started::id).toList());
    Measured.say(
        "delay",
        "%d delays of %d s, none early; late by %s",
        INSTANCES,
        DELAY.toSeconds(),
        Measured.percentiles(lateness));
  }

  private static Started start(TestCluster cluster) {
    long nanos = System.nanoTime();
    var at = Instant.now();
    return new Started(cluster.api(0).start("delay"), nanos, at);
  }

  /** When each instance was first seen finished, by the clock of {@link System#nanoTime}. */
  private static Map<String, Long> watch(TestCluster cluster, Instant end) {
    var seen = new HashMap<String, Long>();
    Eventually.isTrue(
        Duration.between(Instant.now(), end),
        () -> {
          for (var row : cluster.sql().rows(FINISHED, "delay")) {
            seen.putIfAbsent(row.getString("id"), System.nanoTime());
          }
          return seen.size() >= INSTANCES;
        });
    return seen;
  }

  /** Milliseconds after the due instant, by the journal. */
  private static long[] lateness(TestCluster cluster, List<Started> started) {
    var requested = new HashMap<String, Instant>();
    started.forEach(each -> requested.put(each.id, each.at));
    var ids = requested.keySet().toArray(String[]::new);
    return cluster.sql().rows(WAITS, (Object) ids).stream()
        .mapToLong(row -> {
          var from = row.getOffsetDateTime("from").toInstant();
          var until = row.getOffsetDateTime("until").toInstant();
          assertThat(until).isAfterOrEqualTo(from.plus(DELAY));
          assertThat(until)
              .isAfterOrEqualTo(requested.getOrDefault(row.getString("id"), NEVER).plus(DELAY));
          return Duration.between(from.plus(DELAY), until).toMillis();
        })
        .toArray();
  }

  private static void checkOnce(TestCluster cluster, List<String> ids) {
    var outcomes = Outcome.of(cluster.sql(), ids);
    assertThat(outcomes).hasSize(INSTANCES);
    assertThat(outcomes.values())
        .allMatch(Outcome::isCompleted)
        .allMatch(Outcome::isGapless)
        .allMatch(outcome -> outcome.lines() == 1 && outcome.resumed() == 1);
    var bookmarks =
        Eventually.get(
            Duration.ofSeconds(10),
            () ->
                cluster.logged("Quartz job executed: ResumeWorkflowTask for bookmark ").stream()
                    .filter(id -> ids.contains(id.substring(0, id.lastIndexOf('-'))))
                    .toList(),
            lines -> lines.size() >= INSTANCES);
    assertThat(bookmarks).as("lines in the logs").hasSize(INSTANCES).doesNotHaveDuplicates();
  }
}
