package skein.timers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import skein.model.DerivedIds;
import skein.model.InstanceId;
import skein.model.Timer;

/** Payloads that are read when their timers are fired, in virtual time: 10 KB each. */
class LargePayloadsTest {
  private static final int PAYLOAD = 10_000;
  private static final int PAYLOADS_MAX = 4 * PAYLOAD;
  private static final Duration MILLISECOND = Duration.ofMillis(1);

  private static SimulatedShard shard(
      int shards, long bytesMax, int inFlightMax, Function<Timer, Duration> time) {
    var options =
        new TimersOptions(
            Duration.ofSeconds(10),
            new TimersOptions.Reading(Duration.ofMillis(500), Duration.ofSeconds(5), 1_000),
            new TimersOptions.Firing(
                inFlightMax,
                Duration.ofSeconds(2),
                Duration.ofSeconds(30),
                new TimersOptions.Payloads(bytesMax, 50, Duration.ofMillis(20), 3)),
            shards,
            Duration.ofSeconds(60));
    return new SimulatedShard(options, time);
  }

  private static Map<String, Object> large(int number) {
    return Map.of("x", ("" + number % 10).repeat(PAYLOAD));
  }

  private static InstanceId instance(String id) {
    return new InstanceId(id);
  }

  private static List<String> ids(SimulatedShard shard) {
    return shard.fired.stream().map(one -> one.timer().id()).toList();
  }

  private static void addMany(SimulatedShard shard, String definition, int count) {
    for (int i = 0; i < count; i++) {
      var due = shard.now().minusSeconds(1_000 - i);
      shard.add(definition + i, instance(definition + "-" + i), due, large(i));
    }
  }

  @Test
  void definitions_take_turns_with_large_payloads_too() {
    var shard = shard(1, PAYLOADS_MAX, 64, _ -> Duration.ofMillis(20));
    addMany(shard, "many", 900);
    shard.begin();
    shard.pass(Duration.ofMillis(500));
    for (int i = 0; i < 20; i++) {
      shard.add("few" + i, instance("few-" + i), shard.now(), large(i));
    }

    shard.pass(Duration.ofSeconds(1));

    assertThat(shard.firedOf("few")).hasSize(20);
    assertThat(shard.firedOf("many")).hasSizeBetween(100, 400);
    shard.drain(Duration.ofMinutes(1));
    assertThat(shard.firedOf("many"))
        .containsExactlyElementsOf(IntStream.range(0, 900).mapToObj(i -> "many" + i).toList());
  }

  @Test
  void many_payloads_are_read_by_few_statements() {
    var shard = shard(1, 16 << 20, 64, _ -> MILLISECOND);
    addMany(shard, "a", 1_000);

    shard.begin();
    shard.drain(Duration.ofMillis(500));

    assertThat(shard.fired).hasSize(1_000);
    assertThat(shard.payloadReads).isLessThan(200);
    assertThat(shard.budgetTaken()).isZero();
  }

  @Test
  void those_that_do_not_fit_after_all_are_put_back_and_read_again() {
    var shard = shard(1, PAYLOADS_MAX, 64, _ -> MILLISECOND);
    for (int i = 0; i < 100; i++) {
      shard.add("t%02d".formatted(i), instance("a-" + i), shard.now().minusMillis(200 - i), null);
      shard.remove("t%02d".formatted(i));
      var stored = Map.of("sealed", "y".repeat(2_000));
      shard.add("t%02d".formatted(i), instance("a-" + i), shard.now().minusMillis(200 - i), stored);
      shard.clear.put("t%02d".formatted(i), large(i));
    }

    shard.begin();
    shard.drain(Duration.ofSeconds(5));

    assertThat(ids(shard)).hasSize(100).doesNotHaveDuplicates();
    assertThat(shard.fired).allSatisfy(one -> assertThat(one.timer().payload()).isNotNull());
    assertThat(shard.payloadBytesMax)
        .as("as they are in memory, not as they are stored")
        .isBetween((long) PAYLOADS_MAX, PAYLOADS_MAX + PAYLOAD + 1_000L);
    assertThat(shard.budgetTaken()).isZero();
  }

