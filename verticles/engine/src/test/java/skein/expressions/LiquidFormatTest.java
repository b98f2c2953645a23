package skein.expressions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Filters with format strings of .NET. */
class LiquidFormatTest {
  private static final Expressions EXPRESSIONS =
      new Expressions(ExpressionLimits.DEFAULT, EvaluationClocks.SYSTEM, Map.of());

  private final FakeScope scope = new FakeScope();

  private @Nullable Object render(String template) {
    return EXPRESSIONS.evaluate(new Expression("Liquid", template), "String", scope);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      ignoreLeadingAndTrailingWhitespace = true,
      textBlock =
          """
          1234.567 | N | 1,234.57
          -1234.567 | N1 | -1,234.6
          0.5 | N0 | 1
          -0.001 | N2 | 0.00
          "1e21" | N0 | 1,000,000,000,000,000,000,000
          1234.5 | F | 1234.50
          1234.5 | f3 | 1234.500
          1234.5 | C | ¤1,234.50
          -1234.5 | C0 | (¤1,235)
          0.12345 | P | 12.35 %
          0.12345 | P1 | 12.3 %
          1234.567 | E2 | 1.23E+003
          0.00012 | e | 1.200000e-004
          0 | E0 | 0E+000
          1234.567 | G | 1234.567
          1234.567 | G2 | 1.2E+03
          0.00001234 | G2 | 1.2E-05
          0.0001234 | G2 | 0.00012
          42 | D5 | 00042
          -42 | D | -42
          255 | X | FF
          255 | x4 | 00ff
          "7" | D3 | 007
          nil | N2 | 0.00
          1234.567 | #,##0.00 | 1,234.57
          0 | #,##0.00 | 0.00
          1234567 | #,# | 1,234,567
          0 | # | ~~
          5 | 000 | 005
          1234567 | 00-00-00 | 123-45-67
          1234567 | #,##0,K | 1,235K
          1234567 | 0,,.0 | 1.2
          0.086 | #0.##% | 8.6%
          0.086 | #0.#‰ | 86‰
          -5 | 0;(0);zero | (5)
          0 | 0;(0);zero | zero
          -0.2 | 0;(0);zero | zero
          -5 | 0;;zero | -5
          86000 | 0.###E+0 | 8.6E+4
          86000 | 0.###E+000 | 8.6E+004
          0.0086 | 0.0e-00 | 8.6e-03
          5 | 0 'items' \\#x | 5 items #x
          .5 | #.0 | .5
          """)
  void numbers_are_written_as_dotnet_writes_them(String number, String format, String expected) {
    var value = number.startsWith(".") ? "0" + number : number;

    assertThat(render("{{ " + value + " | format_number: \"" + format + "\" }}"))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          d | 02/03/2020
          D | Monday, 03 February 2020
          t | 04:05
          T | 04:05:06
          f | Monday, 03 February 2020 04:05
          F | Monday, 03 February 2020 04:05:06
          g | 02/03/2020 04:05
          G | 02/03/2020 04:05:06
          m | February 03
          M | February 03
          y | 2020 February
          s | 2020-02-03T04:05:06
          u | 2020-02-03 02:05:06Z
          r | Mon, 03 Feb 2020 02:05:06 GMT
          o | 2020-02-03T04:05:06.7890000+02:00
          yyyy-MM-dd HH:mm:ss.fff zzz | 2020-02-03 04:05:06.789 +02:00
          d.M.yy h:m:s tt K | 3.2.20 4:5:6 AM +02:00
          ddd dddd MMM MMMM | Mon Monday Feb February
          %d | 3
          yyyyy z zz t gg | 02020 +2 +02 A A.D.
          HH'h'\\m ff FFFFFF s.FFF | 04hm 78 789 6.789
          """)
  void dates_are_written_as_dotnet_writes_them(String format, String expected) {
    assertThat(render("{{ \"2020-02-03T04:05:06.789+02:00\" | format_date: \"" + format + "\" }}"))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          1234.567 ¦ format_number: "N2", "de-DE" | 1.234,57
          1234.567 ¦ format_number: "C", "de-DE" | 1.234,57 €
          1234.567 ¦ format_number: "C", "en-US" | $1,234.57
          1234.567 ¦ format_number: "C", "en" | $1,234.57
          -1234.5 ¦ format_number: "C2", "en-US" | -$1,234.50
          1234.567 ¦ format_number: "C", "ja-JP" | ￥1,235
          0.123 ¦ format_number: "P1", "de-DE" | 12,3 %
          0.123 ¦ format_number: "P1", "en-US" | 12.3%
          1234.5 ¦ format_number: "#,##0.00", "de" | 1.234,50
          "2020-02-03" ¦ format_date: "d", "en-US" | 2/3/2020
          "2020-02-03" ¦ format_date: "d", "de-DE" | 03.02.2020
          "2020-02-03" ¦ format_date: "dd/MM", "de-DE" | 03.02
          "2020-02-03" ¦ format_date: "D", "de-DE" | Montag, 3. Februar 2020
          "2020-02-03" ¦ format_date: "D", "en-US" | Monday, February 3, 2020
          "2020-02-03" ¦ format_date: "Y", "en-US" | February 2020
          "2020-02-03" ¦ format_date: "M", "de-DE" | 3. Februar
          "2020-02-03T16:05:00" ¦ format_date: "t", "en-US" | 4:05 PM
          "2020-02-03T16:05:00" ¦ format_date: "g", "fr-FR" | 03/02/2020 16:05
          """)
  void a_culture_has_its_own_signs_names_and_orders(String expression, String expected) {
    assertThat(render("{{ " + expression.replace('¦', '|') + " }}")).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          "hello {0} {1:C}" ¦ format_string: "world", 123 | hello world ¤123.00
          "{0:C} {1:N1}" ¦ format_string: 123, 4.25, culture: "en-US" | $123.00 4.3
          "[{0,5}] [{0,-5}]" ¦ format_string: "ab" | [   ab] [ab   ]
          "{{0}} {0}" ¦ format_string: 1.50 | {0} 1.5
          "{0} {1} {2}" ¦ format_string: true, nil, "x" | True  x
          "{0:dd.MM.yyyy} {1:dd}" ¦ format_string: "2020-02-03T04:05:06Z", "soon" | 03.02.2020 soon
          nil ¦ format_string: 1 | ~~
          """)
  void a_format_string_has_items_for_its_arguments(String expression, String expected) {
    assertThat(render("{{ " + expression.replace('¦', '|') + " }}")).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          "2020-05-18T02:13:09+00:00" ¦ time_zone: "America/New_York" ¦ date: "%F %H:%M %z" | 2020-05-17 22:13 -0400
          "2020-05-18T02:13:09" ¦ time_zone: "Australia/Adelaide" ¦ format_date: "g" | 05/18/2020 11:43
          "2020-12-18T02:13:09+01:00" ¦ time_zone: "utc" ¦ format_date: "HH:mm K" | 01:13 +00:00
          "now" ¦ time_zone: "Europe/Berlin" | 2026-01-02T04:04:05+01:00
          0 ¦ time_zone: "Asia/Kolkata" ¦ format_date: "o" | 1970-01-01T05:30:00.0000000+05:30
          "now" ¦ format_date: "s" | 2026-01-02T03:04:05
          "soon" ¦ time_zone: "utc" | ~~
          "soon" ¦ format_date: "d" | ~~
          "now" ¦ format_date | ~~
          1 ¦ format_number | ~~
          """)
  void instants_are_shown_in_the_time_zone_that_is_named(String expression, String expected) {
    assertThat(render("{{ " + expression.replace('¦', '|') + " }}")).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          1 ¦ format_number: "Q" | there is no number format Q
          1.5 ¦ format_number: "D" | whole number
          1e30 ¦ format_number: "X" | 64 bits
          1 ¦ format_number: "N", "not a culture" | there is no culture
          1 ¦ format_number: "N", "xx" | there is no culture xx
          "now" ¦ format_date: "q" | there is no date format q
          "now" ¦ format_date: "ffffffff" | digits of a second
          "now" ¦ format_date: "yyyy'" | not closed
          "now" ¦ time_zone: "Europe/Nowhere" | there is no time zone Europe/Nowhere
          "{1}" ¦ format_string: 1 | names the argument 1
          "{0" ¦ format_string: 1 | not closed
          "0}" ¦ format_string: 1 | closes nothing
          "{x}" ¦ format_string: 1 | an item that is none
          """)
  void a_wrong_format_says_what_to_write(String expression, String message) {
    var template = expression.replace('¦', '|').replace("1e30", "\"1e30\"");

    assertThatThrownBy(() -> render("{{ " + template + " }}"))
        .hasMessageContaining(message)
        .hasMessageContaining("(line 1, ")
        .isInstanceOfSatisfying(
            ExpressionException.class,
            e -> assertThat(e.kind()).isEqualTo(ExpressionException.RUNTIME_ERROR));
  }

  @Test
  void the_machine_s_own_locale_and_time_zone_are_not_asked() {
    var template =
        "{{ 1234.5 | format_number: 'C' }} {{ 'now' | format_date: 'F' }}"
            + " {{ 'now' | time_zone: 'local' }} {{ 1.5 | format_number: 'C', 'sv-SE' }}"
            + " {{ '{0:D}' | format_string: '2020-02-03T04:05:06' }}";
    var expected = render(template);
    var locale = Locale.getDefault();
    var zone = TimeZone.getDefault();
    try {
      Locale.setDefault(Locale.of("ar", "EG"));
      TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kolkata"));

      assertThat(render(template)).isEqualTo(expected);
    } finally {
      Locale.setDefault(locale);
      TimeZone.setDefault(zone);
    }
  }
}
