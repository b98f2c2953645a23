package skein.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import skein.model.Timetable;
import skein.model.Timetable.Misfire;
import skein.model.Timetable.Overlap;

/**
 * Random schedules through random outages, with every decision made twice: what starts is what the
 * policy says of a plain list of all instants, each once and in order.
 */
class SchedulePropertyTest {
  private static final Instant BEGIN = Instant.parse("2026-03-27T00:00:00Z");
  private static final List<String> CRONS =
      List.of(
          "0 */15 * * * ?", "0 30 2 * * ?", "0 0 */3 * * ?", "*/20 0-5 2,3 * * ?", "0 0 1 L * ?");
  private static final List<String> ZONES =
      List.of("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC");

  private static final List<Overlap> EXCLUSIVE =
      List.of(Overlap.Skip, Overlap.BufferOne, Overlap.CancelRunning);

  static LongStream seeds() {
    return LongStream.range(0, 300);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void each_instant_starts_as_the_policy_says(long seed) {
    var random = new Random(seed);
    var misfire = List.of(Misfire.values()).get(random.nextInt(3));
    int catchUpMax = 1 + random.nextInt(8);
    var timetable = Timetables.with(draw(random), misfire, catchUpMax);
    var leader = new VirtualLeader(BEGIN);
    leader.doubled = random.nextBoolean();
    leader.add("s", timetable);
    var pending =
        new ArrayList<>(
            ScheduleRules.of(timetable).list(BEGIN, BEGIN.plus(Duration.ofDays(9)), 200_000));
    var expected = new ArrayList<Instant>();

    for (int i = 0; i < 6; i++) {
      var online = leader.now.plusSeconds(random.nextInt(60_000));
      leader.advanceTo(online);
      expected.addAll(dueBy(pending, online));
      leader.outage(online.plusSeconds(random.nextInt(30_000)));
      leader.advanceTo(leader.now);
      expected.addAll(caughtUp(pending, leader.now, misfire, catchUpMax));
    }

    assertThat(leader.startedAt()).containsExactlyElementsOf(expected);
    assertThat(leader.started).extracting(run -> run.instanceId()).doesNotHaveDuplicates();
    assertThat(leader.pendingTimers()).isEqualTo(leader.get("s").state().nextAt() == null ? 0 : 1);
  }

  private static Timetable draw(Random random) {
    return switch (random.nextInt(3)) {
      case 0 ->
          Timetables.cron(
              CRONS.get(random.nextInt(CRONS.size())), ZONES.get(random.nextInt(ZONES.size())));
      case 1 ->
          Timetables.every(
              Duration.ofSeconds(20 + random.nextInt(20_000)),
              BEGIN.plusMillis(random.nextInt(100_000_000)));
      default ->
          Timetables.dates(
              IntStream.generate(() -> random.nextInt(600_000))
                  .distinct()
                  .limit(20)
                  .sorted()
                  .mapToObj(seconds -> BEGIN.plusSeconds(seconds).toString())
                  .toArray(String[]::new));
    };
  }

  private static List<Instant> dueBy(List<Instant> pending, Instant now) {
    var due = pending.stream().takeWhile(at -> !at.isAfter(now)).toList();
    pending.subList(0, due.size()).clear();
    return due;
  }

  /** The policies on a plain list of what fell into the outage. */
  private static List<Instant> caughtUp(
      List<Instant> pending, Instant now, Misfire misfire, int catchUpMax) {
    var due = dueBy(pending, now);
    if (due.isEmpty() || !isMissed(due.getFirst(), now)) {
      return due;
    }
    return switch (misfire) {
      case FireOnce -> List.of(due.getLast());
      case FireAll -> due.subList(Math.max(0, due.size() - catchUpMax), due.size());
      case Skip -> due.stream().filter(at -> !isMissed(at, now)).toList();
    };
  }

  private static boolean isMissed(Instant at, Instant now) {
    return Duration.between(at, now).compareTo(VirtualLeader.THRESHOLD) > 0;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void of_those_that_must_not_overlap_at_most_one_runs(long seed) {
    var random = new Random(seed);
    var overlap = EXCLUSIVE.get(random.nextInt(3));
    var timetable = Timetables.with(draw(random), overlap);
    var leader = new VirtualLeader(BEGIN);
    leader.doubled = random.nextBoolean();
    leader.add("s", timetable);

    for (int i = 0; i < 60; i++) {
      leader.advanceTo(leader.now.plusSeconds(random.nextInt(5_000)));
      assertThat(leader.unfinished.size()).isLessThanOrEqualTo(1);
      var running = List.copyOf(leader.unfinished);
      if (!running.isEmpty() && random.nextBoolean()) {
        leader.end("s", running.getFirst(), random.nextInt(4) > 0);
      }
    }

    assertThat(leader.startedAt()).isSortedAccordingTo(Instant::compareTo).doesNotHaveDuplicates();
    var counts = leader.get("s").state().counts();
    var buffered = leader.get("s").state().buffered() == null ? 0 : 1;
    var nextAt = leader.get("s").state().nextAt();
    var until = nextAt == null ? BEGIN.plus(Duration.ofDays(3_000)) : nextAt.minusMillis(1);
    var all = ScheduleRules.of(timetable).list(BEGIN, until, 200_000).size();
    assertThat(counts.started() + counts.skipped() + counts.missed() + buffered).isEqualTo(all);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void jitter_follows_from_schedule_and_instant_and_puts_off_by_no_more_than_it_may(long seed) {
    var random = new Random(seed);
    var jitter = Duration.ofSeconds(1 + random.nextInt(600));
    var timetable = Timetables.jittered(draw(random), jitter);
    var rules = ScheduleRules.of(timetable);
    var again = ScheduleRules.of(timetable);

    for (var at : rules.list(BEGIN, null, 50)) {
      var due = rules.dueAt("s" + seed, at);
      assertThat(due).isBetween(at, at.plus(jitter)).isEqualTo(again.dueAt("s" + seed, at));
    }
    var leader = new VirtualLeader(BEGIN).add("s", timetable);
    leader.advanceTo(BEGIN.plus(Duration.ofDays(2)));
    assertThat(leader.startedAt())
        .containsExactlyElementsOf(
            rules.list(BEGIN, leader.now, 200_000).stream()
                .filter(at -> !rules.dueAt("s", at).isAfter(leader.now))
                .toList());
  }
}
