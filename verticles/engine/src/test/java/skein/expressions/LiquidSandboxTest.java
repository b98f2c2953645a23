package skein.expressions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Templates that mean harm. The limits are such that each ends by them and not by the machine. */
class LiquidSandboxTest {
  private static final Expressions EXPRESSIONS =
      new Expressions(
          new ExpressionLimits(
              ExpressionLimits.Times.ofCpu(Duration.ofSeconds(20)),
              3_000_000,
              64L << 20,
              1 << 20,
              256,
              1 << 20,
              64 << 10),
          System::nanoTime);

  private final FakeScope scope =
      new FakeScope()
          .with("Big", "a".repeat(100_000))
          .with("Signs", "&".repeat(100_000))
          .with("Half", "a".repeat(50_000) + "b")
          .with("Zeros", "0".repeat(1 << 20))
          .with("Percents", "0" + "%".repeat((1 << 20) - 1))
          .with("Commas", "0" + ",".repeat((1 << 20) - 1))
          .with("Years", "yyyy ".repeat(200_000))
          .with("Items", "{0}".repeat(300_000))
          .with("List", Collections.nCopies(10_000, List.of("a".repeat(100))));

  private String kind(String template) {
    var thrown =
        catchThrowable(
            () -> EXPRESSIONS.evaluate(new Expression("Liquid", template), "String", scope));
    assertThat(thrown).as(template).isInstanceOf(ExpressionException.class);
    return ((ExpressionException) thrown).kind();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{% for i in (1..2000000000) %}{% endfor %}",
        "{% for i in (1..1000) %}{% for j in (1..1000) %}{% for k in (1..1000) %}{% endfor %}{% endfor %}{% endfor %}",
        "{% for i in (1..100000) %}{% for j in (1..100) %}x{% endfor %}{% endfor %}",
        "{% assign s = 'x' %}{% for i in (1..64) %}{% assign s = s | append: s %}{% endfor %}",
        "{% assign s = Variables.Big %}{% for i in (1..64) %}{% assign s = s | prepend: s %}{% endfor %}",
        "{% capture s %}x{% endcapture %}{% for i in (1..64) %}{% capture s %}{{ s }}{{ s }}{% endcapture %}{% endfor %}",
        "{% assign l = '1,2' | split: ',' %}{% for i in (1..64) %}{% assign l = l | concat: l %}{% endfor %}",
        "{{ Variables.Big | replace: 'a', Variables.Big }}",
        "{{ Variables.Big | split: '' | join: Variables.Big }}",
        "{{ Variables.Signs | escape | escape | escape }}",
        "{{ Variables.Signs | url_encode | url_encode | url_encode | url_encode }}",
        "{% for i in (1..100000) %}{% if Variables.Big contains Variables.Half %}x{% endif %}{% endfor %}",
        "{% for i in (1..100000) %}{% if Variables.List == Variables.List %}{% endif %}{% endfor %}",
        "{% for i in (1..100000) %}{% if Variables.List contains Variables.Big %}x{% endif %}{% endfor %}",
        "{% for i in (1..100000) %}{% for x in Variables.List limit:1 %}{% endfor %}{% endfor %}",
        "{% for i in (1..100000) %}{% case Variables.List %}{% when Variables.Big %}{% endcase %}{% cycle Variables.Big, Variables.Half %}{% endfor %}",
        "{% for i in (1..100000) %}{% assign x = Variables.List | sort | uniq | reverse %}{% endfor %}",
        "{% for i in (1..100000) %}{{ Variables.List | json | size }}{% endfor %}",
        "{% for i in (1..100000) %}{{ 'now' | date: Variables.Big | size }}{% endfor %}",
        "{% tablerow x in Variables.List cols:1 %}{{ Variables.Big }}{% endtablerow %}",
        "{{ Variables.Big | replace: Variables.Half, '' | replace: Variables.Half, '' }}",
        "{% for i in (1..1000) %}{{ Variables.Big }}{% endfor %}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}",
        "{% macro m(n) %}{% if n > 0 %}{% assign k = n | minus: 1 %}{{ m(k) }}{{ m(k) }}{% endif %}{% endmacro %}{{ m(60) }}",
        "{% macro m(n) %}{{ Variables.Big }}{% endmacro %}{% for i in (1..1000) %}{{ m() }}{% endfor %}",
        "{% macro m(s) %}{% assign s = s | append: s %}{{ m(s) }}{% endmacro %}{{ m('x') }}",
        "{{ 1 | format_number: 'N999999999' }}",
        "{{ 1 | format_number: 'E999999999' }}",
        "{{ 1 | format_number: 'D999999999' }}",
        "{{ 1 | format_number: 'X999999999' }}",
        "{{ '{0,999999}{0,999999}' | format_string: 1 }}",
        "{{ '{0:N99999999}' | format_string: 1 }}",
        "{% for i in (1..100000) %}{{ 1 | format_number: Variables.Zeros }}{% endfor %}",
        "{% for i in (1..100000) %}{{ 1 | format_number: Variables.Percents | size }}{% endfor %}",
        "{% for i in (1..100000) %}{{ 1 | format_number: Variables.Commas | size }}{% endfor %}",
        "{% for i in (1..100000) %}{{ 'now' | format_date: Variables.Years | size }}{% endfor %}",
        "{% for i in (1..100000) %}{{ 'now' | format_date: 'D', 'de-DE' | size }}{% endfor %}",
        "{% for i in (1..100000) %}{{ Variables.Items | format_string: Variables.Big | size }}{% endfor %}",
        "{% for i in (1..100000) %}{{ 'now' | time_zone: 'Europe/Berlin' }}{% endfor %}",
      })
  void a_template_cannot_exceed_its_budget(String template) {
    assertThat(kind(template)).isEqualTo(ExpressionException.BUDGET_EXCEEDED);
  }

  @Test
  void the_text_of_a_template_is_bounded_too() {
    assertThat(kind("x".repeat(70_000))).isEqualTo(ExpressionException.BUDGET_EXCEEDED);
    assertThat(kind("{% if a %}".repeat(1000) + "{% endif %}".repeat(1000)))
        .isEqualTo(ExpressionException.BUDGET_EXCEEDED);
    assertThat(kind("{% if " + "(".repeat(5000) + "a" + ")".repeat(5000) + " %}{% endif %}"))
        .isEqualTo(ExpressionException.BUDGET_EXCEEDED);
    assertThat(kind("{% if a" + " or a".repeat(5000) + " %}{% endif %}"))
        .isEqualTo(ExpressionException.BUDGET_EXCEEDED);
    assertThat(kind("{{ a" + "[a".repeat(5000) + "]".repeat(5000) + " }}"))
        .isEqualTo(ExpressionException.BUDGET_EXCEEDED);
  }

  @Test
  void lines_of_a_liquid_tag_are_bounded_too() {
    assertThat(kind("{% liquid\n" + "echo 1\n".repeat(9_000) + "nope\n%}"))
        .isIn(ExpressionException.BUDGET_EXCEEDED, ExpressionException.SYNTAX_ERROR);
    assertThat(kind("{% liquid\n" + "if a\n".repeat(1000) + "endif\n".repeat(1000) + "%}"))
        .isEqualTo(ExpressionException.BUDGET_EXCEEDED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{ ",
        "{% ",
        "{{ '",
        "{{ \"",
        "{% comment %}",
        "{% raw %}",
        "{{ a.b ",
        "{{ a | b: ",
        "<",
        "}}",
        "{% if a",
        "{{ a }}",
        "{% assign a = 1 %}",
        "{% comment %}x{% endcomment %}",
        "{%- ",
        "{{ a['b'] }}",
        "{% liquid ",
        "{% liquid\n echo 1\n%}",
        "{% macro m() %}",
        "{% endmacro %}",
        "{{ f(",
        "{{ f() }}",
        "{{ f(a,",
        "\necho 1"
      })
  void any_text_ends_in_time_and_in_one_of_our_errors(String part) {
    var started = System.nanoTime();

    var thrown =
        catchThrowable(() ->
            EXPRESSIONS.evaluate(
                new Expression("Liquid", part.repeat(60_000 / part.length())), "String", scope));

    if (thrown != null) {
      assertThat(thrown).isInstanceOf(ExpressionException.class);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(20));
  }
}
