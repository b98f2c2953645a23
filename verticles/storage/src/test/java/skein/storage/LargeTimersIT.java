package skein.storage;

import static org.assertj.core.api.Assertions.assertThat;

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
  void timers_are_read_with_the_definitions_of_their_instances(Database database) {
    TimerRows.add(database, "order", 2, "now() - interval '1 hour'");
    TimerRows.makeInstances(database);
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
          .extracting(timer -> timer.timer().id() + " " + timer.definitionId())
          .containsExactlyInAnyOrder("order1 order", "order2 order", "gone1 null");
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
}
