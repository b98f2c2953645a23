package skein.expressions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Node gave for each line of {@code expressions.txt}, scripts give here. */
class NodeAgreesTest {
  private static final int CASES_MIN = 900;
  private static final int RHINO_CASES_MIN = 60;
  private static final String RHINO = "what Rhino did not have or had otherwise";
  private static final Pattern THROWN =
      Pattern.compile("^(?:JavaScript: )?(\\w*Error|the script threw .*?)(?=:|$| \\(line)");

  private static final Expressions EXPRESSIONS =
      new Expressions(ExpressionLimits.DEFAULT, EvaluationClocks.SYSTEM, Map.of());
  private static final JavaScript ENGINE =
      new JavaScript(ExpressionLimits.DEFAULT, EvaluationClocks.SYSTEM, Map.of());

  private static final List<Case> CASES =
      resource("node-values.jsonl").lines().skip(1).map(Case::of).toList();

  /** {@code answer}: of a value, or of what was thrown. */
  private record Case(String section, String source, String answer) {
    static Case of(String line) {
      var json = (Map<?, ?>) Objects.requireNonNull(JsonText.parse(line));
      return new Case(
          String.valueOf(json.get("section")),
          String.valueOf(json.get("source")),
          json.containsKey("error") ? "throws " + json.get("error") : shown(json.get("value")));
    }
  }

  private static String resource(String name) {
    try (var in = NodeAgreesTest.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Members in their order; numbers as doubles, which is all that scripts know. */
  private static String shown(@Nullable Object value) {
    return switch (value) {
      case Number number -> Double.toString(number.doubleValue());
      case List<?> list ->
          list.stream().map(NodeAgreesTest::shown).collect(Collectors.joining(",", "[", "]"));
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(member -> member.getKey() + ":" + shown(member.getValue()))
              .collect(Collectors.joining(",", "{", "}"));
      case String text -> "'" + text + "'";
      case null, default -> String.valueOf(value);
    };
  }

  private static String thrown(ExpressionException e) {
    if (!e.kind().equals(ExpressionException.RUNTIME_ERROR)) {
      return "throws " + e.kind();
    }
    var name = THROWN.matcher(String.valueOf(e.getMessage()));
    return "throws " + (name.find() ? name.group(1) : e.getMessage());
  }

  private static List<String> differences(
      List<Case> cases, BiFunction<String, Scope, @Nullable Object> evaluate) {
    return cases.stream()
        .map(one -> {
          String answer;
          try {
            answer = shown(evaluate.apply(one.source(), new FakeScope()));
          } catch (ExpressionException e) {
            answer = thrown(e);
          }
          return answer.equals(one.answer())
              ? ""
              : "%s gives %s, in Node %s".formatted(one.source(), answer, one.answer());
        })
        .filter(difference -> !difference.isEmpty())
        .toList();
  }

  @Test
  void expressions_have_the_values_of_node() {
    assertThat(
            differences(
                CASES,
                (source, scope) ->
                    EXPRESSIONS.evaluate(new Expression("JavaScript", source), "Object", scope)))
        .isEmpty();
  }

  /** Without the evaluator of plain scripts, which answers some of them before. */
  @Test
  void the_engine_alone_has_them_too() {
    assertThat(differences(CASES, ENGINE::engineValue)).isEmpty();
  }

  /** What the page on scripts says of QuickJS-ng; a line here that fails may move to the list. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          try { 1; throw 0 } catch { }           | 1.0
          a: b: while (true) { continue a }      | throws SyntaxError
          var a; new a?.b()                      | throws TypeError
          typeof Iterator + typeof AggregateError | 'undefinedundefined'
          """)
  void what_is_known_to_differ_differs_so(String source, String answer) {
    assertThat(differences(List.of(new Case("", source, answer)), ENGINE::engineValue)).isEmpty();
  }

  @Test
  void the_values_are_those_of_the_expressions_that_are_listed() {
    var listed =
        resource("expressions.txt")
            .lines()
            .filter(line -> !line.isEmpty() && !line.startsWith("# "))
            .map(line -> line.replace('⏎', '\n'))
            .toList();

    assertThat(resource("node-values.jsonl").lines().findFirst().orElseThrow())
        .matches("\\{\"node\":\"v[0-9.]+\"}");
    assertThat(CASES.stream().map(Case::source).toList()).isEqualTo(listed);
    assertThat(listed).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(CASES_MIN);
    assertThat(CASES.stream().filter(one -> one.section().equals(RHINO)))
        .hasSizeGreaterThanOrEqualTo(RHINO_CASES_MIN);
  }
}
