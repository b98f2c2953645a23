package skein.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import skein.model.DerivedIds;
import skein.model.InstanceId;
import skein.model.Schedule.Run;
import skein.model.Timetable.Overlap;
import skein.schedules.ScheduleChange.Verdict;
import skein.schedules.ScheduleDecisions.FiringContext;

/** Hourly; the instance of 01:00 does not end before 03:30. */
class OverlapPolicyTest {
  private static final Instant BEGIN = Instant.parse("2026-05-01T00:30:00Z");

  private static Instant at(int hour) {
    return Instant.parse("2026-05-01T00:00:00Z").plus(Duration.ofHours(hour));
  }

  private static List<Instant> hours(int... hours) {
    return IntStream.of(hours).mapToObj(OverlapPolicyTest::at).toList();
  }

  private static VirtualLeader until(Overlap overlap, int hour) {
    var leader = new VirtualLeader(BEGIN);
    leader.add("s", Timetables.with(Timetables.cron("0 0 * * * ?", "UTC"), overlap));
    leader.advanceTo(at(hour).plus(Duration.ofMinutes(30)));
    return leader;
  }

  private static InstanceId first(VirtualLeader leader) {
    return leader.started.getFirst().instanceId();
  }

  @Test
  void allowed_ones_run_beside_each_other_and_nothing_is_kept_of_them() {
    var leader = until(Overlap.Allow, 3);

    assertThat(leader.startedAt()).containsExactlyElementsOf(hours(1, 2, 3));
    assertThat(leader.get("s").state().running()).isNull();
    leader.end("s", first(leader), true);
    assertThat(leader.started).hasSize(3);
  }

  @Test
  void skipped_ones_never_start() {
    var leader = until(Overlap.Skip, 3);
    assertThat(leader.startedAt()).containsExactlyElementsOf(hours(1));

    leader.end("s", first(leader), true);
    assertThat(leader.startedAt()).containsExactlyElementsOf(hours(1));
    leader.advanceTo(at(4));

    assertThat(leader.startedAt()).containsExactlyElementsOf(hours(1, 4));
    assertThat(leader.get("s").state().counts().skipped()).isEqualTo(2);
    assertThat(leader.cancelled).isEmpty();
  }

  @Test
  void one_is_buffered_and_starts_when_the_other_has_ended() {
    var leader = until(Overlap.BufferOne, 3);
    assertThat(leader.startedAt()).containsExactlyElementsOf(hours(1));

    leader.end("s", first(leader), true);

    assertThat(leader.startedAt()).containsExactlyElementsOf(hours(1, 2));
    assertThat(leader.get("s").state().counts().skipped()).isEqualTo(1);
    leader.advanceTo(at(4));
    assertThat(leader.startedAt()).containsExactlyElementsOf(hours(1, 2));
    leader.end("s", leader.started.getLast().instanceId(), true);
    assertThat(leader.startedAt()).containsExactlyElementsOf(hours(1, 2, 4));
  }

  @Test
  void the_running_one_is_cancelled_and_the_latest_starts_when_it_has_ended() {
    var leader = until(Overlap.CancelRunning, 3);
    assertThat(leader.startedAt()).containsExactlyElementsOf(hours(1));
    assertThat(leader.cancelled).contains(first(leader));

    leader.end("s", first(leader), true);

    assertThat(leader.startedAt()).containsExactlyElementsOf(hours(1, 3));
    var counts = leader.get("s").state().counts();
    assertThat(counts.skipped()).isEqualTo(1);
    assertThat(counts.cancelled()).isEqualTo(1);
  }

  @Test
  void news_that_is_lost_is_found_at_the_next_occurrence() {
    var skip = until(Overlap.Skip, 1);
    skip.end("s", first(skip), false);
    skip.advanceTo(at(2));
    assertThat(skip.startedAt()).containsExactlyElementsOf(hours(1, 2));

    var buffer = until(Overlap.BufferOne, 2);
    buffer.end("s", first(buffer), false);
    buffer.advanceTo(at(3));
    assertThat(buffer.startedAt()).containsExactlyElementsOf(hours(1, 2));
    assertThat(buffer.get("s").state().buffered()).isNotNull();
  }

  @Test
  void news_of_another_instance_or_a_second_time_changes_nothing() {
    var leader = until(Overlap.BufferOne, 2);

    leader.end("s", new InstanceId("somebody-else"), true);
    assertThat(leader.startedAt()).containsExactlyElementsOf(hours(1));
    leader.end("s", first(leader), true);
    leader.end("s", first(leader), true);

    assertThat(leader.startedAt()).containsExactlyElementsOf(hours(1, 2));
  }

  @Test
  void a_start_that_was_refused_frees_the_schedule_and_is_counted() {
    var leader = until(Overlap.Skip, 1);
    var read = leader.get("s");

    leader.commit(read, leader.decisions.ended(read, first(leader), true, leader.now));
    leader.advanceTo(at(2));

    assertThat(leader.startedAt()).containsExactlyElementsOf(hours(1, 2));
    assertThat(leader.get("s").state().counts().failed()).isEqualTo(1);
  }

