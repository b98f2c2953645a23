package skein.schedules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronExpressionTest {
  private static final LocalDateTime NEW_YEAR = LocalDateTime.parse("2026-01-01T00:00");

  /** Days at noon, from New Year 2026 on. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 0 12 L * ?       | 01-31 02-28 03-31 04-30",
        "0 0 12 L-3 * ?     | 01-28 02-25 03-28 04-27",
        "0 0 12 LW * ?      | 01-30 02-27 03-31 04-30 05-29",
        "0 0 12 1W * ?      | 01-01 02-02 03-02 04-01 05-01 06-01 07-01 08-03",
        "0 0 12 15W * ?     | 01-15 02-16 03-16 04-15 05-15",
        "0 0 12 31W * ?     | 01-30 03-31 05-29 07-31 08-31 10-30",
        "0 0 12 28W 2 ?     | 02-27",
        "0 0 12 1,L * ?     | 01-01 01-31 02-01 02-28 03-01",
        "0 0 12 1,15W * ?   | 01-01 01-15 02-01 02-16 03-01 03-16",
        "0 0 12 ? * 5L      | 01-30 02-27 03-27 04-24",
        "0 0 12 ? * SUNL    | 01-25 02-22 03-29",
        "0 0 12 ? * 7L      | 01-25 02-22 03-29",
        "0 0 12 ? * 0#1     | 01-04 02-01 03-01",
        "0 0 12 ? * fri#2   | 01-09 02-13 03-13",
        "0 0 12 ? * MON#5   | 03-30 06-29 08-31 11-30",
        "0 0 12 ? * 1#1,3#3 | 01-05 01-21 02-02 02-18",
        "0 0 12 ? * FRI-MON | 01-02 01-03 01-04 01-05 01-09",
        "0 0 12 ? * 6-0     | 01-03 01-04 01-10",
        "0 0 12 ? * 5-7     | 01-02 01-03 01-04 01-09",
        "0 0 12 ? * 1-5/2   | 01-02 01-05 01-07 01-09 01-12",
        "0 0 12 */10 * ?    | 01-01 01-11 01-21 01-31 02-01",
        "0 0 12 25/3 * ?    | 01-25 01-28 01-31 02-25 02-28 03-25",
        "0 0 12 13 * FRI    | 02-13 03-13 11-13",
        "0 0 12 1-7 * MON   | 01-05 02-02 03-02",
        "0 0 12 1 11-2 *    | 01-01 02-01 11-01 12-01",
        "0 0 12 1 JAN,jun ? | 01-01 06-01",
        "0 0 12 ? * ?       | 01-01 01-02",
        "0 12 * * 1         | 01-05 01-12",
      })
  void says_its_days(String expression, String days) {
    var cron = CronExpression.parse(expression);
    var at = NEW_YEAR;
    for (var day : days.split(" ", -1)) {
      at = Objects.requireNonNull(cron.atOrAfter(at));
      assertThat(at).isEqualTo("2026-" + day + "T12:00:00");
      at = at.plusSeconds(1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 0 22-2 * * ?     | 00:00:00 01:00:00 02:00:00 22:00:00",
        "0 50/5 * * * ?     | 00:50:00 00:55:00 01:50:00",
        "0 0-10/5 * * * ?   | 00:00:00 00:05:00 00:10:00 01:00:00",
        "59 59 23 * * *     | 23:59:59",
        "*/30 59 * * * *    | 00:59:00 00:59:30 01:59:00",
        "@hourly            | 00:00:00 01:00:00",
        "10,5 0 0,12 * * *  | 00:00:05 00:00:10 12:00:05",
      })
  void says_its_times(String expression, String times) {
    var cron = CronExpression.parse(expression);
    var at = NEW_YEAR;
    for (var time : times.split(" ", -1)) {
      at = Objects.requireNonNull(cron.atOrAfter(at));
      assertThat(at).isEqualTo("2026-01-01T" + time);
      at = at.plusSeconds(1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 0 25 * * ?     | The hours \"25\" cannot be used: 25 is not 0 to 23.",
        "60 * * * *       | The minutes \"60\" cannot be used: 60 is not 0 to 59.",
        "0 0 0 32 * ?     | The days of the month \"32\" cannot be used: 32 is not 1 to 31.",
        "0 0 0 0 * ?      | The days of the month \"0\" cannot be used: 0 is not 1 to 31.",
        "0 0 0 1 13 ?     | The months \"13\" cannot be used: 13 is not 1 to 12.",
        "0 0 0 1 Foo ?    | The months \"Foo\" cannot be used: \"Foo\" is not a valid value.",
        "0 0 0 ? * 8      | The days of the week \"8\" cannot be used: 8 is not 0 to 7.",
        "0 0 0 ? * 5#6    | The days of the week \"5#6\" cannot be used: a month has no day of the week more than 5 times.",
        "0 */0 * * * ?    | The minutes \"*/0\" cannot be used: its step must be 1 to 59.",
        "0 1/2/3 * * * ?  | The minutes \"1/2/3\" cannot be used: it has two steps.",
        "0 1,,2 * * * ?   | The minutes \"\" cannot be used: \"\" is not a valid value.",
        "0 0 0 W * ?      | The days of the month \"W\" cannot be used: \"W\" is not a valid value.",
        "0 0 ? * * *      | The hours \"?\" cannot be used: \"?\" is not a valid value.",
      })
  void names_the_field_that_is_wrong(String expression, String message) {
    assertThatThrownBy(() -> CronExpression.parse(expression))
        .isInstanceOf(CronException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"BadCronExpression", "* * * *", "", " ", "* * * * * * *", "@never"})
  void says_how_many_fields_there_are_to_be(String expression) {
    assertThatThrownBy(() -> CronExpression.parse(expression))
        .isInstanceOf(CronException.class)
        .hasMessageContaining("fields");
  }

  @Test
  void what_never_comes_is_found_out_at_once() {
    assertThat(CronExpression.parse("0 0 0 30 2 *").atOrAfter(NEW_YEAR)).isNull();
    assertThat(CronExpression.parse("0 0 0 31W 2 *").atOrAfter(NEW_YEAR)).isNull();
    assertThat(CronExpression.parse("0 0 0 31 4,6,9,11 *").atOrAfter(NEW_YEAR)).isNull();
  }

  /** What the library of others gets right it gets as we do. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "*/7 */11 */5 * * ?",
        "0 0 0 1/5 * ?",
        "30 15 8-18/3 * * MON-FRI",
        "0 0 12 L * ?",
        "0 0 12 LW * ?",
        "0 0 12 15W * ?",
        "0 0 12 ? * 3#2",
        "0 0 12 ? * 2L",
        "0 0 12 31 * ?",
        "0 0 12 13 * FRI",
        "5,10 0 0,23 28-31 2,3 ?",
      })
  void agrees_with_another_implementation(String expression) {
    var ours = new ZonedCron(CronExpression.parse(expression), ZoneOffset.UTC);
    var theirs = ExecutionTime.forCron(new CronParser(DEFINITION).parse(expression));
    var expected = new ArrayList<Instant>();
    var found = new ArrayList<Instant>();
    var at = Instant.parse("2026-02-20T10:11:12Z");
    var same = at;
    for (int i = 0; i < 60; i++) {
      at = theirs.nextExecution(at.atZone(ZoneOffset.UTC)).orElseThrow().toInstant();
      same = Objects.requireNonNull(ours.after(same));
      expected.add(at);
      found.add(same);
    }
    assertThat(found).containsExactlyElementsOf(expected);
  }

  private static final CronDefinition DEFINITION =
      CronDefinitionBuilder.defineCron()
          .withSeconds()
          .and()
          .withMinutes()
          .and()
          .withHours()
          .and()
          .withDayOfMonth()
          .supportsL()
          .supportsW()
          .supportsLW()
          .supportsQuestionMark()
          .and()
          .withMonth()
          .and()
          .withDayOfWeek()
          .withValidRange(0, 7)
          .withMondayDoWValue(1)
          .withIntMapping(7, 0)
          .supportsL()
          .supportsHash()
          .supportsQuestionMark()
          .and()
          .matchDayOfWeekAndDayOfMonth()
          .instance();

  @Test
  void five_fields_have_no_seconds() {
    assertThat(CronExpression.parse("30 2 * * *").atOrAfter(NEW_YEAR))
        .isEqualTo("2026-01-01T02:30:00");
  }
}
