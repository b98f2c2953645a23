package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.storage.LeaseStore.Lease;

@ExtendWith(TestDatabase.class)
class LeaseStoreIT {
  private static final Duration LONG = Duration.ofMinutes(1);

  @Test
  void one_node_has_the_lease_and_renews_it_in_the_same_epoch(Database database) {
    var leases = new LeaseStore(database);

    assertThat(take(leases, "n1", LONG)).isEqualTo(new Lease("scheduler", "n1", 1));
    assertThat(take(leases, "n2", LONG)).isNull();
    assertThat(take(leases, "n1", LONG)).isEqualTo(new Lease("scheduler", "n1", 1));
  }

  @Test
  void an_expired_lease_is_taken_in_a_new_epoch(Database database) {
    var leases = new LeaseStore(database);
    take(leases, "n1", Duration.ZERO);

    assertThat(take(leases, "n2", LONG)).isEqualTo(new Lease("scheduler", "n2", 2));
  }

  @Test
  void a_lease_of_a_node_that_is_gone_need_not_expire(Database database) {
    var leases = new LeaseStore(database);
    take(leases, "n1", LONG);

    leases.endUnlessHeldBy("scheduler", new String[] {"n1", "n2"}).await();
    assertThat(take(leases, "n2", LONG)).isNull();

    leases.endUnlessHeldBy("scheduler", new String[] {"n2"}).await();
    assertThat(take(leases, "n2", LONG)).isEqualTo(new Lease("scheduler", "n2", 2));
  }

  @Test
  void a_released_lease_is_free_at_once(Database database) {
    var leases = new LeaseStore(database);
    take(leases, "n1", LONG);

    leases.release("scheduler", "n1").await();

    assertThat(take(leases, "n2", LONG)).isEqualTo(new Lease("scheduler", "n2", 2));
  }

  private static @Nullable Lease take(LeaseStore leases, String node, Duration duration) {
    return leases.take("scheduler", node, duration).await();
  }
}
