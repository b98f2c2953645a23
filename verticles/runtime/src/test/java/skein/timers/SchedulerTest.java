package skein.timers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import skein.model.InstanceId;
import skein.model.Timer;

/** One shard in virtual time: payloads of 10 KB each, of which 40 KB may be in memory. */
class SchedulerTest {
  private static final int PAYLOAD = 10_000;
  private static final int PAYLOADS_MAX = 4 * PAYLOAD;
  private static final Duration MILLISECOND = Duration.ofMillis(1);

  /** Two pages are read after 4 ms, and the first payload after 6 ms. */
  private static final Duration WHILE_READING = Duration.ofMillis(5);

  private static TimersOptions options(int batchMax) {
    return options(batchMax, 1, PAYLOADS_MAX);
  }

  private static TimersOptions options(int batchMax, int shards, long payloadBytesMax) {
    return new TimersOptions(
        Duration.ofSeconds(10),
        new TimersOptions.Reading(Duration.ofMillis(500), Duration.ofSeconds(5), batchMax),
        new TimersOptions.Firing(
            64,
            Duration.ofSeconds(2),
            Duration.ofSeconds(30),
            new TimersOptions.Payloads(payloadBytesMax, 50, Duration.ofMillis(20), 3)),
        shards,
        Duration.ofSeconds(60));
  }

  private static SimulatedShard shard(Function<Timer, Duration> time) {
    return new SimulatedShard(options(1_000), time);
  }

  private static Map<String, Object> large(int number) {
    return Map.of("x", ("" + number % 10).repeat(PAYLOAD));
  }

  private static InstanceId instance(String id) {
    return new InstanceId(id);
  }

  private static List<String> ids(List<SimulatedShard.Fired> fired) {
    return fired.stream().map(one -> one.timer().id()).toList();
  }

  @Test
  void large_payloads_are_in_memory_up_to_a_bound_and_all_are_fired_once_and_whole() {
    var shard = shard(_ -> Duration.ofMillis(20));
    for (int i = 0; i < 500; i++) {
      shard.add("t" + i, instance("a-" + i), shard.now().minusSeconds(1_000 - i), large(i));
    }

    shard.begin();
    shard.drain(Duration.ofMinutes(1));

    assertThat(shard.fired).hasSize(500);
    assertThat(ids(shard.fired)).isEqualTo(IntStream.range(0, 500).mapToObj(i -> "t" + i).toList());
    assertThat(shard.fired)
        .allSatisfy(one -> {
          int number = Integer.parseInt(one.timer().id().substring(1));
          assertThat(one.timer().payload()).isEqualTo(large(number));
        });
    assertThat(shard.payloadBytesMax)
        .isBetween((long) PAYLOADS_MAX, PAYLOADS_MAX + PAYLOAD + 1_000L);
  }

  @Test
  void a_payload_that_is_larger_than_the_bound_is_fired_too() {
    var shard = shard(_ -> MILLISECOND);
    var huge = Map.of("x", "y".repeat(10 * PAYLOADS_MAX));
    shard.add("t1", instance("a-1"), shard.now(), huge);
    shard.add("t2", instance("a-2"), shard.now(), huge);

    shard.begin();
    shard.drain(Duration.ofSeconds(5));

    assertThat(shard.payloadBytesMax).isLessThan(11 * PAYLOADS_MAX);
  }

  @Test
  void timers_of_an_instance_keep_their_order_whatever_their_payloads_take() {
    var shard = shard(_ -> Duration.ofMillis(3));
    for (int i = 0; i < 300; i++) {
      var payload = i % 3 == 0 || i % 7 == 0 ? large(i) : null;
      var id = "%d-%03d".formatted(i % 60, i);
      shard.add(id, instance("a-" + i % 60), shard.now().minusMillis(1_000 - i), payload);
    }

    shard.begin();
    shard.drain(Duration.ofMinutes(1));

    assertThat(shard.fired).hasSize(300);
    for (int i = 0; i < 60; i++) {
      var own = instance("a-" + i);
      assertThat(ids(shard.fired.stream().filter(f -> f.timer().instanceId().equals(own)).toList()))
          .isSorted()
          .hasSize(5);
    }
  }

