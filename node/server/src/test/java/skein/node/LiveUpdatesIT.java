package skein.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * How soon clients of the hub are told of what is committed while three nodes commit hundreds of
 * updates a second, and what they cost those who resume: windows with and without clients take
 * turns. A measurement, made only with {@code -Dskein.live.windows=5} on a machine that does
 * nothing else.
 */
@ExtendWith(TestClusters.class)
@Tag("long")
@Tag("alone")
@EnabledIfSystemProperty(named = "skein.live.windows", matches = "[0-9]+")
class LiveUpdatesIT {
  private static final int NODES = 3;
  private static final int WINDOWS = Integer.getInteger("skein.live.windows", 5);
  private static final Duration WINDOW =
      Duration.ofSeconds(Integer.getInteger("skein.live.window-seconds", 6));
  private static final Duration WARM_UP =
      Duration.ofSeconds(Integer.getInteger("skein.live.warm-up-seconds", 20));

  /** Updates a second of all instances together. */
  private static final int RATE = Integer.getInteger("skein.live.rate", 500);

  private static final int CLIENTS = Integer.getInteger("skein.live.clients", 50);

  /** Each client's instance is resumed twice a second; the others come from the load. */
  private static final int OBSERVED_RATE = 2 * CLIENTS;

  private static final int RESUMES_MAX = 1_000;

  /** {@code hub.interval} and the reading, far from what is seen on a machine of one's own. */
  private static final double LAG_P50_MILLIS_MAX = 1_000;

  private static final double LAG_P99_MILLIS_MAX = 5_000;
  private static final double SLOWER_MAX = 4;

  private static TestCluster cluster;
  private static HubObservers observers;
  private static final List<SteadyLoad> loads = new ArrayList<>();

  @BeforeAll
  static void start(TestPostgres postgres) {
    cluster = TestClusters.another(postgres, "live", NODES, Map.of());
    cluster.startAll();
    var api = cluster.api(0);
    api.publish(Workflows.approval("live-wait"));
    api.publish(Workflows.events("live-watched", RESUMES_MAX));
    var watched =
        IntStream.range(0, CLIENTS)
            .mapToObj(i -> cluster.api(i % NODES).start("live-watched"))
            .toList();
    for (int node = 0; node < NODES; node++) {
      loads.add(new SteadyLoad(cluster.api(node), "live-wait", (RATE - OBSERVED_RATE) / NODES));
    }
    var nodes =
        IntStream.range(0, NODES).mapToObj(node -> cluster.api(node).http().base()).toList();
    observers = new HubObservers(nodes, watched);
    Eventually.pause(WARM_UP);
  }

  @AfterAll
  static void stop() {
    observers.close();
    loads.forEach(SteadyLoad::close);
    cluster.close();
  }

  @Test
  void clients_of_the_hub_are_told_soon_and_slow_nobody_down() {
    var alone = new ArrayList<Double>();
    var beside = new ArrayList<Double>();
    var lags = new ArrayList<Double>();
    long begin = System.nanoTime();
    for (int i = 0; i < WINDOWS; i++) {
      alone.add(p99OfWindow());
      observers.connect();
      beside.add(p99OfWindow());
      lags.addAll(observers.lagMillis);
      assertThat(observers.served()).as("clients that were told").isEqualTo(CLIENTS);
      observers.disconnect();
    }
    int updates = loads.stream().mapToInt(load -> load.started.size() + load.resumed.size()).sum();
    double ratio = percentile(beside, 0.5) / percentile(alone, 0.5);
    Measured.say(
        "live",
        "%d clients of the hub on %d nodes, %d messages: p50 %.0f ms, p99 %.0f ms from commit",
        CLIENTS,
        NODES,
        lags.size(),
        percentile(lags, 0.5),
        percentile(lags, 0.99));
    Measured.say(
        "live",
        "p99 of resumes at %d updates a second %s ms without, %s ms beside, %.2f times",
        RATE,
        alone,
        beside,
        ratio);
    Measured.say(
        "live",
        "%d updates, %d of what is observed, %.0f s",
        updates,
        observers.resumed.get(),
        Measured.seconds(begin));
    assertThat(observers.failed).isEmpty();
    assertThat(loads).allSatisfy(load -> assertThat(load.failed).isEmpty());
    assertThat(lags)
        .as("messages, at least one in two seconds for each client")
        .hasSizeGreaterThan(Math.toIntExact((long) CLIENTS * WINDOWS * WINDOW.toSeconds() / 2) - 1);
    assertThat(percentile(lags, 0.5)).isLessThan(LAG_P50_MILLIS_MAX);
    assertThat(percentile(lags, 0.99)).isLessThan(LAG_P99_MILLIS_MAX);
    assertThat(ratio).as("p99 beside the clients, in times of that without").isLessThan(SLOWER_MAX);
  }

  private static double p99OfWindow() {
    loads.forEach(load -> load.resumeMillis.clear());
    Eventually.pause(WINDOW);
    var all = new ArrayList<Long>();
    loads.forEach(load -> all.addAll(load.resumeMillis));
    return percentile(all, 0.99);
  }

  private static double percentile(List<? extends Number> values, double part) {
    var sorted = values.stream().map(Number::doubleValue).sorted().toList();
    assertThat(sorted).isNotEmpty();
    return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(part * sorted.size())));
  }
}
