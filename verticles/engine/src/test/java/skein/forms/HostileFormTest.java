package skein.forms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import skein.codecs.JsonLimits;
import skein.codecs.JsonText;

/** Forms and data made to take the processor, the stack or the memory of a node. */
@Timeout(30)
class HostileFormTest {
  /** Far above what any of them takes, and far below what they took or would take. */
  private static final long CPU_MILLIS_MAX = 3_000;

  private static final int STACK_BYTES = 512 << 10;

  // Patterns

  @ParameterizedTest
  @ValueSource(
      strings = {
        "^(a|a)*$",
        "^(a+)+$",
        "^([a-z]+)*[0-9]$",
        "^(.*)(.*)(.*)(.*)(.*)c$",
        "(x+x+)+y",
        "^(([a-z])+.)+[A-Z]([a-z])+$",
        "(a?){25}a{25}",
        "(.*,){11}P"
      })
  void patterns_that_backtrack_for_ever_elsewhere_are_linear(String pattern) {
    for (var text : List.of("a".repeat(33), "a".repeat(200), "a".repeat(20_000) + "!")) {
      checked("{'type': 'string', 'pattern': %s}".formatted(JsonText.print(pattern)), text);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(?=.*[A-Z])(?=.*[0-9]).{8,}",
        "(?<!a)b",
        "(a)\\1",
        "(?<n>a)\\k<n>",
        "a{1001}",
        "((((a{100}){100}){100}){100})",
        "(a{100}b{100}){90}",
        "(",
        ")",
        "[a",
        "a**",
        "*a",
        "a++",
        "\\",
        "\\u12",
        "\\Qa\\E",
        "(?>a)"
      })
  void patterns_that_cannot_be_run_in_linear_time_are_refused(String pattern) {
    var text = JsonText.print(pattern);
    assertThat(problems("{'properties': {'a': {'pattern': %s}}}".formatted(text)))
        .singleElement()
        .asString()
        .startsWith("/properties/a/pattern: the pattern \"");
    assertThat(problems("{'patternProperties': {%s: true}}".formatted(text)))
        .singleElement()
        .asString()
        .startsWith("/patternProperties: ");
  }

  @Test
  void a_pattern_of_many_groups_in_one_another_does_not_reach_the_stack() {
    assertThat(problems("{'pattern': '%s'}".formatted("(".repeat(15_000) + ")".repeat(15_000))))
        .isNotEmpty();
    assertThat(problems("{'pattern': '%s'}".formatted("(a?".repeat(45) + ")".repeat(45))))
        .isEmpty();
  }

  @Test
  void all_patterns_of_a_form_have_one_bound() {
    var many =
        IntStream.range(0, 600)
            .mapToObj(i -> "'p%d': {'pattern': '[a-z]{100}'}".formatted(i))
            .collect(Collectors.joining(","));
    assertThat(problems("{'properties': {%s}}".formatted(many)))
        .first()
        .asString()
        .contains("forms.pattern-size-max");
  }

  @Test
  void a_large_pattern_on_a_long_text_ends_with_its_steps() {
    var errors = checked("{'pattern': '([a-z]{1,400}){1,4}[A-Z]$'}", "a".repeat(500_000));
    assertThat(errors).singleElement().asString().contains("forms.steps-max");
  }

  // Arrays

  @Test
  void items_are_compared_in_linear_time() {
    var objects = new ArrayList<>();
    var numbers = new ArrayList<>();
    var alike = new ArrayList<>();
    for (var i = 0; i < 90_000; i++) {
      numbers.add((long) i);
      if (i < 20_000) {
        objects.add(Map.of("a", (long) i, "b", "x"));
      }
      if (i < 8_192) { // All have the same hash code.
        alike.add(List.of(sameHash(i)));
      }
    }
    for (var items : List.of(objects, numbers, alike)) {
      assertThat(checked("{'uniqueItems': true}", items)).isEmpty();
      items.add(items.getFirst());
      assertThat(checked("{'uniqueItems': true}", items)).hasSize(1);
    }
  }

  private static String sameHash(int number) {
    var text = new StringBuilder();
    for (var bit = 0; bit < 13; bit++) {
      text.append((number >> bit & 1) == 0 ? "Aa" : "BB");
    }
    return text.toString();
  }

  @Test
  void unique_items_within_unique_items_end_with_their_steps() {
    var schema = "true";
    for (var i = 0; i < 15; i++) {
      schema = "{'uniqueItems': true, 'items': %s}".formatted(schema);
    }
    @Nullable Object data =
        new ArrayList<>(IntStream.range(0, 100_000).mapToObj(i -> (long) i).toList());
    for (var i = 0; i < 14; i++) {
      data = List.of(data);
    }
    assertThat(checked(schema, data)).isEmpty();
  }