  @Test
  void a_paused_schedule_starts_nothing_and_goes_on_with_what_comes_next() {
    var leader = until(Overlap.BufferOne, 2);
    pause(leader, "holiday");
    assertThat(leader.pendingTimers()).isZero();
    leader.advanceTo(at(5));
    leader.end("s", first(leader), true);
    assertThat(leader.startedAt()).containsExactlyElementsOf(hours(1));
    assertThat(leader.get("s").state().note()).isEqualTo("holiday");
    leader.advanceTo(at(5).plusSeconds(1_800));

    var paused = leader.get("s");
    leader.commit(paused, leader.decisions.resume(paused, new FiringContext(leader.now, false)));
    leader.end("s", leader.started.getLast().instanceId(), true);
    leader.advanceTo(at(6));

    assertThat(leader.startedAt()).containsExactlyElementsOf(hours(1, 2, 6));
    assertThat(leader.get("s").state().counts().missed()).isZero();
  }

  private static void pause(VirtualLeader leader, String note) {
    var read = leader.get("s");
    leader.commit(read, leader.decisions.pause(read, note, leader.now));
    assertThat(leader.decisions.pause(leader.get("s"), note, leader.now)).isNull();
  }

  @Test
  void one_that_is_triggered_obeys_the_policy_and_a_pause_does_not_stop_it() {
    var expected =
        Map.of(
            Overlap.Allow, Verdict.Started,
            Overlap.Skip, Verdict.Skipped,
            Overlap.BufferOne, Verdict.Buffered,
            Overlap.CancelRunning, Verdict.Cancelling);
    expected.forEach((overlap, verdict) -> {
      var leader = until(overlap, 1);
      pause(leader, "no");
      assertThat(trigger(leader, "a")).as("%s", overlap).isEqualTo(verdict);
    });
    var idle = new VirtualLeader(BEGIN);
    idle.add("s", Timetables.with(Timetables.cron("0 0 * * * ?", "UTC"), Overlap.Skip));
    pause(idle, "no");
    assertThat(trigger(idle, "a")).isEqualTo(Verdict.Started);
  }

  private static @Nullable Verdict trigger(VirtualLeader leader, String key) {
    var read = leader.get("s");
    var run = new Run(leader.now, ScheduleDecisions.instanceOfKey(read, key), Map.of("a", 1L));
    return leader.commit(
        read, leader.decisions.trigger(read, run, new FiringContext(leader.now, false)));
  }

  @Test
  void what_a_schedule_of_a_tenant_starts_has_the_tenant_and_an_id_of_it() {
    var ofDefault = VirtualLeader.schedule("s", Timetables.cron("0 0 * * * ?", "UTC"), BEGIN);
    var ofAcme = ofDefault.ruledBy(ofDefault.timetable(), ofDefault.target().of("acme"));
    var decisions = new ScheduleDecisions(VirtualLeader.THRESHOLD);
    var at = Objects.requireNonNull(ofAcme.state().nextAt());

    var change = Objects.requireNonNull(decisions.fire(ofAcme, at, new FiringContext(at, false)));
    var start = ScheduleTimers.of(ofAcme, change, at, Duration.ZERO).starts().getFirst();

    assertThat(start.instanceId())
        .isEqualTo(ScheduleDecisions.instanceOf(ofAcme, at))
        .isEqualTo(DerivedIds.of("acme", "s@" + at.toEpochMilli()))
        .isNotEqualTo(ScheduleDecisions.instanceOf(ofDefault, at));
    assertThat(start.payload())
        .asInstanceOf(InstanceOfAssertFactories.MAP)
        .containsEntry("tenant", "acme");
    assertThat(ScheduleDecisions.instanceOf(ofDefault, at).value()).hasSize(32);
  }

  @Test
  void a_backfill_starts_what_was_never_started_as_the_policy_lets_it() {
    var range = hours(1, 2, 3);
    var allowed = until(Overlap.Allow, 1);
    var done = Set.of(first(allowed));
    var read = allowed.get("s");

    var filled =
        allowed.decisions.backfill(read, range, done, new FiringContext(allowed.now, false));

    assertThat(filled.verdicts().values())
        .containsExactly(Verdict.None, Verdict.Started, Verdict.Started);
    assertThat(filled.change().starts())
        .extracting(Run::instanceId)
        .containsExactlyElementsOf(ScheduleDecisions.instancesOf(read, hours(2, 3)));

    var skipping = until(Overlap.BufferOne, 0);
    var schedule = skipping.get("s");
    var buffered =
        skipping.decisions.backfill(
            schedule, range, Set.of(), new FiringContext(skipping.now, false));
    assertThat(buffered.verdicts().values())
        .containsExactly(Verdict.Started, Verdict.Buffered, Verdict.Skipped);
  }
}
