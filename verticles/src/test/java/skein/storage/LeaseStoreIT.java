package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.storage.LeaseStore.Participant;
import skein.storage.LeaseStore.Seen;

@ExtendWith(TestDatabase.class)
class LeaseStoreIT {
  private static final SchedulerMetrics NOTHING =
      new SchedulerMetrics(0, 0, 0, 0, 0, Duration.ZERO, Duration.ZERO);
  private static final Participant N1 = node("n1", Duration.ofMinutes(1));
  private static final Participant N2 = node("n2", Duration.ofMinutes(1));

  @Test
  void one_node_has_a_lease_and_renews_it_in_the_same_epoch(Database database) {
    var leases = leases(database);

    assertThat(take(leases, N1, 0, 2)).isEqualTo(Map.of(0, 1L, 2, 1L));
    assertThat(take(leases, N2, 0, 1)).isEqualTo(Map.of(1, 1L));

    assertThat(checkIn(leases, N1, Map.of(0, 1L, 2, 1L)).renewed()).containsExactlyInAnyOrder(0, 2);
    assertThat(checkIn(leases, N2, Map.of(0, 1L, 1, 1L)).renewed()).containsExactly(1);
  }

  @Test
  void a_check_in_sees_who_takes_part_the_oldest_first_and_what_others_hold(Database database) {
    var leases = leases(database);
    assertThat(checkIn(leases, N2, Map.of()))
        .isEqualTo(new Seen(none(), Map.of(), none(), List.of("n2")));
    take(leases, N2, 3);

    var seen = checkIn(leases, N1, Map.of());

    assertThat(seen.nodes()).containsExactly("n2", "n1");
    assertThat(seen.ofOthers()).containsExactly(3);
    assertThat(checkIn(leases, N2, Map.of()).nodes()).containsExactly("n2", "n1");
  }

  @Test
  void an_expired_lease_is_taken_in_a_new_epoch_and_renewed_by_nobody_else(Database database) {
    var leases = leases(database);
    var brief = node("n1", Duration.ZERO);
    take(leases, brief, 0);

    assertThat(take(leases, N2, 0)).isEqualTo(Map.of(0, 2L));
    assertThat(checkIn(leases, brief, Map.of(0, 1L)).renewed()).isEmpty();
  }

  @Test
  void a_lease_with_another_epoch_is_not_renewed(Database database) {
    var leases = leases(database);
    take(leases, N1, 0);
    database.run("steal", "update leases set epoch = epoch + 1", Tuple.tuple()).await();

    assertThat(checkIn(leases, N1, Map.of(0, 1L)).renewed()).isEmpty();
  }

  @Test
  void a_node_that_is_gone_need_not_expire(Database database) {
    var leases = leases(database);
    checkIn(leases, N1, Map.of());
    take(leases, N1, 0);

    leases.remove(List.of("n1")).await();

    assertThat(take(leases, N2, 0)).isEqualTo(Map.of(0, 2L));
    assertThat(checkIn(leases, N2, Map.of(0, 2L)).nodes()).containsExactly("n2");
  }

  @Test
  void a_released_lease_is_free_at_once(Database database) {
    var leases = leases(database);
    take(leases, N1, 0, 1);

    leases.release(N1, Map.of(1, 1L)).await();

    assertThat(take(leases, N2, 0, 1)).isEqualTo(Map.of(1, 2L));
  }

  @Test
  void a_lease_that_was_taken_since_is_not_released(Database database) {
    var leases = leases(database);
    take(leases, N1, 0);
    take(leases, N1, 0);

    leases.release(N1, Map.of(0, 1L)).await();

    assertThat(take(leases, N2, 0)).isEmpty();
    assertThat(checkIn(leases, N1, Map.of(0, 2L)).renewed()).containsExactly(0);
  }

  @Test
  void an_expired_lease_is_not_renewed_by_its_holder_either(Database database) {
    var leases = leases(database);
    take(leases, node("n1", Duration.ZERO), 0);

    assertThat(checkIn(leases, N1, Map.of(0, 1L)).renewed()).isEmpty();
    assertThat(take(leases, N2, 0)).isEqualTo(Map.of(0, 2L));
  }

  @Test
  void a_check_in_finds_what_a_late_statement_of_the_same_node_has_taken(Database database) {
    var leases = leases(database);
    take(leases, N1, 0, 1, 2);
    take(leases, N2, 3);

    var seen = checkIn(leases, N1, Map.of(0, 1L));
    assertThat(seen.renewed()).containsExactly(0);
    assertThat(seen.unclaimed()).isEqualTo(Map.of(1, 1L, 2, 1L));

    leases.release(N1, seen.unclaimed()).await();
    assertThat(checkIn(leases, N1, Map.of(0, 1L)).unclaimed()).isEmpty();
    assertThat(take(leases, N2, 0, 1, 2)).isEqualTo(Map.of(1, 2L, 2, 2L));
  }

  @Test
  void nodes_that_count_otherwise_have_leases_of_their_own(Database database) {
    var leases = leases(database);
    var other = new Participant("n2", "n2", 16, Duration.ofMinutes(1), Duration.ofSeconds(5));
    checkIn(leases, N1, Map.of());
    take(leases, N1, 0);

    assertThat(checkIn(leases, other, Map.of()))
        .isEqualTo(new Seen(none(), Map.of(), none(), List.of("n2")));
    assertThat(take(leases, other, 0)).isEqualTo(Map.of(0, 1L));
  }

  @Test
  void a_connection_that_was_lost_is_opened_again(Database database) {
    var leases = leases(database);
    take(leases, N1, 0);
    var kill =
        "select pg_terminate_backend(pid) from pg_stat_activity where query like '%leases as l%'"
            + " and pid <> pg_backend_pid()";
    database.run("kill", kill, Tuple.tuple()).await();

    long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (System.nanoTime() < end) {
      try {
        assertThat(checkIn(leases, N1, Map.of(0, 1L)).renewed()).containsExactly(0);
        return;
      } catch (RuntimeException _) {
        // The connection may be found closed by the statement.
      }
    }
    throw new AssertionError("No connection in ten seconds");
  }

  private static Set<Integer> none() {
    return Set.of();
  }

  private static Participant node(String id, Duration life) {
    return new Participant(id, id, 4, life, Duration.ofSeconds(5));
  }

  private static LeaseStore leases(Database database) {
    return new PostgresLeaseStore(database, Duration.ofSeconds(5));
  }

  private static Map<Integer, Long> take(LeaseStore leases, Participant node, Integer... shards) {
    return leases.take(node, List.of(shards)).await();
  }

  private static Seen checkIn(LeaseStore leases, Participant node, Map<Integer, Long> epochs) {
    return leases.checkIn(node, epochs, NOTHING).await();
  }
}
