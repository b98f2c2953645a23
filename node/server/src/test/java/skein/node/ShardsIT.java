package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Three processes share out the shards, and rebalance when one leaves and comes back. */
@ExtendWith(TestClusters.class)
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("long")
class ShardsIT {
  private static final int TIMERS = Integer.getInteger("skein.shards.timers", 1_000);
  private static final int FIRST_MS = 2_000;
  private static final int APART_MS = 10;
  private static final int MANY = 16;

  private final TestPostgres postgres;

  /** It lasts into the next test, so its timers are the last ones. */
  private final TestCluster ofMany;

  ShardsIT(TestPostgres postgres) {
    this.postgres = postgres;
    this.ofMany = cluster(MANY);
  }

  @AfterAll
  void stop() {
    ofMany.close();
  }

  private TestCluster cluster(int shards) {
    var settings = Map.of("scheduler.shards", String.valueOf(shards));
    return TestClusters.another(postgres, "shards" + shards, 3, settings);
  }

  static IntStream shards() {
    return Boolean.getBoolean("skein.shards.all")
        ? IntStream.of(1, 4, MANY)
        : IntStream.of(1, MANY);
  }

  @ParameterizedTest
  @MethodSource("shards")
  @Order(1)
  void each_timer_fires_once_and_none_early(int shards) {
    if (shards == MANY) {
      assertEachFiresOnceAndNoneEarly(ofMany, shards);
      return;
    }
    try (var cluster = cluster(shards)) {
      assertEachFiresOnceAndNoneEarly(cluster, shards);
    }
  }

  private static void assertEachFiresOnceAndNoneEarly(TestCluster cluster, int shards) {
    cluster.startAll();
    var leaders = new Leaders(cluster);
    assertThat(leaders.awaitSizes(shards, spread(shards, 3)))
        .as("shared out: %s", leaders.sizes(shards))
        .isTrue();
    var log = TimerLog.of(cluster);
    cluster.api(0).publish(Workflows.delayFromInput("shards"));

    var ids = Together.call(TIMERS, 24, number -> start(cluster, number));
    boolean all = Eventually.isTrue(Duration.ofSeconds(90), () -> log.gone() >= TIMERS);

    assertThat(all).as("%d of %d went", log.gone(), TIMERS).isTrue();
    assertThat(log.twice()).isZero();
    assertThat(log.early()).isZero();
    assertOnceEach(cluster, ids);
    Measured.say(
        "shards " + shards, "%d timers late by %s", TIMERS, Measured.percentiles(log.lateMillis()));
  }

  @Test
  @Order(2)
  void shards_are_shared_out_anew_when_nodes_leave_and_join() {
    ofMany.startAll();
    var leaders = new Leaders(ofMany);
    assertThat(leaders.awaitSizes(MANY, 5L, 5L, 6L)).isTrue();

    ofMany.node(1).terminate();
    long since = System.nanoTime();
    assertThat(leaders.awaitSizes(MANY, 8L, 8L)).isTrue();
    double left = Measured.seconds(since);
    ofMany.node(1).awaitExit(Duration.ofSeconds(40));
    ofMany.startAll();
    assertThat(leaders.awaitSizes(MANY, 5L, 5L, 6L)).isTrue();
    ofMany.node(2).kill();
    since = System.nanoTime();
    assertThat(leaders.awaitSizes(MANY, 8L, 8L)).isTrue();

    Measured.say(
        "rebalance",
        "16 shards shared out anew %.2f s after SIGTERM, %.2f s after SIGKILL",
        left,
        Measured.seconds(since));
  }

  private static Long[] spread(int shards, int nodes) {
    return IntStream.range(0, nodes)
        .mapToObj(rank -> (long) (shards / nodes + (rank < shards % nodes ? 1 : 0)))
        .filter(size -> size > 0)
        .sorted()
        .toArray(Long[]::new);
  }

  private static String start(TestCluster cluster, int number) {
    long millis = FIRST_MS + (long) number * APART_MS;
    var wait = "00:00:%02d.%03d".formatted(millis / 1000, millis % 1000);
    var request =
        new JsonObject()
            .put("definitionId", "shards")
            .put("input", new JsonObject().put("wait", wait));
    return cluster.api(number).start(request).orThrow().json().getString("id");
  }

  private static void assertOnceEach(TestCluster cluster, List<String> ids) {
    Eventually.isTrue(
        Duration.ofSeconds(20),
        () -> Outcome.of(cluster.sql(), ids).values().stream().allMatch(Outcome::isCompleted));
    var outcomes = Outcome.of(cluster.sql(), ids);
    assertThat(outcomes).hasSize(ids.size());
    assertThat(outcomes.values())
        .allMatch(Outcome::isCompleted)
        .allMatch(Outcome::isGapless)
        .allMatch(outcome -> outcome.lines() == 1 && outcome.resumed() == 1);
  }
}
