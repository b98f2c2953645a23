package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.codecs.JsonText;
import skein.model.InstanceId;
import skein.model.Timer;

/** Timers whose payloads are large, and the definitions of timers. */
@ExtendWith(TestDatabase.class)
class LargeTimersIT {
  private static Object numbers(int count) {
    var random = new Random(1);
    var numbers = new ArrayList<Object>();
    for (int i = 0; i < count; i++) {
      numbers.add(random.nextLong());
    }
    return numbers;
  }

  private static void make(Database database, String id, @Nullable String payload) {
    database
        .run(
            "make",
            """
            insert into timers (id, due_at, workflow_instance_id, kind, payload)
            values ($1, clock_timestamp() - interval '1 hour', $1, 'Child', $2::text::json)
            """,
            Tuple.of(id, payload))
        .await();
  }

  private static @Nullable Object payload(TimerStore timers, Timer timer) {
    var whole = timers.whole(timer).await();
    assertThat(whole).isNotNull();
    return whole == null ? null : whole.payload();
  }

  @Test
  void large_payloads_are_left_out_of_a_page_and_read_when_they_are_needed(Database database) {
    var timers = new TimerStore(database);
    var small = Map.of("x", (Object) "small");
    var large = Map.of("x", numbers(10_000));
    var compressed = Map.of("x", (Object) Collections.nCopies(10_000, 1L));
    make(database, "a", JsonText.print(small));
    make(database, "b", JsonText.print(large));
    make(database, "c", JsonText.print(compressed));
    make(database, "d", null);
    make(database, "e", "null");

    var due = timers.due(TimerShard.ONLY, Duration.ZERO, Instant.EPOCH, "", 10).await();

    assertThat(due).extracting(Timer::id).containsExactly("a", "b", "c", "d", "e");
    assertThat(due)
        .extracting(DeferredPayload::isIn)
        .containsExactly(false, true, true, false, false);
    assertThat(due.get(0).payload()).isEqualTo(small);
    assertThat(payload(timers, due.get(0))).isEqualTo(small);
    assertThat(payload(timers, due.get(1))).isEqualTo(large);
    assertThat(payload(timers, due.get(2))).isEqualTo(compressed);
    assertThat(payload(timers, due.get(3))).isNull();
    assertThat(payload(timers, due.get(4))).isNull();

    timers.remove("b").await();
    assertThat(timers.whole(due.get(1)).await()).isNull();
  }

  @Test
  void timers_are_read_with_the_tenants_and_definitions_of_their_instances(Database database) {
    TimerRows.add(database, "order", 2, "now() - interval '1 hour'");
    TimerRows.makeInstances(database);
    database
        .run(
            "give away",
            "update workflow_instances set tenant_id = 'acme' where id = 'order2'",
            Tuple.tuple())
        .await();
    TimerRows.add(database, "gone", 1, "now()");
    new ShardIndex(database).prepare(4).await();
    var timers = new TimerStore(database);

    for (int shards : List.of(1, 4)) {
      var due = new ArrayList<DueTimer>();
      for (int shard = 0; shard < shards; shard++) {
        due.addAll(
            timers
                .dueWithDefinitions(
                    new TimerShard(shard, shards), Duration.ZERO, Instant.EPOCH, "", 10)
                .await());
      }

      assertThat(due)
          .extracting(timer -> timer.timer().id(), DueTimer::owner)
          .containsExactlyInAnyOrder(
              tuple("order1", new TimerOwner("", "order")),
              tuple("order2", new TimerOwner("acme", "order")),
              tuple("gone1", null));
    }
  }

  @Test
  void a_timer_that_is_told_of_waits_without_a_large_payload() {
    var small = new Timer("a", Samples.NOW, new InstanceId("i"), Timer.Kind.Child, Map.of("x", 1L));
    var large =
        new Timer("b", Samples.NOW, new InstanceId("i"), Timer.Kind.Child, "x".repeat(2_000));

    assertThat(DeferredPayload.of(small)).isSameAs(small);
    assertThat(DeferredPayload.isIn(DeferredPayload.of(large))).isTrue();
    assertThat(DeferredPayload.of(large).id()).isEqualTo("b");
  }

  @Test
  void many_small_values_take_more_memory_than_their_text() {
    var objects = Collections.nCopies(1_000, Map.of());
    assertThat(DeferredPayload.heapBytes(objects)).isGreaterThan(64_000);
    assertThat(DeferredPayload.heapBytes("x".repeat(1_000))).isBetween(1_000L, 1_100L);
    assertThat(DeferredPayload.heapBytes(null)).isZero();
  }

  @Test
  void a_text_of_other_letters_than_latin_ones_takes_two_bytes_for_each() {
    assertThat(DeferredPayload.heapBytes("\u00e9".repeat(1_000))).isBetween(1_000L, 1_100L);
    assertThat(DeferredPayload.heapBytes("\u4e16".repeat(1_000))).isBetween(2_000L, 2_100L);
  }

  @Test
  void several_payloads_are_read_together_up_to_the_one_that_reaches_a_bound(Database database) {
    var timers = new TimerStore(database);
    for (var id : List.of("a", "b", "c", "d")) {
      make(database, id, JsonText.print(Map.of("x", id.repeat(2_000))));
    }
    var due = timers.due(TimerShard.ONLY, Duration.ZERO, Instant.EPOCH, "", 10).await();
    timers.remove("b").await();
    database
        .run(
            "postpone",
            "update timers set due_at = '2026-01-01 00:00:00Z' where id = 'c'",
            Tuple.tuple())
        .await();

    var all = timers.whole(due.reversed(), 1_000_000).await();
    assertThat(all)
        .extracting(timer -> timer == null ? null : timer.id())
        .containsExactly("d", "c", null, "a");
    assertThat(all)
        .extracting(timer -> timer == null ? null : timer.payload())
        .contains(Map.of("x", "d".repeat(2_000)), Map.of("x", "c".repeat(2_000)));
    assertThat(all)
        .extracting(timer -> timer == null ? null : timer.dueAt())
        .contains(Instant.parse("2026-01-01T00:00:00Z"));

    assertThat(timers.whole(due, 1).await())
        .extracting(timer -> timer == null ? null : timer.id())
        .containsExactly("a");
    assertThat(timers.whole(due, 2_300).await()).hasSize(3);
    assertThat(timers.whole(due, 4_500).await()).hasSize(4);
  }

  @Test
  void what_is_short_as_text_is_read_up_to_what_it_takes_in_memory(Database database) {
    var timers = new TimerStore(database);
    for (var id : List.of("a", "b", "c")) {
      make(database, id, JsonText.print(Map.of("x", Collections.nCopies(1_000, Map.of()))));
    }
    var due = timers.due(TimerShard.ONLY, Duration.ZERO, Instant.EPOCH, "", 10).await();

    assertThat(timers.whole(due, 20_000).await()).hasSize(1);
    assertThat(timers.whole(due, 100_000).await()).hasSize(2);
  }
}
