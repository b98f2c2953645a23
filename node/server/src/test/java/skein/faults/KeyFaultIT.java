package skein.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.faults.CommitFault.Kind;
import skein.faults.CommitTap.Statement;

/** Connections to the database break around the statements about idempotency keys. */
@ExtendWith(FaultClusters.class)
@Tag("long")
class KeyFaultIT {
  private static final Duration LENGTH = Duration.ofSeconds(5);
  private static final Duration SLOW = Duration.ofMillis(500);
  private static final int EVERY = 5;
  private static final List<Kind> KINDS = List.of(Kind.DROP_BEFORE, Kind.DROP_AFTER, Kind.LATE);

  @Test
  void a_key_has_one_answer_and_is_soon_free_whatever_breaks_around_it(FaultCluster cluster) {
    int before = cluster.hits();
    new Scenario(cluster, "keys")
        .run(havoc ->
            havoc.repeat(
                1_000,
                () -> {
                  cluster
                      .databases()
                      .forEach(database -> database.afflict(Statement.KEY, KeyFaultIT::each));
                  havoc.cutConnections(LENGTH);
                }));
    assertThat(cluster.hits() - before).as("statements that were hit").isGreaterThan(5);
  }

  private static @Nullable CommitFault each(int number) {
    return number % EVERY == 0
        ? CommitFault.of(KINDS.get(number / EVERY % KINDS.size()), SLOW)
        : null;
  }
}