  @Test
  void an_instance_that_is_slow_with_large_payloads_keeps_no_other_waiting() {
    var slow = instance("a-slow");
    var shard =
        shard(timer -> timer.instanceId().equals(slow) ? Duration.ofSeconds(30) : MILLISECOND);
    for (int i = 0; i < 6; i++) {
      shard.add("slow" + i, slow, shard.now().minusSeconds(100 - i), large(i));
    }
    for (int i = 0; i < 200; i++) {
      var payload = i % 2 == 0 ? large(i) : null;
      shard.add("t" + i, instance("a-" + i), shard.now().minusSeconds(10), payload);
    }

    shard.begin();
    shard.pass(Duration.ofSeconds(3));

    assertThat(ids(shard.fired)).hasSize(201).contains("slow0").doesNotContain("slow1");
    shard.drain(Duration.ofMinutes(5));
    assertThat(shard.fired).hasSize(206);
  }

  @Test
  void a_node_that_leads_no_more_when_a_payload_was_read_fires_nothing_and_forgets_no_order() {
    var shard = shard(_ -> MILLISECOND);
    var instance = instance("a-1");
    shard.add("t1", instance, shard.now(), large(1));
    shard.add("t2", instance, shard.now().plusMillis(1), null);
    shard.add("t3", instance, shard.now().plusMillis(2), large(3));
    shard.begin();
    shard.pass(WHILE_READING);
    shard.leads = false;
    shard.pass(Duration.ofSeconds(2));
    assertThat(shard.fired).isEmpty();

    shard.leads = true;
    shard.drain(Duration.ofSeconds(5));

    assertThat(ids(shard.fired)).containsExactly("t1", "t2", "t3");
  }

  @Test
  void a_payload_that_cannot_be_read_is_tried_later_and_holds_nobody_up() {
    var shard = shard(_ -> MILLISECOND);
    shard.unreadable.add("t1");
    shard.add("t1", instance("a-1"), shard.now(), large(1));
    shard.add("t2", instance("a-1"), shard.now().plusMillis(1), large(2));
    shard.add("t3", instance("a-2"), shard.now().plusMillis(1), large(3));

    shard.begin();
    shard.pass(Duration.ofMillis(200));
    assertThat(ids(shard.fired)).containsExactlyInAnyOrder("t2", "t3");
    shard.unreadable.clear();
    shard.drain(Duration.ofSeconds(5));

    assertThat(ids(shard.fired)).containsOnlyOnce("t1");
  }

  @Test
  void what_is_gone_or_postponed_when_its_payload_is_read_is_not_fired() {
    var shard = shard(_ -> MILLISECOND);
    var later = shard.now().plusSeconds(3);
    shard.add("gone", instance("a-1"), shard.now(), large(1));
    shard.add("later", instance("a-2"), shard.now(), large(2));
    shard.begin();
    shard.pass(WHILE_READING);
    shard.remove("gone");
    shard.postpone("later", later);

    shard.drain(Duration.ofSeconds(10));

    assertThat(ids(shard.fired)).containsExactly("later");
    assertThat(shard.fired.getFirst().at()).isAfterOrEqualTo(later);
  }

  @Test
  void fifty_pages_of_timers_of_one_definition_do_not_keep_those_of_others_waiting() {
    var shard = new SimulatedShard(options(200), _ -> Duration.ofMillis(100));
    var begin = shard.now();
    for (int i = 0; i < 10_000; i++) {
      shard.add("m%05d".formatted(i), instance("many-" + i), begin.minusMillis(60_000 - i), null);
    }
    for (int i = 0; i < 200; i++) {
      var instance = instance("few-" + i % 100);
      var payload = i % 10 == 0 ? large(i) : null;
      shard.add("f%04d".formatted(i), instance, begin.minusMillis(200 - i), payload);
    }
    shard.add("one", instance("one-1"), begin, null);

    shard.begin();
    shard.pass(Duration.ofSeconds(5));
    assertThat(shard.firedOf("one")).as("after 50 pages, ten at each poll").hasSize(1);
    var told = shard.now();
    shard.addTold("told", instance("told-1"), told);
    shard.pass(Duration.ofSeconds(5));
    assertThat(shard.firedOf("told")).hasSize(1);
    // 64 in 100 ms are 6,400 in 10 s.
    assertThat(shard.firedOf("few")).hasSize(200);
    assertThat(shard.firedOf("many")).hasSizeGreaterThan(5_500);
    shard.drain(Duration.ofMinutes(2));
    assertThat(shard.fired).hasSize(10_202);
    assertThat(shard.firedOf("many")).isSorted().doesNotHaveDuplicates();
    var few = shard.fired.stream().filter(f -> f.timer().id().startsWith("f")).toList();
    for (int i = 0; i < 100; i++) {
      var own = instance("few-" + i);
      assertThat(ids(few.stream().filter(f -> f.timer().instanceId().equals(own)).toList()))
          .isSorted()
          .hasSize(2);
    }
  }

