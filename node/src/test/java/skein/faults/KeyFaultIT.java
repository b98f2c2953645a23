package skein.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.faults.CommitFault.Kind;
import skein.faults.CommitTap.Statement;

/** Connections to the database break around the statements about idempotency keys. */
@ExtendWith(FaultClusters.class)
class KeyFaultIT {
  private static final Duration LENGTH = Duration.ofSeconds(5);
  private static final int EVERY = 5;

  @Test
  void a_key_has_one_answer_and_is_soon_free_whatever_breaks_around_it(FaultCluster cluster) {
    int before = cluster.hits();
    new Scenario(cluster, "keys")
        .run(havoc ->
            havoc.repeat(
                1_000,
                () -> {
                  for (var database : cluster.databases()) {
                    database.afflict(
                        Statement.KEY, number -> number % EVERY == 0 ? any(havoc) : null);
                  }
                  havoc.cutConnections(LENGTH);
                }));
    assertThat(cluster.hits() - before).as("statements that were hit").isGreaterThan(5);
  }

  private static CommitFault any(Havoc havoc) {
    var kinds = List.of(Kind.DROP_BEFORE, Kind.DROP_AFTER, Kind.LATE);
    return CommitFault.of(kinds.get(havoc.chance(kinds.size())), Duration.ofMillis(500));
  }
}
