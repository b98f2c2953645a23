package skein.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonFactory;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import skein.model.ErrorCode;
import skein.model.SkeinException;

class JsonTextTest {
  private static final JsonLimits SMALL = new JsonLimits(100, 3, 10, 20, 5);

  @Test
  void an_object_keeps_the_order_of_its_members() {
    var value =
        JsonText.parseObject("{\"b\":1,\"a\":[true,false,null],\"c\":{}}", JsonLimits.DEFAULT);

    assertThat(value.keySet()).containsExactly("b", "a", "c");
    assertThat(JsonText.print(value)).isEqualTo("{\"b\":1,\"a\":[true,false,null],\"c\":{}}");
  }

  @Test
  void every_character_is_written_as_jacksons_generator_writes_it() throws IOException {
    for (int c = 0; c <= Character.MAX_VALUE; c++) {
      var text = "before " + (char) c + " after";
      var expected = new StringWriter();
      try (var generator = new JsonFactory().createGenerator(expected)) {
        generator.writeStartObject();
        generator.writeFieldName(text);
        generator.writeString(text);
        generator.writeEndObject();
      }

      assertThat(JsonText.canonical(Map.of(text, text))).isEqualTo(expected.toString());
      if (StorableText.isStorable(text)) {
        assertThat(JsonText.print(Map.of(text, text))).isEqualTo(expected.toString());
      }
    }
  }

  @Test
  void escapes_stand_where_they_were_whatever_is_around_them() {
    assertThat(JsonText.print("\"a\"\\\n\u001f\u007fé\uD83D\uDE00\""))
        .isEqualTo("\"\\\"a\\\"\\\\\\n\\u001F\u007fé\uD83D\uDE00\\\"\"");
    assertThat(JsonText.print("\uD83D\n\u0000")).isEqualTo("\"\uFFFD\\n\uFFFD\"");
    assertThat(JsonText.print(List.of(Map.of(), List.of(), ""))).isEqualTo("[{},[],\"\"]");
  }

