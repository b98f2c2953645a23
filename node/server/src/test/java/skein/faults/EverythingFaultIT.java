package skein.faults;

import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.faults.CommitFault.Kind;
import skein.faults.CommitTap.Statement;
import skein.faults.Link.Way;

/**
 * Anything at random, one thing after another: for {@code skein.faults.everything-seconds}, or
 * {@code skein.faults.minutes}.
 */
@ExtendWith(FaultClusters.class)
@Tag("long")
class EverythingFaultIT {
  private static final Duration LENGTH =
      Duration.ofMinutes(Long.getLong("skein.faults.minutes", 0))
          .plusSeconds(
              System.getProperty("skein.faults.minutes") == null
                  ? Long.getLong("skein.faults.everything-seconds", 20)
                  : 0);

  @Test
  void whatever_happens_every_promise_is_kept(FaultCluster cluster) {
    new Scenario(cluster, "everything", LENGTH)
        .run(havoc -> havoc.repeat(3_000, () -> something(cluster, havoc)));
  }

  private static void something(FaultCluster cluster, Havoc havoc) {
    int number = havoc.anyNode();
    var node = cluster.node(number);
    var length = havoc.between(500, 6_000);
    boolean silent = havoc.random().nextBoolean();
    switch (havoc.random().nextInt(13)) {
      case 0 -> havoc.killAndRestart(node);
      case 1 -> havoc.pause(node, length);
      case 2 -> havoc.pause(havoc.leader(), length);
      case 3 ->
          havoc.during(
              "split",
              node.name(),
              length.multipliedBy(2),
              () -> cluster.network().split(each -> each == number, silent),
              cluster.network()::heal);
      case 4 ->
          havoc.during(
              "slow network",
              "all",
              length,
              () -> cluster.network().delay(Duration.ofMillis(50)),
              cluster.network()::heal);
      case 5 ->
          havoc.during(
              silent ? "database crash" : "database restart",
              "database",
              havoc.between(0, 2_000),
              () -> cluster.stopDatabase(silent),
              cluster::startDatabase);
      case 6 -> {
        var link = cluster.database(number).link();
        havoc.during(
            "database silence",
            "between " + node.name() + " and database",
            length,
            () -> link.stall(EnumSet.allOf(Way.class)),
            link::heal);
      }
      case 7 -> havoc.oneWay(length.multipliedBy(2));
      case 8 -> havoc.starve(node, length);
      case 9 -> havoc.cutConnections(length);
      case 10 ->
          havoc.during(
              "commit limbo",
              node.name(),
              length,
              () ->
                  cluster
                      .database(number)
                      .afflict(commit ->
                          commit % 8 == 0
                              ? CommitFault.of(
                                  silent ? Kind.HOLD_ANSWER : Kind.HOLD, Duration.ofSeconds(7))
                              : null),
              () -> cluster.database(number).heal());
      case 11 ->
          havoc.during(
              "keys hit",
              "all",
              length,
              () ->
                  cluster
                      .databases()
                      .forEach(database ->
                          database.afflict(
                              Statement.KEY,
                              statement ->
                                  statement % 5 == 0
                                      ? CommitFault.of(
                                          silent ? Kind.DROP_AFTER : Kind.DROP_BEFORE,
                                          Duration.ZERO)
                                      : null)),
              () -> cluster.databases().forEach(DatabaseProxy::heal));
      default ->
          havoc.during(
              "commits late and unanswered",
              node.name(),
              length,
              () ->
                  cluster
                      .database(number)
                      .afflict(commit ->
                          commit % 5 == 0
                              ? CommitFault.of(
                                  commit % 2 == 0 ? Kind.LATE : Kind.DROP_AFTER,
                                  Duration.ofSeconds(1))
                              : null),
              () -> cluster.database(number).heal());
    }
  }
}