  @Test
  void encrypted_payloads_take_what_their_clear_text_takes_though_it_is_shorter() {
    var shard = shard(1, 10_000, 64, _ -> Duration.ofMillis(50));
    for (int i = 0; i < 8; i++) {
      var stored = Map.of("sealed", "y".repeat(8_000));
      shard.add("t" + i, instance("a-" + i), shard.now(), stored);
      shard.clear.put("t" + i, Map.of("x", "z".repeat(2_000)));
    }

    shard.begin();
    shard.pass(Duration.ofMillis(45));

    assertThat(shard.fired).as("of 2 KB each in 10 KB").hasSizeBetween(4, 5);
    shard.drain(Duration.ofSeconds(5));
    assertThat(shard.budgetTaken()).isZero();
  }

  @Test
  void a_payload_that_could_not_be_read_is_read_again_soon_and_its_instance_keeps_its_order() {
    var shard = shard(1, PAYLOADS_MAX, 64, _ -> MILLISECOND);
    shard.failingReads = 3;
    shard.add("t1", instance("a-1"), shard.now(), large(1));
    shard.add("t2", instance("a-1"), shard.now().plusMillis(1), null);
    shard.add("t3", instance("a-1"), shard.now().plusMillis(2), large(3));

    shard.begin();
    shard.drain(Duration.ofMillis(400));

    assertThat(ids(shard)).containsExactly("t1", "t2", "t3");
    assertThat(shard.backedOff).isEmpty();
    assertThat(shard.putOff).isEmpty();
    assertThat(shard.budgetTaken()).isZero();
  }

  @Test
  void a_payload_that_cannot_be_read_is_put_off_without_counting_as_a_failure() {
    var shard = shard(1, PAYLOADS_MAX, 64, _ -> MILLISECOND);
    shard.unreadable.add("t1");
    for (int i = 0; i < 20; i++) {
      shard.add("t" + i, instance("a-" + i), shard.now(), large(i));
    }

    shard.begin();
    shard.pass(Duration.ofMillis(300));

    assertThat(ids(shard)).hasSize(19).doesNotContain("t1");
    assertThat(shard.backedOff).isEmpty();
    assertThat(shard.putOff).containsExactly("t1");
    shard.unreadable.clear();
    shard.drain(Duration.ofSeconds(5));
    assertThat(ids(shard)).containsOnlyOnce("t1");
    assertThat(shard.budgetTaken()).isZero();
  }

  @Test
  void what_could_not_be_read_and_what_had_no_room_give_their_slots_back() {
    var shard = shard(1, PAYLOADS_MAX, 2, _ -> MILLISECOND);
    shard.failingReads = 4;
    addMany(shard, "a", 30);

    shard.begin();
    shard.drain(Duration.ofSeconds(2));

    assertThat(ids(shard)).hasSize(30).doesNotHaveDuplicates();
  }

  @Test
  void one_shard_may_use_the_memory_of_all_and_all_together_no_more() {
    var alone = shard(4, PAYLOADS_MAX, 256, _ -> Duration.ofMillis(20));
    var together = shard(4, PAYLOADS_MAX, 256, _ -> Duration.ofMillis(20));
    alone.begin();
    together.begin();
    alone.pass(MILLISECOND);
    together.pass(MILLISECOND);
    for (int i = 0; i < 400; i++) {
      var instance = instance("a-" + i);
      if (alone.shardOf(instance) == 0) {
        alone.add("t" + i, instance, alone.now().minusSeconds(1), large(i));
      }
      together.add("t" + i, instance, together.now().minusSeconds(1), large(i));
    }

    alone.drain(Duration.ofMinutes(1));
    together.drain(Duration.ofMinutes(1));

    assertThat(alone.payloadBytesMax).isBetween((long) PAYLOADS_MAX, PAYLOADS_MAX + 11_000L);
    assertThat(together.fired).hasSize(400);
    assertThat(together.payloadBytesMax)
        .as("one for each shard that reads")
        .isBetween((long) PAYLOADS_MAX, PAYLOADS_MAX + 4 * 11_000L);
    assertThat(alone.budgetTaken()).isZero();
    assertThat(together.budgetTaken()).isZero();
  }

