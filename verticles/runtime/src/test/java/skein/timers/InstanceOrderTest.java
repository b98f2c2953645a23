package skein.timers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import skein.model.InstanceId;

/**
 * Timers of one instance are sent in the order in which they are due, whatever its part of the
 * memory is, as far as they are in the index or were announced when the earlier ones are due. In
 * virtual time: of one instance six are known at a time.
 */
class InstanceOrderTest {
  private static SimulatedShard shard(int batchMax, int firingMillis) {
    var options =
        new TimersOptions(
            Duration.ofSeconds(10),
            new TimersOptions.Reading(Duration.ofMillis(500), Duration.ofSeconds(5), batchMax),
            new TimersOptions.Firing(
                64,
                Duration.ofSeconds(2),
                Duration.ofSeconds(30),
                new TimersOptions.Payloads(1 << 20, 50, Duration.ofMillis(20), 3)),
            1,
            Duration.ofSeconds(60));
    return new SimulatedShard(options, _ -> Duration.ofMillis(firingMillis));
  }

  private static InstanceId instance(String id) {
    return new InstanceId(id);
  }

  private static List<String> names(int count) {
    return IntStream.range(0, count).mapToObj("f%03d"::formatted).toList();
  }

  @Test
  void an_instance_with_more_than_its_part_keeps_its_order_from_page_to_page() {
    var shard = shard(20, 5);
    var begin = shard.now();
    for (int i = 0; i < 200; i++) {
      shard.add("f%03d".formatted(i), instance("few-1"), begin.minusMillis(10_000 - 10L * i), null);
      shard.add("m%03d".formatted(i), instance("m-" + i), begin.minusMillis(9_995 - 10L * i), null);
    }

    shard.begin();
    shard.drain(Duration.ofMinutes(1));

    assertThat(shard.firedOf("few")).containsExactlyElementsOf(names(200));
  }

  @Test
  void what_is_announced_waits_for_those_of_its_instance_that_had_no_room() {
    var shard = shard(100, 100);
    var begin = shard.now();
    for (int i = 0; i < 30; i++) {
      shard.add("f%03d".formatted(i), instance("few-1"), begin.minusMillis(100 - i), null);
    }

    shard.begin();
    for (int i = 30; i < 60; i++) {
      shard.pass(Duration.ofMillis(17));
      shard.addTold("f%03d".formatted(i), instance("few-1"), shard.now());
    }
    shard.drain(Duration.ofMinutes(1));

    assertThat(shard.firedOf("few")).containsExactlyElementsOf(names(60));
  }

  @Test
  void what_is_announced_before_the_first_page_is_not_fired_before_older_ones() {
    var shard = shard(100, 5);
    for (int i = 0; i < 3; i++) {
      shard.add("f%03d".formatted(i), instance("few-1"), shard.now().minusMillis(100 - i), null);
    }

    shard.begin();
    shard.addTold("f003", instance("few-1"), shard.now());
    shard.drain(Duration.ofSeconds(5));

    assertThat(shard.firedOf("few")).containsExactlyElementsOf(names(4));
  }

  @Test
  void an_earlier_one_takes_the_place_of_the_latest_of_its_instance() {
    var shard = shard(100, 5);
    var begin = shard.now();
    shard.begin();
    shard.pass(Duration.ofMillis(20));
    for (int i = 20; i < 40; i++) {
      shard.addTold("f%03d".formatted(i), instance("few-1"), begin.plusMillis(1_000 + i));
    }
    for (int i = 0; i < 20; i++) {
      shard.addTold("f%03d".formatted(i), instance("few-1"), begin.plusMillis(1_000 + i));
    }
    shard.drain(Duration.ofSeconds(10));

    assertThat(shard.firedOf("few")).containsExactlyElementsOf(names(40));
  }

  /** The first page that is read on is on its way from the 14th to the 24th millisecond. */
  @ParameterizedTest
  @ValueSource(ints = {1, 5, 11, 13, 15, 16, 18, 20, 22, 23, 25, 27, 30, 35, 40})
  void what_is_announced_while_a_page_is_read_is_fired_before_later_ones_of_that_page(int millis) {
    var shard = shard(20, 5);
    shard.pageDelay = Duration.ofMillis(10);
    var begin = shard.now();
    for (int i = 0; i < 19; i++) {
      shard.add("m%02d".formatted(i), instance("m-" + i), begin.minusMillis(1_000 - i), null);
    }
    shard.add("f001", instance("few-1"), begin.minusMillis(10), null);
    for (int i = 20; i < 60; i++) {
      shard.add("m%02d".formatted(i), instance("m-" + i), begin.minusMillis(5), null);
    }

    shard.begin();
    shard.pass(Duration.ofMillis(millis));
    boolean isBefore = shard.firedOf("few").isEmpty();
    shard.addTold("f000", instance("few-1"), begin.minusMillis(20));
    shard.drain(Duration.ofSeconds(10));

    assertThat(isBefore).isEqualTo(millis < 24);
    assertThat(shard.firedOf("few"))
        .containsExactlyElementsOf(isBefore ? names(2) : names(2).reversed());
  }

