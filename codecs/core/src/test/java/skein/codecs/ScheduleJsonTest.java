package skein.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import skein.model.InstanceId;
import skein.model.Recurrence;
import skein.model.Schedule;
import skein.model.Timetable;
import skein.model.Timetable.Misfire;
import skein.model.Timetable.Overlap;
import skein.model.Timetable.Policies;

class ScheduleJsonTest {
  private static final Instant AT = Instant.parse("2026-03-01T10:00:00Z");
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  static Stream<Timetable> timetables() {
    return Stream.of(
        new Timetable(
            new Recurrence.Cron("0 8 * * 1-5"),
            BERLIN,
            AT,
            AT.plusSeconds(9),
            Duration.ofMillis(1_500),
            new Policies(Misfire.FireAll, 7, Overlap.BufferOne)),
        new Timetable(
            new Recurrence.Interval(Duration.ofMinutes(5), AT),
            BERLIN,
            null,
            null,
            Duration.ZERO,
            Policies.DEFAULT),
        new Timetable(
            new Recurrence.Dates(List.of("2026-03-01", "2026-04-01T08:00:00+02:00")),
            BERLIN,
            null,
            AT,
            Duration.ZERO,
            new Policies(Misfire.Skip, 1, Overlap.CancelRunning)));
  }

  @ParameterizedTest
  @MethodSource("timetables")
  void a_timetable_is_read_as_it_was_stored(Timetable timetable) {
    var rule = ScheduleJson.stored(ScheduleJson.rule(timetable));
    var policies = ScheduleJson.stored(ScheduleJson.policies(timetable.policies()));

    assertThat(ScheduleJson.timetable(rule, policies)).isEqualTo(timetable);
    assertThat(rule).startsWith("{\"v\":1,");
  }

  @Test
  void what_a_schedule_starts_is_read_as_it_was_stored() {
    var all = new Schedule.Target("d", "d-v1", "a", Map.of("n", 1L), "c");
    var least = new Schedule.Target("d", null, null, Map.of(), null);

    for (var target : List.of(all, least)) {
      assertThat(ScheduleJson.readTarget(ScheduleJson.stored(ScheduleJson.target(target))))
          .isEqualTo(target);
    }
  }

  @Test
  void a_run_is_read_as_it_was_stored() {
    var with = new Schedule.Run(AT, new InstanceId("i-1"), Map.of("n", 1L));
    var without = new Schedule.Run(AT, new InstanceId("i-1"), null);

    for (var run : List.of(with, without)) {
      var json = ScheduleJson.run(run);
      assertThat(json).isNotNull();
      if (json != null) {
        assertThat(ScheduleJson.readRun(ScheduleJson.stored(json))).isEqualTo(run);
      }
    }
    assertThat(ScheduleJson.run(null)).isNull();
    assertThat(ScheduleJson.readRun(null)).isNull();
  }

  @Test
  void what_was_not_stored_by_it_is_refused() {
    var policies = ScheduleJson.stored(ScheduleJson.policies(Policies.DEFAULT));

    assertThatThrownBy(() -> ScheduleJson.timetable("{\"timeZone\":\"UTC\"}", policies))
        .isInstanceOf(BadBytesException.class);
    assertThatThrownBy(() -> ScheduleJson.readRun("{\"workflowInstanceId\":\"i\"}"))
        .isInstanceOf(BadBytesException.class);
  }
}