  @Test
  void a_shard_with_few_waits_for_no_other_one_and_one_that_ends_holds_up_none() {
    var shard = shard(4, PAYLOADS_MAX, 256, _ -> Duration.ofMillis(100));
    shard.begin();
    shard.pass(MILLISECOND);
    for (int i = 0; i < 2_000; i++) {
      var instance = instance("many-" + i);
      if (shard.shardOf(instance) <= 1) {
        shard.add("m" + i, instance, shard.now().minusSeconds(100), large(i));
      }
    }
    shard.pass(Duration.ofSeconds(1));
    int few = 0;
    for (int i = 0; few < 10; i++) {
      var instance = instance("few-" + i);
      if (shard.shardOf(instance) == 2) {
        shard.add("f" + i, instance, shard.now(), large(i));
        few++;
      }
    }
    shard.end(1);
    shard.pass(Duration.ofMillis(1_500));

    assertThat(shard.firedOf("few")).hasSize(10);
    assertThat(shard.firedOf("many")).hasSizeGreaterThan(60);
  }

  @Test
  void timers_with_and_without_large_payloads_leave_each_other_slots() {
    var shard = shard(1, 16 << 20, 16, _ -> Duration.ofMillis(50));
    addMany(shard, "large", 400);
    for (int i = 0; i < 400; i++) {
      shard.add("s" + i, instance("small-" + i), shard.now().minusSeconds(1_000 - i), null);
    }

    shard.begin();
    shard.pass(Duration.ofSeconds(1));

    // 16 in 50 ms are 320 in a second.
    assertThat(shard.firedOf("large")).hasSizeGreaterThan(70);
    assertThat(shard.firedOf("small")).hasSizeGreaterThan(70);
    assertThat(shard.fired).hasSizeGreaterThan(260);
    shard.drain(Duration.ofMinutes(1));
  }

  /** Adds so many of instances in that shard, due then; their definition is what ids begin with. */
  private static void addTo(
      SimulatedShard shard, int number, String definition, int count, Instant due, int size) {
    int added = 0;
    for (int i = 0; added < count; i++) {
      var instance = instance(definition + "-" + i);
      if (shard.shardOf(instance) == number) {
        var payload = size == 0 ? null : Map.of("x", "y".repeat(size));
        shard.add(definition + added, instance, due, payload);
        added++;
      }
    }
  }

  @Test
  void a_shard_without_free_slots_leaves_the_memory_to_others() {
    var shard =
        shard(2, PAYLOADS_MAX, 6, timer -> Duration.ofMillis(isHanging(timer) ? 3_600_000 : 50));
    var begin = shard.now();
    addTo(shard, 0, "first", 3, begin.minusSeconds(20), PAYLOAD);
    addTo(shard, 0, "hanging", 6, begin.minusSeconds(10), 0);
    addTo(shard, 1, "other", 20, begin.minusSeconds(10), PAYLOAD);

    shard.begin();
    shard.pass(Duration.ofSeconds(5));

    assertThat(shard.firedOf("hanging")).as("all slots of the shard").hasSize(3);
    assertThat(shard.firedOf("first")).as("which has some left to read").hasSizeLessThan(3);
    assertThat(shard.firedOf("other")).hasSize(20);
    assertThat(shard.payloadBytesMax).isGreaterThan(3 * PAYLOAD);
    assertThat(shard.budgetTaken()).isZero();
  }