  @Test
  void what_is_announced_while_a_page_is_read_is_fired_as_soon_as_it_is_there() {
    var shard = shard(20, 5);
    shard.pageDelay = Duration.ofMillis(10);
    var begin = shard.now();
    for (int i = 0; i < 60; i++) {
      shard.add("m%02d".formatted(i), instance("m-" + i), begin.minusMillis(500 - i), null);
    }
    shard.begin();
    shard.pass(Duration.ofMillis(18));
    shard.addTold("f000", instance("few-1"), begin.minusMillis(490));

    shard.pass(Duration.ofMillis(10));

    assertThat(shard.firedOf("few")).hasSize(1);
  }

  @Test
  void what_is_due_while_all_is_known_waits_for_no_page() {
    var shard = shard(20, 5);
    shard.begin();
    shard.pass(Duration.ofMillis(503)); // A look behind has ended, and it reads on.
    shard.pageDelay = Duration.ofSeconds(30);
    shard.pass(Duration.ofMillis(50));

    shard.addTold("f000", instance("few-1"), shard.now());
    shard.pass(Duration.ofMillis(5));

    assertThat(shard.firedOf("few")).hasSize(1);
  }

  /** The pages have twenty timers, and so many of those that are announced are kept. */
  @ParameterizedTest
  @ValueSource(ints = {13, 15, 17, 19, 21, 23})
  void more_than_a_page_may_be_announced_while_one_is_read(int millis) {
    var shard = shard(20, 5);
    shard.pageDelay = Duration.ofMillis(10);
    var begin = shard.now();
    for (int i = 0; i < 100; i++) {
      var due = begin.minusMillis(500 - 5 * i);
      if (i % 10 == 0 || i >= 60) {
        shard.add("m%02d".formatted(i), instance("m-" + i), due, null);
      } else if (i % 10 == 5) {
        shard.add("f%03d".formatted(i), instance("few-1"), due, null);
      }
    }
    shard.begin();
    shard.pass(Duration.ofMillis(millis));
    for (int i = 59; i >= 0; i--) {
      if (i % 10 != 5) {
        var id = "f%03d".formatted(i);
        shard.addTold(id, instance("few-1"), begin.minusMillis(500 - 5 * i));
      }
    }
    shard.drain(Duration.ofSeconds(10));

    assertThat(shard.firedOf("few")).containsExactlyElementsOf(names(60));
  }

  @Test
  void a_page_ends_where_an_announced_timer_has_no_room() {
    var shard = shard(20, 5);
    shard.pageDelay = Duration.ofMillis(10);
    var begin = shard.now();
    shard.add("f001", instance("few-1"), begin.minusMillis(100), null);
    for (int i = 0; i < 50; i++) {
      shard.add("m%02d".formatted(i), instance("m-" + i), begin.minusMillis(50 - i), null);
    }

    shard.begin();
    shard.pass(Duration.ofMillis(18));
    for (int i = 0; i < 25; i++) {
      shard.addTold("a%02d".formatted(i), instance("a-" + i), begin.minusMillis(500 - i));
    }
    shard.addTold("f000", instance("few-1"), begin.minusMillis(200));
    shard.drain(Duration.ofSeconds(10));

    assertThat(shard.firedOf("few")).containsExactlyElementsOf(names(2));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
  void in_a_backlog_of_others_each_instance_keeps_its_order_beyond_its_part(long seed) {
    assertOrderInBacklog(seed, Duration.ZERO);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
  void in_a_backlog_that_is_read_slowly_it_does_so_too(long seed) {
    assertOrderInBacklog(seed, Duration.ofMillis(1 + seed * 3));
  }

  private static void assertOrderInBacklog(long seed, Duration pageDelay) {
    var random = new Random(seed);
    var shard = shard(20 + random.nextInt(100), 1 + random.nextInt(100));
    shard.pageDelay = pageDelay;
    var begin = shard.now();
    for (int i = 0; i < 2_000; i++) {
      shard.add("m%04d".formatted(i), instance("m-" + i), begin.minusMillis(60_000 - i), null);
    }
    var next = new int[5];
    for (int i = 0; i < 250; i++) {
      int own = random.nextInt(5);
      var payload = random.nextInt(4) == 0 ? Map.of("x", "y".repeat(2_000)) : null;
      var id = "f%d-%03d".formatted(own, next[own]++);
      var due = begin.minusMillis(60_000 - 11L * i);
      shard.add(id, instance("few" + own + "-1"), due, payload);
    }

    shard.begin();
    for (int i = 0; i < 250; i++) {
      shard.pass(Duration.ofMillis(random.nextInt(20)));
      int own = random.nextInt(5);
      var id = "f%d-%03d".formatted(own, next[own]++);
      shard.addTold(id, instance("few" + own + "-1"), shard.now());
    }
    shard.drain(Duration.ofMinutes(5));

    for (int own = 0; own < 5; own++) {
      var expected = new ArrayList<String>();
      for (int i = 0; i < next[own]; i++) {
        expected.add("f%d-%03d".formatted(own, i));
      }
      assertThat(shard.firedOf("few" + own)).containsExactlyElementsOf(expected);
    }
  }
}