  @Test
  void many_items_that_contain_or_are_left_over_end_with_their_steps() {
    var numbers = new ArrayList<>(IntStream.range(0, 100_000).mapToObj(i -> (long) i).toList());
    checked("{'contains': {'type': 'string'}, 'unevaluatedItems': {'type': 'integer'}}", numbers);
    var nested =
        "{'allOf': [%s], 'unevaluatedItems': false}"
            .formatted(String.join(",", Collections.nCopies(300, "{'items': {'type':'integer'}}")));
    assertThat(checked(nested, numbers)).singleElement().asString().contains("forms.steps-max");
  }

  // Formats

  @ParameterizedTest
  @ValueSource(
      strings = {
        "idn-hostname",
        "hostname",
        "uri",
        "uri-reference",
        "uri-template",
        "iri",
        "url",
        "email",
        "idn-email",
        "ipv4",
        "ipv6",
        "regex",
        "json-pointer",
        "json-pointer-uri-fragment",
        "relative-json-pointer",
        "duration",
        "date-time",
        "time",
        "uuid",
        "byte"
      })
  void formats_take_one_pass(String format) {
    var units =
        List.of("a", "(", "[", "a.", "%41", "{a}", ":", "/", "@", "1", "~1", "é", "・", "\\");
    for (var start : List.of("", "http://", "{", "P", "a@", "12:00:00.", "#")) {
      for (var unit : units) {
        checked("{'format': '%s'}".formatted(format), start + unit.repeat(60_000 / unit.length()));
      }
    }
  }

  // References

  @Test
  void schemas_that_lead_to_themselves_without_the_value_are_refused() {
    for (var form :
        List.of(
            "{'$ref': '#'}",
            "{'allOf': [{'$ref': '#'}]}",
            "{'not': {'$ref': '#'}}",
            "{'if': {'$ref': '#'}}",
            "{'$ref': '#/$defs/a', '$defs': {'a': {'$ref': '#/$defs/b'}, 'b': {'anyOf': [{'$ref': '#/$defs/a'}]}}}",
            "{'dependentSchemas': {'a': {'$ref': '#'}}}",
            "{'dependencies': {'a': {'$ref': '#'}}}",
            "{'$dynamicAnchor': 'a', 'oneOf': [{'$dynamicRef': '#a'}]}",
            "{'$schema': 'https://json-schema.org/draft/2019-09/schema',"
                + " '$recursiveAnchor': true, 'anyOf': [{'$recursiveRef': '#'}]}")) {
      assertThat(problems(form)).as(form).first().asString().contains("refers to itself");
    }
    assertThat(problems("{'properties': {'a': {'$ref': '#'}}, 'items': {'$ref': '#'}}")).isEmpty();
  }

  @Test
  void references_that_double_are_bounded_where_they_stand_and_where_they_are_followed() {
    assertThat(problems(doubling(25))).first().asString().contains("too often");
    assertThat(problems(doubling(400))).isNotEmpty();
    checkedAnyway(doubling(21), 1L);
    var doublesByLevel =
        "{'properties': {'a': {'allOf': [{'$ref': '#'}, {'$ref': '#'}, {'$ref': '#'}]}}}";
    @Nullable Object data = 1L;
    for (var i = 0; i < 60; i++) {
      data = Map.of("a", data);
    }
    assertThat(checked(doublesByLevel, data))
        .singleElement()
        .asString()
        .contains("forms.steps-max");
  }

  private static String doubling(int times) {
    var definitions =
        IntStream.range(0, times)
            .mapToObj(i ->
                "'d%d': {'allOf': [{'$ref': '#/$defs/d%d'}, {'$ref': '#/$defs/d%d'}]}"
                    .formatted(i, i + 1, i + 1))
            .collect(Collectors.joining(","));
    return "{'$ref': '#/$defs/d0', '$defs': {%s, 'd%d': {'type': 'integer'}}}"
        .formatted(definitions, times);
  }

  @Test
  void references_that_lead_out_of_the_form_are_refused_at_their_place() {
    for (var reference :
        List.of(
            "http://localhost:1/x.json",
            "file:///etc/passwd",
            "https://json-schema.org/draft/2020-12/schema",
            "other.json#/a",
            "#/nowhere",
            "#anchor")) {
      assertThat(problems("{'properties': {'x': {'$ref': '%s'}}}".formatted(reference)))
          .singleElement()
          .asString()
          .startsWith("/properties/x: \"" + reference)
          .contains("nothing is fetched");
    }
  }

