package skein.schedules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;
import skein.codecs.ScheduleJson;
import skein.model.ErrorCode;
import skein.model.Recurrence;
import skein.model.SkeinException;
import skein.model.Timetable;

class ScheduleFormTest {
  private static final Instant NOW = Instant.parse("2026-05-01T10:00:00Z");
  private static final ScheduleLimits LIMITS =
      new ScheduleLimits(Duration.ofMinutes(1), 3, Duration.ofMinutes(5), 50, 10, 10);

  private static Timetable read(String json) {
    return ScheduleForm.read(parse(json), NOW, LIMITS);
  }

  private static Map<String, @Nullable Object> parse(String json) {
    return JsonText.parseObject(json.replace('\'', '"'), JsonLimits.DEFAULT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}                                              | cron, interval, dates: give one of them, not none",
        "{'cron':'0 * * * *','interval':'PT1M'}          | cron, interval, dates: give one of them, not [cron, interval]",
        "{'cron':'0 0 25 * * ?'}                         | cron: The hours \"25\" cannot be used: 25 is not 0 to 23.",
        "{'cron':7}                                      | cron: 7 is not a string",
        "{'interval':'PT0.5S'}                           | interval: PT0.5S is not one second to ten years",
        "{'interval':'P1M'}                              | interval: \"P1M\" is not a valid duration: write PT15M or 00:15:00",
        "{'interval':'PT1.0001S'}                        | interval: PT1.0001S is not a whole number of milliseconds",
        "{'cron':'0 * * * *','timeZone':'Berlin'}        | timeZone: \"Berlin\" is not a valid time zone: write UTC or a name such as Europe/Berlin",
        "{'cron':'0 * * * *','startAt':'2026-05-02','endAt':'2026-05-01'} | endAt: 2026-05-01T00:00:00Z is before startAt, 2026-05-02T00:00:00Z",
        "{'cron':'0 * * * *','endAt':'soon'}             | endAt: \"soon\" is not a valid date: write 2026-12-24, 2026-12-24T18:00 or 2026-12-24T18:00Z",
        "{'interval':'PT1M','startAt':'-999999999-01-01T00:00:00Z'} | startAt: \"-999999999-01-01T00:00:00Z\" is not between the years 1900 and 9999",
        "{'interval':'PT1S','anchor':'1899-12-31'}       | anchor: \"1899-12-31\" is not between the years 1900 and 9999",
        "{'cron':'0 * * * *','endAt':'+10000-01-01T00:00:00Z'} | endAt: \"+10000-01-01T00:00:00Z\" is not between the years 1900 and 9999",
        "{'dates':['+999999999-12-31T00:00:00Z']}        | dates: \"+999999999-12-31T00:00:00Z\" is not between the years 1900 and 9999",
        "{'dates':[]}                                    | dates: give a list of dates",
        "{'dates':['2026-05-02','2026-05-01']}           | dates: \"2026-05-01\" is not after the one before it: sort them",
        "{'dates':['2026-05-02','2026-05-02']}           | dates: \"2026-05-02\" is not after the one before it: sort them",
        "{'dates':['2026-05-02','2026-05-03','2026-05-04','2026-05-05']} | dates: 4 are too many, at most 3",
        "{'dates':['2026-02-30']}                        | dates: \"2026-02-30\" is not a valid date: write 2026-12-24, 2026-12-24T18:00 or 2026-12-24T18:00Z",
        "{'cron':'0 * * * *','jitter':'PT6M'}            | jitter: PT6M is not zero to PT5M",
        "{'cron':'0 * * * *','jitter':'PT9223372036854775807S'} | jitter: PT2562047788015215H30M7S is not zero to PT5M",
        "{'cron':'0 * * * *','catchUpMax':0}             | catchUpMax: 0 is not a whole number from 1 to 50",
        "{'cron':'0 * * * *','misfirePolicy':'Panic'}    | misfirePolicy: \"Panic\" is none of [FireOnce, FireAll, Skip]",
        "{'cron':'0 * * * *','overlapPolicy':'x'}        | overlapPolicy: \"x\" is none of [Allow, Skip, BufferOne, CancelRunning]",
      })
  void says_what_is_wrong(String json, String error) {
    var refused = catchThrowableOfType(SkeinException.class, () -> read(json));

    assertThat(refused.code()).isEqualTo(ErrorCode.SCHEDULE_INVALID);
    assertThat(refused.errors()).containsExactly(error);
  }

  @Test
  void says_all_that_is_wrong_at_once() {
    var refused =
        catchThrowableOfType(
            SkeinException.class,
            () -> read("{'cron':'x','timeZone':'y','jitter':'z','misfirePolicy':'a'}"));

    assertThat(refused.errors()).hasSize(4);
  }

  @Test
  void what_is_not_said_is_as_elsa_has_it() {
    var timetable = read("{'cron':' 0 12 * * 1 '}");

    assertThat(timetable.recurrence()).isEqualTo(new Recurrence.Cron("0 12 * * 1"));
    assertThat(timetable.zone().getId()).isEqualTo("UTC");
    assertThat(timetable.policies().misfire()).isEqualTo(Timetable.Misfire.FireOnce);
    assertThat(timetable.policies().overlap()).isEqualTo(Timetable.Overlap.Allow);
  }

  @Test
  void an_interval_counts_from_its_start_or_from_now() {
    assertThat(read("{'interval':'00:15:00'}").recurrence())
        .isEqualTo(new Recurrence.Interval(Duration.ofMinutes(15), NOW.plusSeconds(900)));
    assertThat(read("{'interval':'PT15M','startAt':'2026-06-01T00:00Z'}").recurrence())
        .isEqualTo(
            new Recurrence.Interval(Duration.ofMinutes(15), Instant.parse("2026-06-01T00:00:00Z")));
  }

  @Test
  void start_and_end_are_part_of_it() {
    var daily = Timetables.cron("0 0 12 * * ?", "UTC");
    var noon = Instant.parse("2026-05-03T12:00:00Z");
    var bounded = Timetables.between(daily, noon, noon.plus(Duration.ofDays(2)));

    assertThat(ScheduleRules.of(bounded).list(NOW, null, 10))
        .containsExactly(noon, noon.plus(Duration.ofDays(1)), noon.plus(Duration.ofDays(2)));
  }

  /** What was stored is read for ever. */
  @Test
  void what_is_stored_has_not_changed() {
    var cron =
        read(
            "{'cron':'0 30 2 * * ?','timeZone':'Europe/Berlin','startAt':'2026-05-01T00:00Z',"
                + "'endAt':'2027-05-01T00:00Z','jitter':'PT30S','misfirePolicy':'fireall',"
                + "'catchUpMax':7,'overlapPolicy':'bufferone'}");
    var interval = read("{'interval':'PT15M','anchor':'2026-05-01T00:00:00.123Z'}");
    var dates = read("{'dates':['2026-12-24T18:00','2026-12-31T23:00Z']}");

    var stored =
        List.of(rule(cron), policies(cron), rule(interval), policies(interval), rule(dates));

    assertThat(stored)
        .containsExactly(
            "{\"v\":1,\"cron\":\"0 30 2 * * ?\",\"timeZone\":\"Europe/Berlin\","
                + "\"startAt\":\"2026-05-01T00:00:00Z\",\"endAt\":\"2027-05-01T00:00:00Z\","
                + "\"jitter\":\"PT30S\"}",
            "{\"v\":1,\"misfirePolicy\":\"FireAll\",\"catchUpMax\":7,\"overlapPolicy\":\"BufferOne\"}",
            "{\"v\":1,\"interval\":\"PT15M\",\"anchor\":\"2026-05-01T00:00:00.123Z\",\"timeZone\":\"UTC\"}",
            "{\"v\":1,\"misfirePolicy\":\"FireOnce\",\"catchUpMax\":50,\"overlapPolicy\":\"Allow\"}",
            "{\"v\":1,\"dates\":[\"2026-12-24T18:00\",\"2026-12-31T23:00Z\"],\"timeZone\":\"UTC\"}");
    assertThat(ScheduleJson.timetable(stored.get(0), stored.get(1))).isEqualTo(cron);
    assertThat(ScheduleJson.timetable(stored.get(2), stored.get(3))).isEqualTo(interval);
    assertThat(ScheduleJson.timetable(stored.get(4), stored.get(3))).isEqualTo(dates);
  }

  private static String rule(Timetable timetable) {
    return ScheduleJson.stored(ScheduleJson.rule(timetable));
  }

  private static String policies(Timetable timetable) {
    return ScheduleJson.stored(ScheduleJson.policies(timetable.policies()));
  }
}
