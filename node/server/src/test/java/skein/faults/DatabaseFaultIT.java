package skein.faults;

import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.faults.Link.Way;

/** The database dies, freezes, or is out of reach. */
@ExtendWith(FaultClusters.class)
@Tag("long")
class DatabaseFaultIT {
  private static final String DATABASE = "database";

  /** Longer than the deadline of a statement. */
  private static final Duration LONG = Duration.ofSeconds(5);

  @Test
  @LongRun
  void a_database_that_dies_and_comes_back_has_lost_nothing(FaultCluster cluster) {
    new Scenario(cluster, "db-restart")
        .run(havoc ->
            havoc.repeat(
                4_000,
                () -> {
                  boolean immediate = havoc.random().nextBoolean();
                  havoc.during(
                      immediate ? "database crash" : "database restart",
                      DATABASE,
                      havoc.between(0, 2_000),
                      () -> cluster.stopDatabase(immediate),
                      cluster::startDatabase);
                }));
  }

  @Test
  @LongRun
  void a_database_that_stood_still_has_lost_nothing(FaultCluster cluster) {
    new Scenario(cluster, "db-frozen")
        .run(havoc ->
            havoc.repeat(
                3_000,
                () ->
                    havoc.during(
                        "database pause",
                        DATABASE,
                        havoc.between(1_000, 6_000),
                        cluster.postgres()::freeze,
                        cluster.postgres()::thaw)));
  }

  @Test
  @LongRun
  void a_node_without_its_database_does_no_harm_and_comes_back(FaultCluster cluster) {
    new Scenario(cluster, "db-cut")
        .run(havoc ->
            havoc.repeat(
                2_000,
                () -> {
                  int node = havoc.anyNode();
                  boolean silent = havoc.random().nextBoolean();
                  var link = cluster.database(node).link();
                  havoc.during(
                      silent ? "database silence" : "database reset",
                      "between " + cluster.node(node).name() + " and " + DATABASE,
                      LONG,
                      () -> {
                        if (silent) {
                          link.stall(EnumSet.allOf(Way.class));
                        } else {
                          link.refuse();
                        }
                      },
                      link::heal);
                }));
  }

  @Test
  void nodes_whose_database_is_silent_to_all_of_them_come_back(FaultCluster cluster) {
    new Scenario(cluster, "db-silent")
        .run(havoc ->
            havoc.repeat(
                3_000,
                () ->
                    havoc.during(
                        "database silence",
                        DATABASE,
                        LONG,
                        () ->
                            cluster
                                .databases()
                                .forEach(way -> way.link().stall(EnumSet.of(Way.BACK))),
                        () -> cluster.databases().forEach(way -> way.link().heal()))));
  }

  @Test
  @LongRun
  void a_database_that_is_slow_has_lost_nothing(FaultCluster cluster) {
    new Scenario(cluster, "db-slow")
        .run(havoc ->
            havoc.repeat(
                2_000,
                () -> {
                  var longer = havoc.between(50, 400);
                  havoc.during(
                      "slow database",
                      "every piece later by " + longer.toMillis() + " ms",
                      LONG,
                      () -> cluster.databases().forEach(way -> way.link().delay(longer)),
                      () -> cluster.databases().forEach(way -> way.link().heal()));
                }));
  }
}
