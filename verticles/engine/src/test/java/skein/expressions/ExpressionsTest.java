package skein.expressions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionsTest {
  private final Expressions expressions =
      new Expressions(ExpressionLimits.DEFAULT, System::nanoTime);
  private final FakeScope scope = new FakeScope().with("Tree", "oak");

  private @Nullable Object value(String type, Object value, String target) {
    return expressions.evaluate(new Expression(type, value), target, scope);
  }

  @Test
  void a_literal_takes_the_type_that_is_asked_for() {
    assertThat(value("Literal", "12", "Int32")).isEqualTo(12L);
    assertThat(value("Literal", 5L, "String")).isEqualTo("5");
    assertThat(value("Literal", "false", "Boolean")).isEqualTo(false);
    assertThat(value("Literal", "{}", "Elsa.Http.Models.HttpHeaders, Elsa.Http"))
        .isEqualTo(Map.of());
    assertThat(expressions.evaluate(new Expression("Literal", null), "String", scope)).isNull();
  }

  @Test
  void an_object_is_json_text() {
    assertThat(value("Object", "[\"GET\", \"POST\"]", "String[]"))
        .isEqualTo(List.of("GET", "POST"));
    assertThat(value("Json", "{\"a\": [1, 2.5]}", "Object"))
        .isEqualTo(Map.of("a", List.of(1L, 2.5)));
    assertThatThrownBy(() -> value("Object", "[1,", "Object"))
        .isInstanceOfSatisfying(
            ExpressionException.class,
            e -> assertThat(e.kind()).isEqualTo(ExpressionException.SYNTAX_ERROR));
  }

  @Test
  void a_variable_is_found_by_id_in_an_object_or_in_its_text() {
    assertThat(value("Variable", Map.of("id", "id-Tree", "name", "Other"), "String"))
        .isEqualTo("oak");
    assertThat(value("Variable", "{\"id\":\"id-Tree\"}", "String")).isEqualTo("oak");
    assertThat(value("Variable", "Tree", "String")).isEqualTo("oak");
  }

  @Test
  void an_input_is_found_by_name() {
    scope.inputs.put("Size", "7");

    assertThat(value("Input", Map.of("name", "Size"), "Int64")).isEqualTo(7L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"CSharp", "C#", "Python", "csharp"})
  void a_language_that_is_not_spoken_is_a_problem_and_an_error(String language) {
    var expression = new Expression(language, "return 1;");

    assertThat(expressions.problems(expression))
        .containsExactly(
            language
                + ": this language is not supported; write the expression in JavaScript"
                + " (line 1, column 1)");
    assertThatThrownBy(() -> expressions.evaluate(expression, "Object", scope))
        .isInstanceOfSatisfying(
            ExpressionException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(ExpressionException.UNSUPPORTED_LANGUAGE);
              assertThat(e.line()).isEqualTo(1);
              assertThat(e.column()).isEqualTo(1);
            });
  }

  @Test
  void a_language_that_nobody_knows_is_a_problem_too() {
    assertThat(expressions.problems(new Expression("Brainwave", "return 1;")))
        .containsExactly(
            "Brainwave: this language is not known; write Literal, Object, Variable, Input, Secret,"
                + " JavaScript or Liquid (line 1, column 1)");
  }

  @Test
  void a_secret_has_a_name_and_no_value() {
    assertThat(value("Secret", "payment-key", "String")).isNull();
    assertThat(expressions.problems(new Expression("secret", "payment.key_1"))).isEmpty();
    for (var wrong : List.of("", "../a", ".a", "a b", "a/b", "a".repeat(101))) {
      assertThat(expressions.problems(new Expression("Secret", wrong)))
          .singleElement()
          .asString()
          .startsWith("Secret: a secret has a name of letters");
    }
  }

  @Test
  void an_error_says_the_language_and_the_place() {
    assertThatThrownBy(() -> value("JavaScript", "1;\n2;\nfoo + 1", "Object"))
        .hasMessage("JavaScript: ReferenceError: foo is not defined (line 3, column 1)");
    assertThat(expressions.problems(new Expression("JavaScript", "1;\n  let = = 2")))
        .singleElement()
        .asString()
        .startsWith("JavaScript: ")
        .endsWith("(line 2, column 9)");
  }

  @Test
  void a_script_that_does_not_parse_is_a_problem_with_its_place() {
    assertThat(expressions.problems(new Expression("JavaScript", "1;\nlet = = 2")))
        .hasSize(1)
        .first()
        .asString()
        .contains("line 2");
    assertThat(expressions.problems(new Expression("JavaScript", "return {\n a: 1 }"))).isEmpty();
    assertThat(expressions.problems(new Expression("JavaScript", "1n"))).hasSize(1);
    assertThat(expressions.problems(new Expression("Object", "{"))).hasSize(1);
    assertThat(expressions.problems(new Expression("Literal", "{"))).isEmpty();
  }

  @Test
  void only_scripts_may_block() {
    assertThat(expressions.mayBlock(new Expression("JavaScript", "1"))).isTrue();
    assertThat(expressions.mayBlock(new Expression("Literal", "1"))).isFalse();
    assertThat(expressions.mayBlock(new Expression("Variable", "x"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Literal", "Object", "Json", "Variable", "Input", "Secret"})
  void a_language_is_named_in_any_case(String type) {
    for (var written :
        List.of(type, type.toLowerCase(Locale.ROOT), type.toUpperCase(Locale.ROOT))) {
      assertThat(expressions.mayBlock(new Expression(written, "1"))).as(written).isFalse();
      assertThat(expressions.problems(new Expression(written, "1"))).as(written).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"JavaScript", "javascript", "JAVASCRIPT", "Liquid", "liquid", "LIQUID"})
  void a_script_is_one_in_any_case(String type) {
    assertThat(expressions.mayBlock(new Expression(type, "1"))).isTrue();
    assertThat(expressions.problems(new Expression(type, "1"))).isEmpty();
    assertThat(expressions.problems(new Expression(type, "{{"))).isNotEmpty();
  }

  @Test
  void durations_and_instants_are_read_in_every_form_that_definitions_use() {
    assertThat(Expressions.duration("00:00:05")).isEqualTo(Duration.ofSeconds(5));
    assertThat(Expressions.duration("00:00:00.2")).isEqualTo(Duration.ofMillis(200));
    assertThat(Expressions.duration("-1.02:03:04.5"))
        .isEqualTo(Duration.parse("P1DT2H3M4.5S").negated());
    assertThat(Expressions.duration("PT5S")).isEqualTo(Duration.ofSeconds(5));
    assertThat(Expressions.duration(1500L)).isEqualTo(Duration.ofMillis(1500));
    assertThat(Expressions.instant("2020-01-01T00:00:00+01:00"))
        .isEqualTo(Instant.parse("2019-12-31T23:00:00Z"));
    assertThat(Expressions.instant("2020-01-01")).isEqualTo(Instant.parse("2020-01-01T00:00:00Z"));
    assertThatThrownBy(() -> Expressions.duration("soon")).isInstanceOf(ExpressionException.class);
    assertThatThrownBy(() -> Expressions.instant(" ")).isInstanceOf(ExpressionException.class);
  }

  @Test
  void names_take_the_form_that_scripts_use() {
    assertThat(ScriptName.of("my activity-1")).isEqualTo("MyActivity1");
    assertThat(ScriptName.of("adder")).isEqualTo("Adder");
  }
}