  @Test
  void many_definitions_take_turns_and_none_is_left_to_the_end() {
    var shard = new SimulatedShard(options(100), _ -> Duration.ofMillis(100));
    var begin = shard.now();
    for (int i = 0; i < 8_000; i++) {
      shard.add("m%05d".formatted(i), instance("many-" + i), begin.minusMillis(60_000 - i), null);
    }
    for (int definition = 0; definition < 200; definition++) {
      for (int i = 0; i < 10; i++) {
        var instance = instance("d" + definition + "-" + i);
        shard.add("d%d %d".formatted(definition, i), instance, begin.minusMillis(10 - i), null);
      }
    }

    shard.begin();
    shard.pass(Duration.ofSeconds(10));

    for (int definition = 0; definition < 200; definition++) {
      assertThat(shard.firedOf("d" + definition)).as("definition " + definition).isNotEmpty();
    }
  }

  @Test
  void timers_ahead_of_those_of_a_large_definition_keep_the_order_of_their_instances() {
    var shard = new SimulatedShard(options(100), _ -> Duration.ofMillis(100));
    var begin = shard.now();
    for (int i = 0; i < 6_000; i++) {
      var due = begin.minusMillis(60_000 - 10L * i);
      shard.add("m%04d".formatted(i), instance("many-" + i), due, null);
      if (i % 20 == 0) {
        shard.add("f%04d".formatted(i), instance("few-" + i / 20 % 60), due.plusMillis(1), null);
      }
    }

    shard.begin();
    shard.drain(Duration.ofMinutes(1));

    assertThat(shard.firedOf("few")).hasSize(300);
    var few = shard.fired.stream().filter(f -> f.timer().id().startsWith("f")).toList();
    for (int i = 0; i < 60; i++) {
      var own = instance("few-" + i);
      assertThat(ids(few.stream().filter(f -> f.timer().instanceId().equals(own)).toList()))
          .as("instance " + i)
          .isSorted()
          .hasSize(5);
    }
  }

  @Test
  void what_is_told_while_the_cursor_is_late_is_not_fired_before_older_ones_of_its_instance() {
    var shard = new SimulatedShard(options(100), _ -> Duration.ofMillis(100));
    var begin = shard.now();
    for (int i = 0; i < 6_000; i++) {
      shard.add("m%04d".formatted(i), instance("many-" + i), begin.minusMillis(60_000 - i), null);
    }
    var instance = instance("few-1");
    for (int i = 0; i < 5; i++) {
      shard.add("f" + i, instance, begin.minusMillis(5 - i), null);
    }

    shard.begin();
    for (int i = 5; i < 30; i++) {
      shard.pass(Duration.ofMillis(190));
      shard.addTold("f" + i, instance, shard.now());
    }
    shard.drain(Duration.ofMinutes(1));

    assertThat(shard.firedOf("few"))
        .containsExactlyElementsOf(IntStream.range(0, 30).mapToObj(i -> "f" + i).toList());
  }

  @Test
  void without_a_backlog_definitions_are_not_asked_for_and_pages_are_as_few_as_ever() {
    var shard = shard(_ -> MILLISECOND);
    for (int i = 0; i < 100; i++) {
      shard.add("t" + i, instance("a-" + i), shard.now().plusMillis(i * 10L), null);
    }

    shard.begin();
    shard.drain(Duration.ofSeconds(5));

    // Two for each poll: on from the cursor, and what lies behind it.
    assertThat(shard.pagesRead).isLessThanOrEqualTo(2 * 4);
  }

  @Test
  void a_timer_is_never_early() {
    var shard = shard(_ -> MILLISECOND);
    for (int i = 0; i < 200; i++) {
      var payload = i % 2 == 0 ? large(i) : null;
      shard.add("t" + i, instance("a-" + i % 20), shard.now().plusMillis(i * 5L), payload);
    }

    shard.begin();
    shard.drain(Duration.ofSeconds(10));

    assertThat(shard.fired)
        .allSatisfy(one -> assertThat(one.at()).isAfterOrEqualTo(one.timer().dueAt()));
    assertThat(latest(shard)).isLessThan(Duration.ofMillis(500));
  }

  private static Duration latest(SimulatedShard shard) {
    return shard.fired.stream()
        .map(one -> Duration.between(one.timer().dueAt(), one.at()))
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }
}
