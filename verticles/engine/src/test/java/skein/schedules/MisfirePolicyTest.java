package skein.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import skein.model.Timetable.Misfire;

/** Hourly from midnight on; no node runs from 00:30 to 05:10. */
class MisfirePolicyTest {
  private static final Instant MIDNIGHT = Instant.parse("2026-05-01T00:00:00Z");
  private static final Instant BACK = at(5).plus(Duration.ofMinutes(10));

  private static Instant at(int hour) {
    return MIDNIGHT.plus(Duration.ofHours(hour));
  }

  private static List<Instant> hours(int... hours) {
    return IntStream.of(hours).mapToObj(MisfirePolicyTest::at).toList();
  }

  private static VirtualLeader afterOutage(Misfire misfire, int catchUpMax) {
    var hourly = Timetables.cron("0 0 * * * ?", "UTC");
    var leader = new VirtualLeader(MIDNIGHT);
    leader.add("s", Timetables.with(hourly, misfire, catchUpMax));
    leader.advanceTo(MIDNIGHT.plus(Duration.ofMinutes(30)));
    leader.outage(BACK);
    leader.advanceTo(at(7));
    return leader;
  }

  @Test
  void once_starts_the_latest_for_all_that_were_missed() {
    var leader = afterOutage(Misfire.FireOnce, 100);

    assertThat(leader.startedAt()).containsExactlyElementsOf(hours(0, 5, 6, 7));
    assertThat(leader.get("s").state().counts().missed()).isEqualTo(4);
  }

  @Test
  void all_starts_each_in_order() {
    var leader = afterOutage(Misfire.FireAll, 100);

    assertThat(leader.startedAt()).containsExactlyElementsOf(hours(0, 1, 2, 3, 4, 5, 6, 7));
    assertThat(leader.get("s").state().counts().missed()).isZero();
  }

  @Test
  void all_up_to_a_bound_starts_the_latest_of_them() {
    var leader = afterOutage(Misfire.FireAll, 2);

    assertThat(leader.startedAt()).containsExactlyElementsOf(hours(0, 4, 5, 6, 7));
    assertThat(leader.get("s").state().counts().missed()).isEqualTo(3);
  }

  @Test
  void skip_starts_none_of_them() {
    var leader = afterOutage(Misfire.Skip, 100);

    assertThat(leader.startedAt()).containsExactlyElementsOf(hours(0, 6, 7));
    assertThat(leader.get("s").state().counts().missed()).isEqualTo(5);
  }

  @ParameterizedTest
  @EnumSource(Misfire.class)
  void what_is_no_later_than_the_threshold_is_not_missed(Misfire misfire) {
    var leader = new VirtualLeader(MIDNIGHT);
    var every = Timetables.every(Duration.ofSeconds(20), MIDNIGHT);
    leader.add("s", Timetables.with(every, misfire, 100));
    leader.outage(MIDNIGHT.plus(VirtualLeader.THRESHOLD));

    leader.advanceTo(leader.now);

    assertThat(leader.startedAt())
        .containsExactly(
            MIDNIGHT, MIDNIGHT.plusSeconds(20), MIDNIGHT.plusSeconds(40), MIDNIGHT.plusSeconds(60));
  }

  @Test
  void what_is_just_over_the_threshold_is_missed_and_what_came_after_it_is_not() {
    var leader = new VirtualLeader(MIDNIGHT);
    var every = Timetables.every(Duration.ofSeconds(20), MIDNIGHT);
    leader.add("s", Timetables.with(every, Misfire.Skip, 100));
    leader.outage(MIDNIGHT.plus(VirtualLeader.THRESHOLD).plusMillis(1));

    leader.advanceTo(leader.now);

    assertThat(leader.startedAt())
        .containsExactly(
            MIDNIGHT.plusSeconds(20), MIDNIGHT.plusSeconds(40), MIDNIGHT.plusSeconds(60));
  }

  @ParameterizedTest
  @CsvSource({"FireOnce,1", "FireAll,1", "Skip,0"})
  void a_single_date_that_was_missed_starts_unless_it_is_skipped(Misfire misfire, int starts) {
    var leader = new VirtualLeader(MIDNIGHT);
    leader.add("s", Timetables.with(Timetables.dates("2026-05-01T03:00Z"), misfire, 100));
    leader.outage(at(48));

    leader.advanceTo(leader.now);

    assertThat(leader.startedAt()).hasSize(starts);
    assertThat(leader.get("s").state().nextAt()).isNull();
    assertThat(leader.pendingTimers()).isZero();
  }

  @Test
  void years_without_a_node_take_no_longer_than_a_day() {
    for (var misfire : Misfire.values()) {
      var leader = new VirtualLeader(MIDNIGHT);
      leader.add("s", Timetables.with(Timetables.cron("* * * * * ?", "UTC"), misfire, 3));
      leader.outage(at(24 * 365 * 5));

      leader.advanceTo(leader.now);

      int expected =
          switch (misfire) {
            case FireOnce -> 1;
            case FireAll -> 3;
            case Skip -> 61;
          };
      assertThat(leader.started).hasSize(expected);
      assertThat(leader.startedAt().getLast()).isEqualTo(leader.now);
    }
  }

  @ParameterizedTest
  @CsvSource({"FireOnce,1,1", "FireAll,2,3", "Skip,59,61"})
  void nor_do_they_with_much_jitter(Misfire misfire, int least, int most) {
    var jittered =
        Timetables.jittered(Timetables.cron("* * * * * ?", "UTC"), Duration.ofDays(365 * 5));
    var leader = new VirtualLeader(MIDNIGHT);
    leader.add("s", Timetables.with(jittered, misfire, 3));
    leader.outage(at(24 * 365 * 5));

    leader.advanceTo(leader.now);

    assertThat(leader.started).hasSizeBetween(least, most);
    assertThat(leader.startedAt().getLast()).isAfterOrEqualTo(leader.now.minusSeconds(1));
    var rules = ScheduleRules.of(jittered);
    assertThat(leader.startedAt())
        .allSatisfy(at ->
            assertThat(rules.dueAt("s", at))
                .isBetween(leader.now.minus(VirtualLeader.THRESHOLD).minusSeconds(2), leader.now));
  }

  @Test
  void a_thousand_recurring_and_many_single_ones_are_caught_up_in_due_order() {
    var leader = new VirtualLeader(MIDNIGHT);
    var policies = List.of(Misfire.FireOnce, Misfire.FireAll, Misfire.Skip);
    for (int i = 0; i < 1_000; i++) {
      var every = Timetables.every(Duration.ofHours(4), MIDNIGHT.plusSeconds(i % 60 * 40L + 20));
      leader.add("r" + i, Timetables.with(every, policies.get(i % 3), 100));
    }
    for (int i = 0; i < 2_000; i++) {
      leader.add("o" + i, Timetables.dates(MIDNIGHT.plusSeconds(40L * i + 1).toString()));
    }
    leader.outage(at(24).plus(Duration.ofMinutes(90)));

    leader.advanceTo(leader.now);

    assertThat(count(leader, "o")).isEqualTo(2_000);
    assertThat(count(leader, "r")).isEqualTo(334 + 333 * 7);
    var singles = leader.startedAt().stream().filter(at -> at.getEpochSecond() % 40 == 1).toList();
    assertThat(singles).isSortedAccordingTo(Instant::compareTo);
  }

  private static long count(VirtualLeader leader, String prefix) {
    long count = 0;
    for (int i = 0; i < 2_000; i++) {
      if (prefix.equals("o") || i < 1_000) {
        count += leader.get(prefix + i).state().counts().started();
      }
    }
    return count;
  }
}
