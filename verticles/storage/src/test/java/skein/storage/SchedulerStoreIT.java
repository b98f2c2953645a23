package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.model.InstanceId;
import skein.model.Timer;
import skein.storage.LeaseStore.Participant;

@ExtendWith(TestDatabase.class)
class SchedulerStoreIT {
  private static final SchedulerMetrics METRICS =
      new SchedulerMetrics(7, 2, 40, 3, 1, Duration.ZERO, Duration.ofMillis(1_500));

  @Test
  void nobody_takes_part_in_a_cluster_without_a_leader(Database database) {
    var state = new SchedulerStore(database).state().await();

    assertThat(state).isEqualTo(new SchedulerStore.State(0, List.of(), List.of()));
    assertThat(state.lag()).isZero();
  }

  @Test
  void a_shard_is_shown_with_its_leader_and_its_own_lag(Database database) {
    var node = new Participant("id", "n1", 4, Duration.ofMinutes(1), Duration.ofSeconds(5));
    var leases = new PostgresLeaseStore(database, Duration.ofSeconds(5));
    leases.checkIn(node, Map.of(), METRICS).await();
    leases.take(node, List.of(2)).await();
    TimerRows.addOf(database, "i", "late-", 3, "clock_timestamp() - n * interval '1 hour'");
    var late = TimerShard.of(new InstanceId("i"), 4);

    var state = new SchedulerStore(database).state().await();

    assertThat(state.shards()).isEqualTo(4);
    assertThat(state.nodes())
        .singleElement()
        .satisfies(shown -> {
          assertThat(shown.name()).isEqualTo("n1");
          assertThat(shown.metrics().fired()).isEqualTo(40);
          assertThat(shown.metrics().lag()).isEqualTo(Duration.ofMillis(1_500));
        });
    assertThat(state.leaders()).hasSize(4);
    for (var leader : state.leaders()) {
      boolean held = leader.shard().number() == 2;
      assertThat(leader.holderName()).isEqualTo(held ? "n1" : null);
      assertThat(leader.epoch()).isEqualTo(held ? 1 : 0);
      assertThat(leader.lag().toHours()).isEqualTo(leader.shard().equals(late) ? 3 : 0);
    }
    assertThat(state.lag()).isGreaterThanOrEqualTo(Duration.ofHours(3));
  }

  @Test
  void timers_are_listed_by_due_time_with_filters_and_pages(Database database) {
    TimerRows.addOf(
        database, "i", "i-", 30, "timestamptz '2026-01-01 00:00:00Z' + n * interval '1 day'");
    TimerRows.add(
        database, "other-", 30, "timestamptz '2026-03-01 00:00:00Z' + n * interval '1 day'");
    var list = new TimerList(database);

    var page = list.page(query(List.of(), null, null, null, 5, 3)).await();
    assertThat(page.items().stream().map(entry -> entry.timer().id()))
        .containsExactly("i-6", "i-7", "i-8");
    assertThat(page.total()).isEqualTo(60);

    var ofInstance = query(List.of(Timer.Kind.Bookmark), new InstanceId("i"), null, null, 0, 100);
    assertThat(list.page(ofInstance).await().items()).hasSize(30);

    var between =
        query(
            List.of(),
            null,
            Instant.parse("2026-01-31T00:00:00Z"),
            Instant.parse("2026-03-03T00:00:00Z"),
            0,
            100);
    assertThat(list.page(between).await().items().stream().map(entry -> entry.timer().id()))
        .containsExactly("i-30", "other-1");

    assertThat(list.page(query(List.of(Timer.Kind.Child), null, null, null, 0, 1)).await().total())
        .isZero();
    assertThat(list.find("i-6").await()).isNotNull();
    assertThat(list.find("gone").await()).isNull();
  }

  private static TimerList.Query query(
      List<Timer.Kind> kinds,
      @Nullable InstanceId instance,
      @Nullable Instant after,
      @Nullable Instant before,
      int skip,
      int take) {
    return new TimerList.Query(kinds, instance, after, before, skip, take);
  }
}