  @Test
  void a_value_within_a_composed_text_is_as_deep_as_it_is_there() {
    Object deepest = List.of();
    for (int i = 1; i < JsonLimits.DEPTH_CEILING - 2; i++) {
      deepest = List.of(deepest);
    }
    var value = deepest;
    var text = new StringBuilder("[[");

    JsonText.append(text, value, 2);

    assertThat(text.append("]]").toString()).isEqualTo(JsonText.print(List.of(List.of(value))));
    assertThatThrownBy(() -> JsonText.append(new StringBuilder(), value, 3))
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_DEEP));
  }

  @Test
  void what_was_parsed_cannot_be_changed() {
    var value = JsonText.parseObject("{\"a\":[1]}", JsonLimits.DEFAULT);

    assertThatThrownBy(() -> value.put("b", 1L)).isInstanceOf(UnsupportedOperationException.class);
    assertThat(value.get("a"))
        .isInstanceOfSatisfying(
            List.class,
            list ->
                assertThatThrownBy(list::clear).isInstanceOf(UnsupportedOperationException.class));
  }

  @Test
  void a_number_becomes_the_smallest_class_that_holds_it_exactly() {
    assertThat(parse("0")).isEqualTo(0L);
    assertThat(parse("-9223372036854775808")).isEqualTo(Long.MIN_VALUE);
    assertThat(parse("9223372036854775807")).isEqualTo(Long.MAX_VALUE);
    assertThat(parse("9223372036854775808")).isEqualTo(new BigInteger("9223372036854775808"));
    assertThat(parse("0.1")).isEqualTo(0.1);
    assertThat(parse("1e2")).isEqualTo(100.0);
    assertThat(parse("1.7976931348623157E308")).isEqualTo(Double.MAX_VALUE);
    assertThat(parse("4.9E-324")).isEqualTo(Double.MIN_VALUE);
    assertThat(parse("0.1234567890123456789")).isEqualTo(new BigDecimal("0.1234567890123456789"));
    assertThat(parse("1e350")).isEqualTo(new BigDecimal("1e350"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1e999",
        "-1e999",
        "1e-999",
        "1e99999999999999",
        "0e999999999",
        "1E2147483648",
        "1e-2147483649"
      })
  void a_tiny_text_never_becomes_a_huge_number(String text) {
    assertRefused(text, JsonLimits.DEFAULT, ErrorCode.TOO_LARGE, "digits, at 1:1");
  }

  @Test
  void too_many_digits_are_refused_before_they_are_read() {
    assertRefused("1".repeat(401), JsonLimits.DEFAULT, ErrorCode.TOO_LARGE, "400 digits");
    assertRefused("0." + "1".repeat(500), JsonLimits.DEFAULT, ErrorCode.TOO_LARGE, "400 digits");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[1,]",
        "{\"a\":1,}",
        "{a:1}",
        "'a'",
        "[1 2]",
        "01",
        "+1",
        ".5",
        "1.",
        "NaN",
        "Infinity",
        "-Infinity",
        "tru",
        "nul",
        "\"a",
        "\"\\x\"",
        "\"\t\"",
        "/**/1",
        "1//",
        "[1}",
        "]",
        "\u00a01",
        "\uFEFF"
      })
  void what_is_not_json_is_refused_with_the_place(String text) {
    var refusal = refusal(text, JsonLimits.DEFAULT);

    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_JSON);
    assertThat(refusal.detail()).containsPattern(", at \\d+:\\d+$");
  }

  @Test
  void the_place_is_a_line_and_a_column() {
    assertRefused(
        "{\n  \"a\": 1,\n  \"a\": 2}",
        JsonLimits.DEFAULT,
        ErrorCode.INVALID_JSON,
        "\"a\" is there twice, at 3:3");
    assertRefused("[1]\n x", JsonLimits.DEFAULT, ErrorCode.INVALID_JSON, ", at 2:");
    assertRefused(
        "{} {}", JsonLimits.DEFAULT, ErrorCode.INVALID_JSON, "Something follows the value, at 1:4");
  }

  @Test
  void a_byte_order_mark_is_accepted_at_the_start_alone() {
    assertThat(parse("\uFEFF{}")).isEqualTo(Map.of());
    assertThat(JsonText.parse("\uFEFF1".getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT))
        .isEqualTo(1L);
    assertRefused("{}\uFEFF", JsonLimits.DEFAULT, ErrorCode.INVALID_JSON, ", at 1:");
  }

  @Test
  void bytes_that_are_not_utf8_are_refused() {
    byte[][] texts = {
      {'"', (byte) 0xC3, '"'},
      {'"', (byte) 0xC0, (byte) 0x80, '"'},
      {'"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"'},
      {'"', (byte) 0xF5, (byte) 0x80, (byte) 0x80, (byte) 0x80, '"'},
      {0, '{', 0, '}'},
    };
    for (var text : texts) {
      var refusal =
          catchThrowableOfType(
              SkeinException.class, () -> JsonText.parse(text, JsonLimits.DEFAULT));
      assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_JSON);
    }
    assertThatThrownBy(
            () -> JsonText.parse(new byte[] {'\n', '"', (byte) 0xFF}, JsonLimits.DEFAULT))
        .hasMessage("The text is not UTF-8, at 2:2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"\\u0000\"",
        "{\"\\u0000\":1}",
        "\"\\ud800\"",
        "\"\\udc00\\ud800\"",
        "{\"a\\udfff\":1}",
        "\"\ud800\""
      })
  void what_cannot_be_stored_is_refused_in_strings_and_keys(String text) {
    assertRefused(text, JsonLimits.DEFAULT, ErrorCode.UNSTORABLE_TEXT, ", at 1:");
  }

  @Test
  void a_pair_of_surrogates_is_one_character() {
    assertThat(parse("\"\\ud83d\\ude00\"")).isEqualTo("\ud83d\ude00");
    assertThat(parse("\"\ud83d\ude00\"")).isEqualTo("\ud83d\ude00");
  }

  @Test
  void each_limit_is_the_last_value_that_passes() {
    assertThat(JsonText.parse("[[[1]]]", SMALL)).isEqualTo(List.of(List.of(List.of(1L))));
    assertRefused("[[[[1]]]]", SMALL, ErrorCode.TOO_DEEP, "More than 3 arrays");

    assertThat(JsonText.parse("\"0123456789\"", SMALL)).isEqualTo("0123456789");
    assertRefused("\"01234567890\"", SMALL, ErrorCode.TOO_LARGE, "A string has 11 characters");
    assertRefused("{\"01234567890\":1}", SMALL, ErrorCode.TOO_LARGE, "A key has 11 characters");

    assertThat(JsonText.parse("[1,2,3,4]", SMALL)).isEqualTo(List.of(1L, 2L, 3L, 4L));
    assertRefused("[1,2,3,4,5]", SMALL, ErrorCode.TOO_LARGE, "more than 5 values");

    assertThat(JsonText.parse(" ".repeat(99) + "1", SMALL)).isEqualTo(1L);
    assertRefused(" ".repeat(100) + "1", SMALL, ErrorCode.TOO_LARGE, "101 bytes");
    assertRefused("\"" + "€".repeat(40) + "\"", SMALL, ErrorCode.TOO_LARGE, "122 bytes");
  }

  @Test
  void a_deep_text_ends_in_a_refusal_and_not_in_a_full_stack() {
    assertRefused("[".repeat(500_000), JsonLimits.DEFAULT, ErrorCode.TOO_DEEP, "at 1:65");
    assertRefused("{\"a\":".repeat(100_000), JsonLimits.DEFAULT, ErrorCode.TOO_DEEP, ", at 1:");
  }

  @Test
  void what_is_printed_is_as_deep_as_can_be_read_again() {
    Object deepest = "bottom";
    for (int i = 0; i < JsonLimits.DEPTH_CEILING; i++) {
      deepest = i % 2 == 0 ? List.of(deepest) : Map.of("k", deepest);
    }
    var deeper = List.of(deepest);

    assertThat(JsonText.parse(JsonText.print(deepest), JsonLimits.STORED)).isEqualTo(deepest);
    assertThatThrownBy(() -> JsonText.print(deeper))
        .isInstanceOfSatisfying(
            SkeinException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_DEEP));
    assertThatThrownBy(() -> JsonText.print(Map.of("k", deeper)))
        .isInstanceOf(SkeinException.class);
  }

  @Test
  void random_damage_never_ends_in_another_exception() {
    var random = new Random(7);
    var good = JsonText.printBytes(new RandomValues(random).map(4));
    for (int i = 0; i < 5_000; i++) {
      var bytes = good.clone();
      for (int n = random.nextInt(1, 4); n > 0; n--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      try {
        JsonText.print(JsonText.parse(bytes, JsonLimits.DEFAULT));
      } catch (SkeinException e) {
        assertThat(e.code())
            .isIn(ErrorCode.INVALID_JSON, ErrorCode.TOO_LARGE, ErrorCode.UNSTORABLE_TEXT);
      }
    }
  }

  @Test
  void what_is_printed_parses_to_the_same_value() {
    var values = new RandomValues(new Random(1));
    for (int i = 0; i < 500; i++) {
      var value = values.map(5);

      assertThat(parse(JsonText.print(value))).isEqualTo(value);
      assertThat(JsonText.parse(JsonText.printBytes(value), JsonLimits.DEFAULT)).isEqualTo(value);
    }
  }

  @Test
  void equal_values_have_one_canonical_text() {
    assertThat(canonical("{\"b\":1.0,\"a\":[1.50, 1e2, -0.0, 1E350, 5e-7],\"B\":{ }}"))
        .isEqualTo("{\"B\":{},\"a\":[1.5,100,0,1e350,0.0000005],\"b\":1}");
    assertThat(canonical("123456789012345678901")).isEqualTo("123456789012345678901");
    assertThat(canonical("1234567890123456789012")).isEqualTo("1234567890123456789012e0");
    assertThat(canonical("1e30")).isEqualTo(canonical("1" + "0".repeat(30))).isEqualTo("1e30");
    assertThat(canonical("\"\\u0041/\\n\"")).isEqualTo("\"A/\\n\"");
  }

  @Test
  void what_cannot_be_stored_is_printed_as_a_replacement_and_can_be_read() {
    var value = new LinkedHashMap<String, @Nullable Object>();
    value.put("a\0", "x\0y");
    value.put("a\uFFFD", List.of("\uD83D", "\uDE00\uD83D", "\uD83D\uDE00"));
    value.put("a\uD83D", 1L);

    var read = parse(JsonText.print(value));

    var expected = new LinkedHashMap<String, @Nullable Object>();
    expected.put("a\uFFFD0", "x\uFFFDy");
    expected.put("a\uFFFD", List.of("\uFFFD", "\uFFFD\uFFFD", "\uD83D\uDE00"));
    expected.put("a\uFFFD2", 1L);
    assertThat(read).isEqualTo(expected);
    assertThat(JsonText.canonical("x\0")).isEqualTo("\"x\\u0000\"");
  }

  @Test
  void what_json_has_no_number_for_is_printed_as_null() {
    assertThat(JsonText.print(List.of(Double.NaN, Double.NEGATIVE_INFINITY, 1)))
        .isEqualTo("[null,null,1]");
  }

  @Test
  void a_value_that_contains_itself_is_refused() {
    var list = new ArrayList<Object>();
    list.add(list);

    assertThatThrownBy(() -> JsonText.print(list)).hasMessageContaining("more than 500");
  }

  private static @Nullable Object parse(String text) {
    return JsonText.parse(text, JsonLimits.DEFAULT);
  }

  private static String canonical(String text) {
    return JsonText.canonical(parse(text));
  }

  private static SkeinException refusal(String text, JsonLimits limits) {
    return catchThrowableOfType(SkeinException.class, () -> JsonText.parse(text, limits));
  }

  private static void assertRefused(String text, JsonLimits limits, ErrorCode code, String words) {
    var refusal = refusal(text, limits);
    assertThat(refusal).as(text.length() > 50 ? text.substring(0, 50) : text).isNotNull();
    assertThat(refusal.code()).isEqualTo(code);
    assertThat(refusal.detail()).contains(words);
  }
}