  // Size and depth

  @Test
  void neither_a_deep_form_nor_deep_data_reach_the_stack() throws Exception {
    var deep = "{'items': ".repeat(150) + "true" + "}".repeat(150);
    assertThat(problems(deep)).singleElement().asString().contains("forms.depth-max");
    var chain =
        IntStream.range(0, 900)
            .mapToObj(i -> "'d%d': {'$ref': '#/$defs/d%d'}".formatted(i, i + 1))
            .collect(
                Collectors.joining(",", "{'$ref': '#/$defs/d0', '$defs': {", ", 'd900': true}}"));
    assertThat(problems(chain)).first().asString().contains("one by one");
    var inPieces =
        IntStream.range(0, 30)
            .mapToObj(i -> "'p%d': {'$ref': '#/$defs/d%d'}".formatted(i, 900 - 30 * i))
            .collect(Collectors.joining(",", "'properties': {", "}, "));
    assertThat(problems(chain.replace("'$ref': '#/$defs/d0', '$defs'", inPieces + "'$defs'")))
        .first()
        .asString()
        .contains("one by one");
    var failed = new ArrayList<Throwable>();
    var small =
        new Thread(
            null,
            () -> {
              @Nullable Object data = 1L;
              for (var i = 0; i < 450; i++) {
                data = List.of(data);
              }
              assertThat(checked("{'anyOf': [{'items': {'$ref': '#'}}]}", data))
                  .singleElement()
                  .asString()
                  .contains("schemas deep");
              checked("{'items': {'$ref': '#'}, 'uniqueItems': true}", data);
            },
            "small-stack",
            STACK_BYTES);
    small.setUncaughtExceptionHandler((_, e) -> failed.add(e));
    small.start();
    small.join();
    assertThat(failed).isEmpty();
  }

  @Test
  void forms_and_data_beyond_their_size_are_refused() {
    assertThat(problems("{'title': '%s'}".formatted("x".repeat(70_000))))
        .singleElement()
        .asString()
        .contains("forms.schema-bytes-max");
    assertThat(checked("{'type': 'string'}", "x".repeat(1 << 20)))
        .singleElement()
        .asString()
        .contains("forms.data-bytes-max");
  }

  @Test
  void numbers_of_thousands_of_digits_are_divided_within_the_steps() {
    var long1 = new BigDecimal("1e9000").add(BigDecimal.ONE);
    var items = new ArrayList<>(Collections.nCopies(60, long1));
    checked("{'items': {'multipleOf': 0.%s3, 'minimum': 1}}".formatted("0".repeat(5_000)), items);
  }

  // Time

  @Test
  void a_check_that_gets_no_time_says_nothing_of_the_data() {
    var clock = new AtomicLong();
    var numbers = new ArrayList<>(IntStream.range(0, 20_000).mapToObj(i -> (long) i).toList());
    var form = Form.of(json("{'items': {'type': 'integer'}}"), FormLimits.DEFAULT);
    assertThatThrownBy(
            () -> form.errors(numbers, () -> clock.getAndAdd(Duration.ofSeconds(6).toNanos())))
        .isInstanceOf(StarvedCheckException.class)
        .hasMessageContaining("forms.time-max");
    assertThat(form.errors(numbers)).isEmpty();
  }

  private static List<String> problems(String form) {
    return Form.problems(json(form), FormLimits.DEFAULT);
  }

  private static List<String> checked(String form, @Nullable Object data) {
    var cpu = ManagementFactory.getThreadMXBean();
    var before = cpu.getCurrentThreadCpuTime();
    var errors = Form.of(json(form), FormLimits.DEFAULT).errors(data);
    assertThat(Duration.ofNanos(cpu.getCurrentThreadCpuTime() - before).toMillis())
        .as(form.length() > 200 ? form.substring(0, 200) : form)
        .isLessThan(CPU_MILLIS_MAX);
    return errors;
  }

  /** Whether the form is refused or not. */
  private static void checkedAnyway(String form, @Nullable Object data) {
    if (problems(form).isEmpty()) {
      checked(form, data);
    }
  }

  private static Map<String, @Nullable Object> json(String text) {
    var quoted =
        text.contains("\"")
            ? text.replaceAll("'(?=[^\"]*(\"[^\"]*\"[^\"]*)*$)", "\"")
            : text.replace('\'', '"');
    return JsonText.parseObject(quoted, JsonLimits.STORED);
  }
}
