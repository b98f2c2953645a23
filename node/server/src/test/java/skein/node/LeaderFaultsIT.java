package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What happens to a leader, while timers fire and work comes in: killed, frozen, deposed, stopped.
 * How often: {@code skein.leader.rounds}.
 */
@ExtendWith(TestClusters.class)
@Tag("long")
@Tag("alone")
class LeaderFaultsIT {
  private static final int ROUNDS = Integer.getInteger("skein.leader.rounds", 2);

  /** Enough for a median. */
  private static final int STOPS = Math.max(3, ROUNDS);

  private static final Duration LIFE = Duration.ofSeconds(3);
  private static final Map<String, String> SETTINGS =
      Map.of("timers.lease-duration", LIFE.toMillis() + "ms");
  private static final int CALLERS = 4;

  /** With more, all callers would wait for the node that is frozen. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private static TestCluster cluster;

  private final Queue<String> ids = new ConcurrentLinkedQueue<>();
  private final AtomicInteger numbers = new AtomicInteger();
  private volatile boolean enough;

  @BeforeAll
  static void start(TestPostgres postgres) {
    cluster = TestClusters.another(postgres, "faults", 3, SETTINGS);
    cluster.startAll();
    cluster.api(0).publish(Workflows.delayFromInput("load"));
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void a_killed_leader_is_replaced_in_seconds() {
    var millis = new long[ROUNDS];
    underLoad(
        "killed",
        leaders -> {
          for (int round = 0; round < ROUNDS; round++) {
            var leader = leaders.only();
            leader.sendKill();
            millis[round] = leaders.millisUntilNot(leader, System.nanoTime());
            leader.awaitExit(Duration.ofSeconds(10));
            cluster.startAll();
          }
        });

    Arrays.sort(millis);
    Measured.say("leader killed", "%d times, taken over: %s", ROUNDS, Measured.percentiles(millis));
    assertThat(millis[ROUNDS - 1]).as("milliseconds until taken over").isLessThan(3_000);
  }

  @Test
  void a_leader_that_was_frozen_for_three_lives_of_its_lease_does_no_harm() {
    underLoad(
        "frozen",
        leaders -> {
          for (int round = 0; round < ROUNDS; round++) {
            var leader = leaders.only();
            leader.freeze();
            pause(LIFE.multipliedBy(3));
            assertThat(leaders.only()).isNotEqualTo(leader);
            leader.thaw();
            leader.awaitReady();
          }
        });
  }

  @Test
  void a_leader_whose_lease_is_stolen_steps_down_and_nothing_is_lost() {
    underLoad(
        "stolen",
        leaders -> {
          for (int round = 0; round < ROUNDS; round++) {
            leaders.only();
            cluster
                .sql()
                .rows(
                    "update leases set holder = 'a thief', epoch = epoch + 1, expires_at ="
                        + " clock_timestamp() + interval '4 seconds' where shards = 1");
            pause(LIFE.multipliedBy(2));
            leaders.only();
          }
          assertThat(cluster.logged("leader.stepped_down")).hasSizeGreaterThanOrEqualTo(ROUNDS);
        });
  }

  @Test
  void a_leader_that_is_asked_to_stop_hands_over_at_once() {
    var millis = new long[STOPS];
    underLoad(
        "asked",
        leaders -> {
          for (int round = 0; round < STOPS; round++) {
            var leader = leaders.only();
            long since = System.nanoTime();
            leader.terminate();
            millis[round] = leaders.millisUntilNot(leader, since);
            assertThat(leader.awaitExit(Duration.ofSeconds(40))).isZero();
            cluster.startAll();
          }
        });

    Arrays.sort(millis);
    Measured.say("leader stopped", "%d times, taken over: %s", STOPS, Measured.percentiles(millis));
    assertThat(millis[STOPS / 2]).as("milliseconds until taken over").isLessThan(300);
  }

  /** Timers of half a second to three seconds are started all the time; each has to fire once. */
  private void underLoad(String name, Consumer<Leaders> faults) {
    cluster.startAll();
    var log = TimerLog.of(cluster);
    log.forget();
    var load = Thread.ofVirtual().start(() -> Together.call(CALLERS, _ -> callUntilEnough(name)));
    try {
      faults.accept(new Leaders(cluster));
    } finally {
      enough = true;
    }
    assertThat(Eventually.isTrue(Duration.ofSeconds(60), () -> !load.isAlive())).isTrue();
    cluster.startAll();
    boolean all =
        Eventually.isTrue(
            Duration.ofSeconds(60),
            () -> Outcome.of(cluster.sql(), ids).values().stream().allMatch(Outcome::isCompleted));

    assertThat(ids).as("answered starts").hasSizeGreaterThan(20);
    assertThat(all).as("all have fired").isTrue();
    assertThat(log.twice()).isZero();
    assertThat(log.early()).isZero();
    var outcomes = Outcome.of(cluster.sql(), ids);
    assertThat(outcomes).containsOnlyKeys(ids);
    assertThat(outcomes.values())
        .allMatch(Outcome::isGapless)
        .allMatch(outcome -> outcome.lines() == 1 && outcome.resumed() == 1);
    Measured.say(
        "leader " + name,
        "%d timers fired once, late by %s",
        ids.size(),
        Measured.percentiles(log.lateMillis()));
  }

  private boolean callUntilEnough(String name) {
    while (!enough) {
      int number = numbers.getAndIncrement();
      var wait = "00:00:%02d.%03d".formatted(number % 3, 500 + number % 7 * 50);
      var id = name + "-" + number;
      var request =
          new JsonObject()
              .put("definitionId", "load")
              .put("instanceId", id)
              .put("input", new JsonObject().put("wait", wait));
      try {
        if (cluster.api(number).within(PATIENCE).start(request).status() < 300) {
          ids.add(id);
        }
      } catch (RuntimeException _) {
        // This node is dead or frozen; another number goes elsewhere.
      }
      pause(Duration.ofMillis(20));
    }
    return true;
  }

  private static void pause(Duration duration) {
    try {
      Thread.sleep(duration);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
