package skein.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.faults.CommitFault.Kind;
import skein.node.Eventually;

/** Single commits are lost, or land late, or their answers are lost; and nodes die over them. */
@ExtendWith(FaultClusters.class)
@Tag("long")
class CommitFaultIT {
  private static final int EVERY = 15;

  /** Longer than the deadline of a statement: its node has given it up and repeated it. */
  private static final Duration LATE = Duration.ofMillis(4_500);

  private static final Duration LIMBO = Duration.ofSeconds(8);

  private static final Duration SLOW = Duration.ofMillis(800);

  @Test
  void commits_of_unknown_outcome_are_neither_lost_nor_doubled(FaultCluster cluster) {
    int before = cluster.hits();
    new Scenario(cluster, "commit-unknown")
        .run(havoc -> {
          var random = havoc.random();
          for (var database : cluster.databases()) {
            database.afflict(number -> number % EVERY == 0 ? any(random.split()) : null);
          }
          havoc.repeat(1_000, () -> havoc.during("commits hit", "all", SLOW, () -> {}, () -> {}));
        });
    assertThat(cluster.hits() - before).as("commits that were hit").isGreaterThan(5);
  }

  /** Done, or not yet: its node does not hear of it for longer than it waits for an answer. */
  @Test
  void commits_in_limbo_are_neither_lost_nor_doubled(FaultCluster cluster) {
    int before = cluster.hits();
    new Scenario(cluster, "commit-limbo")
        .run(havoc ->
            havoc.repeat(
                1_000,
                () ->
                    havoc.during(
                        "commit limbo",
                        "all",
                        LATE,
                        () -> cluster.databases().forEach(CommitFaultIT::limbo),
                        () -> cluster.databases().forEach(DatabaseProxy::heal))));
    assertThat(cluster.hits() - before).as("commits in limbo").isGreaterThan(5);
  }

  private static void limbo(DatabaseProxy database) {
    database.afflict(number ->
        switch (number % EVERY) {
          case 0 -> CommitFault.of(Kind.HOLD_ANSWER, LIMBO);
          case 5 -> CommitFault.of(Kind.HOLD, LATE);
          case 10 -> CommitFault.of(Kind.LATE, LATE);
          default -> null;
        });
  }

  private static CommitFault any(SplittableRandom random) {
    var hold = random.nextBoolean() ? SLOW : LATE;
    var all =
        List.of(
            CommitFault.of(Kind.DROP_BEFORE, Duration.ZERO),
            CommitFault.of(Kind.DROP_AFTER, Duration.ZERO),
            CommitFault.of(Kind.HOLD, hold),
            CommitFault.of(Kind.LATE, hold),
            CommitFault.of(Kind.HOLD_ANSWER, hold));
    return all.get(random.nextInt(all.size()));
  }

  @Test
  void a_node_that_dies_over_its_commit_leaves_it_whole_or_not_at_all(FaultCluster cluster) {
    int before = cluster.hits();
    var kinds = List.of(Kind.DROP_BEFORE, Kind.LATE, Kind.DROP_AFTER);
    new Scenario(cluster, "commit-kill")
        .run(havoc ->
            havoc.repeat(
                1_500,
                () -> {
                  int number = havoc.anyNode();
                  var kind = kinds.get(havoc.random().nextInt(kinds.size()));
                  killOver(kind, cluster, number, havoc);
                }));
    assertThat(cluster.hits() - before).as("nodes that died over a commit").isPositive();
  }

  /** The next commit of the node is its last one, and is not sent, lands late, or is in time. */
  private static void killOver(Kind kind, FaultCluster cluster, int number, Havoc havoc) {
    var node = cluster.node(number);
    havoc.during(
        "kill over commit, " + kind,
        node.name(),
        Duration.ofMillis(500),
        () -> {
          var last = new CommitFault(kind, SLOW, node::sendKill);
          cluster.database(number).afflict(commit -> commit == 1 ? last : null);
          Eventually.isTrue(Duration.ofSeconds(4), () -> !node.isAlive());
        },
        () -> havoc.startAgain(node));
  }
}
