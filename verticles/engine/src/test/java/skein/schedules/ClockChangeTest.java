package skein.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What fires around changes of the clocks and ends of months: expected against fired. */
class ClockChangeTest {
  /** Zone, expression, from, and all that fires until the last instant; all instants in UTC. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // Berlin, 29 March 2026: 02:00 is followed by 03:00, which is 01:00Z.
        "Europe/Berlin | 0 30 2 * * ?    | 2026-03-28T00:00Z | 2026-03-28T01:30Z 2026-03-29T01:00Z 2026-03-30T00:30Z",
        "Europe/Berlin | 30 2 * * *      | 2026-03-29T00:00Z | 2026-03-29T01:00Z 2026-03-30T00:30Z",
        "Europe/Berlin | 0 0,30 2 * * ?  | 2026-03-29T00:00Z | 2026-03-29T01:00Z 2026-03-30T00:00Z 2026-03-30T00:30Z",
        "Europe/Berlin | 0 0 2,3 * * ?   | 2026-03-29T00:00Z | 2026-03-29T01:00Z 2026-03-30T00:00Z 2026-03-30T01:00Z",
        "Europe/Berlin | 0 */15 * * * ?  | 2026-03-29T00:31Z | 2026-03-29T00:45Z 2026-03-29T01:00Z 2026-03-29T01:15Z",
        "Europe/Berlin | 0 30 * * * ?    | 2026-03-29T00:00Z | 2026-03-29T00:30Z 2026-03-29T01:30Z 2026-03-29T02:30Z",
        "Europe/Berlin | 0 */15 2 * * ?  | 2026-03-29T00:00Z | 2026-03-29T01:00Z 2026-03-30T00:00Z 2026-03-30T00:15Z",
        "Europe/Berlin | 0 30 2 29 3 ?   | 2026-01-01T00:00Z | 2026-03-29T01:00Z 2027-03-29T00:30Z",
        // Berlin, 25 October 2026: 03:00 is followed by 02:00, which is 01:00Z.
        "Europe/Berlin | 0 30 2 * * ?    | 2026-10-24T00:00Z | 2026-10-24T00:30Z 2026-10-25T00:30Z 2026-10-26T01:30Z",
        "Europe/Berlin | 0 30 2 * * ?    | 2026-10-25T00:45Z | 2026-10-26T01:30Z",
        "Europe/Berlin | 0 0 3 * * ?     | 2026-10-24T22:00Z | 2026-10-25T02:00Z 2026-10-26T02:00Z",
        "Europe/Berlin | 0 */15 * * * ?  | 2026-10-25T00:31Z | 2026-10-25T00:45Z 2026-10-25T01:00Z 2026-10-25T01:15Z",
        "Europe/Berlin | 0 30 * * * ?    | 2026-10-25T00:00Z | 2026-10-25T00:30Z 2026-10-25T01:30Z 2026-10-25T02:30Z",
        // New York, 8 March 2026: 02:00 is followed by 03:00, which is 07:00Z.
        "America/New_York | 0 30 2 * * ?   | 2026-03-07T00:00Z | 2026-03-07T07:30Z 2026-03-08T07:00Z 2026-03-09T06:30Z",
        "America/New_York | 0 */15 * * * ? | 2026-03-08T06:31Z | 2026-03-08T06:45Z 2026-03-08T07:00Z 2026-03-08T07:15Z",
        // New York, 1 November 2026: 02:00 is followed by 01:00, which is 06:00Z.
        "America/New_York | 0 30 2 * * ?   | 2026-10-31T00:00Z | 2026-10-31T06:30Z 2026-11-01T07:30Z 2026-11-02T07:30Z",
        "America/New_York | 0 30 1 * * ?   | 2026-10-31T00:00Z | 2026-10-31T05:30Z 2026-11-01T05:30Z 2026-11-02T06:30Z",
        "America/New_York | 0 */15 * * * ? | 2026-11-01T05:31Z | 2026-11-01T05:45Z 2026-11-01T06:00Z 2026-11-01T06:15Z",
        // Lord Howe, 5 April 2026: 02:00 is followed by 01:30, which is 15:00Z the day before.
        "Australia/Lord_Howe | 0 30 2 * * ?   | 2026-04-03T12:00Z | 2026-04-03T15:30Z 2026-04-04T16:00Z 2026-04-05T16:00Z",
        "Australia/Lord_Howe | 0 45 1 * * ?   | 2026-04-03T12:00Z | 2026-04-03T14:45Z 2026-04-04T14:45Z 2026-04-05T15:15Z",
        "Australia/Lord_Howe | 0 */15 * * * ? | 2026-04-04T14:31Z | 2026-04-04T14:45Z 2026-04-04T15:00Z 2026-04-04T15:15Z 2026-04-04T15:30Z",
        // Lord Howe, 4 October 2026: 02:00 is followed by 02:30, which is 15:30Z the day before.
        "Australia/Lord_Howe | 0 30 2 * * ?   | 2026-10-02T12:00Z | 2026-10-02T16:00Z 2026-10-03T15:30Z 2026-10-04T15:30Z",
        "Australia/Lord_Howe | 0 15 2 * * ?   | 2026-10-02T12:00Z | 2026-10-02T15:45Z 2026-10-03T15:30Z 2026-10-04T15:15Z",
        "Australia/Lord_Howe | 0 */15 * * * ? | 2026-10-03T15:01Z | 2026-10-03T15:15Z 2026-10-03T15:30Z 2026-10-03T15:45Z",
        // Apia had no 30 December 2011: the 29th is followed by the 31st, which is 10:00Z.
        "Pacific/Apia | 0 30 2 * * ?   | 2011-12-29T00:00Z | 2011-12-29T12:30Z 2011-12-30T10:00Z 2011-12-30T12:30Z 2011-12-31T12:30Z",
        "Pacific/Apia | 0 */15 * * * ? | 2011-12-30T09:31Z | 2011-12-30T09:45Z 2011-12-30T10:00Z 2011-12-30T10:15Z",
        // Cairo, 24 April 2026: there is no midnight, which is 22:00Z the day before.
        "Africa/Cairo | 0 0 0 * * ?   | 2026-04-22T12:00Z | 2026-04-22T22:00Z 2026-04-23T22:00Z 2026-04-24T21:00Z",
        "Africa/Cairo | 0 0 */2 * * ? | 2026-04-23T19:00Z | 2026-04-23T20:00Z 2026-04-23T23:00Z 2026-04-24T01:00Z",
        // Months without the day are left out.
        "UTC           | 0 0 12 29 2 ?   | 2026-01-01T00:00Z | 2028-02-29T12:00Z 2032-02-29T12:00Z",
        "UTC           | 0 0 12 29 2 ?   | 2096-01-01T00:00Z | 2096-02-29T12:00Z 2104-02-29T12:00Z",
        "UTC           | 0 0 12 29 2 MON | 2026-01-01T00:00Z | 2044-02-29T12:00Z 2072-02-29T12:00Z 2112-02-29T12:00Z",
        "Europe/Berlin | 0 30 2 31 * ?   | 2026-01-01T00:00Z | 2026-01-31T01:30Z 2026-03-31T00:30Z 2026-05-31T00:30Z",
        "Europe/Berlin | 0 30 2 L * ?    | 2026-01-30T00:00Z | 2026-01-31T01:30Z 2026-02-28T01:30Z 2026-03-31T00:30Z",
        "UTC           | 0 0 12 30 2 ?   | 2026-01-01T00:00Z | ",
      })
  void fires_what_the_table_says(String zone, String cron, String from, @Nullable String expected) {
    var begin = Instant.parse(from.replace("Z", ":00Z"));
    var instants = instants(expected);
    var end = instants.isEmpty() ? begin.plus(Duration.ofDays(20_000)) : instants.getLast();
    for (var late : List.of(Duration.ZERO, Duration.ofSeconds(50))) {
      var leader = new VirtualLeader(begin);
      leader.lateness = late;
      leader.add("s", Timetables.cron(cron, zone));

      leader.advanceTo(end.plus(late));

      assertThat(leader.startedAt()).as("%s late", late).containsExactlyElementsOf(instants);
    }
  }

  private static List<Instant> instants(@Nullable String texts) {
    return texts == null
        ? List.of()
        : Arrays.stream(texts.split(" ", -1))
            .map(t -> Instant.parse(t.replace("Z", ":00Z")))
            .toList();
  }

  @Test
  void an_interval_goes_by_elapsed_time_whatever_the_clocks_do() {
    var anchor = Instant.parse("2026-03-28T23:40:00Z");
    var begin = Instant.parse("2026-03-28T23:00:00Z");
    var leader =
        new VirtualLeader(begin).add("s", Timetables.every(Duration.ofMinutes(40), anchor));
    leader.lateness = Duration.ofSeconds(59);

    leader.advanceTo(Instant.parse("2026-03-29T02:00:00Z"));

    assertThat(leader.startedAt())
        .containsExactlyElementsOf(
            instants("2026-03-28T23:40Z 2026-03-29T00:20Z 2026-03-29T01:00Z 2026-03-29T01:40Z"));
  }

  @Test
  void a_date_on_the_wall_that_does_not_exist_is_the_first_instant_after_it() {
    var zone = ZoneId.of("Europe/Berlin");

    assertThat(DateTexts.instant("2026-03-29T02:30", zone)).isEqualTo("2026-03-29T01:00:00Z");
    assertThat(DateTexts.instant("2026-10-25T02:30", zone)).isEqualTo("2026-10-25T00:30:00Z");
    assertThat(DateTexts.instant("2026-12-24", zone)).isEqualTo("2026-12-23T23:00:00Z");
    assertThat(DateTexts.instant("2026-12-24T18:00+02:00", zone)).isEqualTo("2026-12-24T16:00:00Z");
  }
}