  private static boolean isHanging(Timer timer) {
    return timer.id().startsWith("hanging");
  }

  @Test
  void a_shard_whose_payloads_are_never_done_holds_up_no_other_one() {
    var shard =
        shard(2, PAYLOADS_MAX, 64, timer -> Duration.ofMillis(isHanging(timer) ? 3_600_000 : 1));
    addTo(shard, 0, "hanging", 40, shard.now().minusSeconds(10), PAYLOAD);
    shard.begin();
    shard.pass(Duration.ofSeconds(1));
    assertThat(shard.budgetTaken()).isGreaterThanOrEqualTo(PAYLOADS_MAX);

    addTo(shard, 1, "quick", 20, shard.now(), PAYLOAD);
    shard.pass(Duration.ofSeconds(2));

    assertThat(shard.firedOf("quick")).hasSize(20);
    assertThat(shard.payloadBytesMax).isLessThan(PAYLOADS_MAX + 2 * 11_000L);
  }

  @Test
  void tenants_take_turns_with_large_payloads_however_many_definitions_one_has() {
    var shard = shard(1, PAYLOADS_MAX, 64, _ -> Duration.ofMillis(20));
    for (int i = 0; i < 900; i++) {
      var due = shard.now().minusSeconds(1_000 - i);
      shard.add("m" + i, instance("many_d" + i + "-1"), due, large(i));
    }
    shard.begin();
    shard.pass(Duration.ofMillis(500));
    for (int i = 0; i < 20; i++) {
      shard.add("o" + i, instance("one_e-" + i), shard.now(), large(i));
    }

    shard.pass(Duration.ofSeconds(1));

    assertThat(shard.firedOfTenant("one")).hasSize(20);
    assertThat(shard.firedOfTenant("many")).hasSizeBetween(100, 400);
  }

  @Test
  void tenants_take_turns_with_starts_of_instances_with_large_payloads() {
    var shard = shard(1, PAYLOADS_MAX, 64, _ -> Duration.ofMillis(20));
    shard.hasInstances = false;
    for (int i = 0; i < 900; i++) {
      var due = shard.now().minusSeconds(1_000 - i);
      shard.add("m" + i, DerivedIds.of("many", "m" + i), due, large(i));
    }
    shard.begin();
    shard.pass(Duration.ofMillis(500));
    for (int i = 0; i < 20; i++) {
      shard.add("o" + i, DerivedIds.of("one", "o" + i), shard.now(), large(i));
      shard.add("d" + i, DerivedIds.of("", "d" + i), shard.now(), large(i));
    }

    shard.pass(Duration.ofSeconds(1));

    var fired = shard.fired.stream().map(one -> one.timer().id()).toList();
    assertThat(fired).filteredOn(id -> id.startsWith("o")).hasSize(20);
    assertThat(fired).filteredOn(id -> id.startsWith("d")).hasSize(20);
    assertThat(fired).filteredOn(id -> id.startsWith("m")).hasSizeBetween(100, 400);
  }

  @Test
  void tenants_take_turns_in_a_backlog_with_ever_new_definitions() {
    var shard = shard(1, PAYLOADS_MAX, 10, _ -> Duration.ofMillis(10));
    for (int i = 0; i < 12_000; i++) {
      var due = shard.now().minusSeconds(20_000 - i);
      shard.add("m" + i, instance("many_d" + i + "-1"), due, null);
    }
    for (int i = 0; i < 100; i++) {
      shard.add("o" + i, instance("one_e-" + i), shard.now().minusMillis(200 - i), null);
    }

    shard.begin();
    shard.pass(Duration.ofSeconds(3));

    // A thousand in a second.
    assertThat(shard.fired).hasSizeGreaterThan(2_000);
    assertThat(shard.firedOfTenant("one")).hasSize(100);
  }
}
