package skein.faults;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.node.Eventually;

/** The nodes do not hear each other, or late, while all of them reach the database. */
@ExtendWith(FaultClusters.class)
@Tag("long")
class SplitFaultIT {
  /** Longer than it takes the nodes to notice. */
  private static final Duration NOTICED = Duration.ofSeconds(9);

  @Test
  void a_node_that_is_cut_off_silently_does_no_harm(FaultCluster cluster) {
    new Scenario(cluster, "split-silent")
        .run(havoc ->
            havoc.repeat(
                2_000,
                () -> {
                  int alone = havoc.anyNode();
                  havoc.during(
                      "split",
                      cluster.node(alone).name(),
                      NOTICED,
                      () -> cluster.network().split(node -> node == alone, true),
                      cluster.network()::heal);
                }));
  }

  @Test
  @LongRun
  void three_nodes_that_are_each_alone_do_no_harm(FaultCluster cluster) {
    new Scenario(cluster, "split-all")
        .run(havoc ->
            havoc.repeat(
                2_000,
                () ->
                    havoc.during(
                        "split",
                        "all",
                        NOTICED,
                        () -> cluster.network().splitAll(false),
                        cluster.network()::heal)));
  }

  @Test
  void a_node_that_hears_and_is_not_heard_does_no_harm(FaultCluster cluster) {
    new Scenario(cluster, "split-one-way")
        .run(havoc ->
            havoc.repeat(
                2_000,
                () -> {
                  int mute = havoc.anyNode();
                  havoc.during(
                      "mute",
                      cluster.node(mute).name(),
                      NOTICED,
                      () -> cluster.network().mute(mute),
                      cluster.network()::heal);
                }));
  }

  @Test
  void a_link_that_works_one_way_only_does_no_harm(FaultCluster cluster) {
    new Scenario(cluster, "one-way-link")
        .run(havoc -> havoc.repeat(2_000, () -> havoc.oneWay(NOTICED)));
  }

  @Test
  @LongRun
  void a_network_that_comes_and_goes_does_no_harm(FaultCluster cluster) {
    new Scenario(cluster, "split-flapping")
        .run(havoc ->
            havoc.repeat(
                1_000,
                () -> {
                  int alone = havoc.anyNode();
                  boolean silent = havoc.random().nextBoolean();
                  havoc.during(
                      silent ? "split" : "reset",
                      cluster.node(alone).name(),
                      havoc.between(500, 3_000),
                      () -> cluster.network().split(node -> node == alone, silent),
                      cluster.network()::heal);
                }));
  }

  @Test
  @LongRun
  void a_network_that_is_slow_does_no_harm(FaultCluster cluster) {
    new Scenario(cluster, "slow-network")
        .run(havoc ->
            havoc.repeat(
                1_000,
                () ->
                    havoc.during(
                        "slow network",
                        "all",
                        Duration.ZERO,
                        () -> {
                          for (int i = 0; i < 25; i++) {
                            cluster.network().delay(havoc.between(10, 90));
                            Eventually.pause(Duration.ofMillis(200));
                          }
                        },
                        cluster.network()::heal)));
  }
}
