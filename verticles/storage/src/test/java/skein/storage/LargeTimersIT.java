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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import skein.codecs.JsonText;
import skein.model.InstanceId;
import skein.model.Timer;

/** Timers whose payloads are large. */
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

  private static void make(Database database, String id, Map<String, Object> payload) {
    database
        .run(
            "make",
            """
            insert into timers (id, due_at, workflow_instance_id, kind, payload)
            values ($1, clock_timestamp() - interval '1 hour', 'i', 'Child', $2::text::json)
            """,
            Tuple.of(id, JsonText.print(payload)))
        .await();
  }

  @Test
  void large_payloads_are_left_out_of_a_page_and_read_when_they_are_needed(Database database) {
    var timers = new TimerStore(database);
    var small = Map.of("x", (Object) "small");
    var large = Map.of("x", numbers(10_000));
    var compressed = Map.of("x", (Object) Collections.nCopies(10_000, 1L));
    make(database, "a", small);
    make(database, "b", large);
    make(database, "c", compressed);

    var due = timers.due(TimerShard.ONLY, Duration.ZERO, Instant.EPOCH, "", 10).await();

    assertThat(due).extracting(Timer::id).containsExactly("a", "b", "c");
    assertThat(due.get(0).payload()).isEqualTo(small);
    assertThat(DeferredPayload.bytesOf(due.get(0))).isZero();
    assertThat(DeferredPayload.bytesOf(due.get(1))).isGreaterThan(100_000);
    assertThat(DeferredPayload.bytesOf(due.get(2))).isPositive();
    assertThat(payload(timers, due.get(0))).isEqualTo(small);
    assertThat(payload(timers, due.get(1))).isEqualTo(large);
    assertThat(payload(timers, due.get(2))).isEqualTo(compressed);

    timers.remove("b").await();
    assertThat(timers.whole(due.get(1)).await()).isNull();
  }

  private static Object payload(TimerStore timers, Timer timer) {
    var whole = timers.whole(timer).await();
    assertThat(whole).isNotNull();
    return whole == null || whole.payload() == null ? List.of() : whole.payload();
  }

  @Test
  void a_timer_that_is_told_of_waits_without_a_large_payload() {
    var small = new Timer("a", Samples.NOW, new InstanceId("i"), Timer.Kind.Child, Map.of("x", 1L));
    var large =
        new Timer("b", Samples.NOW, new InstanceId("i"), Timer.Kind.Child, "x".repeat(2_000));

    assertThat(DeferredPayload.of(small)).isSameAs(small);
    assertThat(DeferredPayload.bytesOf(DeferredPayload.of(large))).isGreaterThan(2_000);
    assertThat(DeferredPayload.of(large).id()).isEqualTo("b");
  }
}
