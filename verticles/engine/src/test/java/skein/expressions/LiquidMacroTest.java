package skein.expressions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tags that Liqp lacks: echo, liquid, macro. */
class LiquidMacroTest {
  private static final Expressions EXPRESSIONS =
      new Expressions(ExpressionLimits.DEFAULT, EvaluationClocks.SYSTEM, Map.of());

  private final FakeScope scope = new FakeScope().with("List", List.of(1L, 2L, 3L));

  private @Nullable Object render(String template) {
    return EXPRESSIONS.evaluate(new Expression("Liquid", template), "String", scope);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {% macro hello(first, last='Smith') %}Hello {{ first ¦ capitalize }} {{ last }}{% endmacro %}{{ hello('mike') }}, {{ hello(last= 'ros', first='sebastien') }} | Hello Mike Smith, Hello Sebastien ros
          {% macro m(a, b) %}[{{ a }}{{ b }}]{% endmacro %}{{ m() }}{{ m(1) }}{{ m(1, 2) }}{{ m (1, b = 3) }} | [][1][12][13]
          {% macro m() %}x{% endmacro %}{{ m() ¦ append: m() }}{% assign y = m() %}{{ y }}{% if m() == 'x' %}!{% endif %} | xxx!
          {% macro a(x) %}<{{ x }}>{% endmacro %}{% macro b(x) %}{{ a(x) }}{{ a(a(x)) }}{% endmacro %}{{ b(Variables.List[1]) }} | <2><<2>>
          {% assign o = 1 %}{% macro m() %}{{ o }}{% assign o = 2 %}{{ o }}{% endmacro %}{{ m() }}{{ o }} | 121
          {% assign o = 1 %}{% macro m(x = o) %}{{ x }}{% endmacro %}{% assign o = 2 %}{{ m() }} | 1
          {% macro m() %}a{% break %}b{% endmacro %}{% for i in (1..3) %}{{ i }}{{ m() }}{% endfor %} | 1a2a3a
          {% macro m(n) %}{{ n }}{% if n > 0 %}{% assign k = n ¦ minus: 1 %}{{ m(k) }}{% endif %}{% endmacro %}{{ m(3) }} | 3210
          {% macro m(l) %}{% for x in l %}{{ x }}{{ forloop.index }};{% endfor %}{% increment c %}{% endmacro %}{{ m(Variables.List) }}{{ m() }} | 11;22;33;01
          {% macro m(x) %}1{{ x }}{% endmacro %}{% macro m(x) %}2{{ x }}{% endmacro %}{{ m('a') }} | 2a
          {% if (1 == 1 or false) %}y{% endif %}{% for i in (1..2) %}{{ i }}{% endfor %} | y12
          {% comment %}{% macro m() %}{% echo 1 %}{% endcomment %}{% raw %}{% echo 1 %}{{ f() }}{% endraw %} | {% echo 1 %}{{ f() }}
          {% echo 'a' ¦ upcase %}{%- echo 1 -%} {% echo Variables.List ¦ size %} | A13
          {% if true %}{% echo 'x' %}{% else %}{% echo 'y' %}{% endif %} | x
          {% tablerow x in Variables.List cols:2 %}{{ x }}{% endtablerow %} | <tr class="row1">$<td class="col1">1</td><td class="col2">2</td></tr>$<tr class="row2"><td class="col1">3</td></tr>$
          """)
  void tags_of_elsas_liquid(String template, String expected) {
    assertThat(render(template.replace('¦', '|'))).isEqualTo(expected.replace('$', '\n'));
  }

  @Test
  void a_liquid_tag_has_one_tag_on_a_line() {
    assertThat(
            render(
                """
                [{% liquid
                  # don't count this
                  assign x = 2

                  for i in (1..3)
                    if i == x
                      continue
                    endif
                    echo i | times: 10
                    echo ','
                  endfor
                  comment
                    don't count {{ this }} either
                  endcomment
                  echo 'a
                b %}' | upcase
                  echo
                    'c'
                    | append: 'd'
                %}]\
                """))
        .isEqualTo("[10,30,A\nB %}cd]");
    assertThat(render("a {%- liquid echo 1 -%} b{% liquid %}{%- liquid\n\n-%} c"))
        .isEqualTo("a1bc");
    assertThat(render("{{ '{% liquid %}' }}{% raw %}{% liquid x %}{% endraw %}"))
        .isEqualTo("{% liquid %}{% liquid x %}");
    assertThat(render("{% # don't %}{% liquid\r\nassign a = 1\r\necho a\r\n%}'")).isEqualTo("1'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {% liquid$  echo 1$  echo 'x' ¦ nofilter %} | no filter nofilter (line 3, column 14)
          a$ {% liquid echo 'x' ¦ nofilter$ echo 1 %} | no filter nofilter (line 2, column 23)
          {% liquid$ echo 1$ echo ~~$ %}{{ $ | (line
          {{ nobody(1) }} | there is no macro nobody: define it with {% macro nobody() %} (line 1, column 4)
          {{ Variables.List(1) }} | only macros can be called, by their name
          {% macro m %}{% endmacro %} | a macro has a name and parameters
          {% macro m(1) %}{% endmacro %} | a parameter of a macro is a name
          {% macro m() %}{% else %}{% endmacro %} | a macro has no else
          {% macro m() %}{% endif %} | (line 1
          {% macro m() %} | (line 1
          {% if a %}{% endmacro %} | (line 1
          {{ m( }} | (line 1
          {% macro m() %}{% endmacro %}{{ m(1 2) }} | (line 1
          """)
  void what_does_not_parse_says_where(String template, String message) {
    var source = template.replace('¦', '|').replace('$', '\n');

    assertThat(EXPRESSIONS.problems(new Expression("Liquid", source)))
        .singleElement()
        .asString()
        .contains(message.replace("~", ""));
    assertThatThrownBy(() -> render(source))
        .isInstanceOfSatisfying(
            ExpressionException.class,
            e -> assertThat(e.kind()).isEqualTo(ExpressionException.SYNTAX_ERROR));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {{ m() }}{% macro m() %}{% endmacro %} | not defined yet
          {% macro m(a) %}{% endmacro %}{{ m(1, 2) }} | has 1 parameters, and more were given
          {% macro m(a) %}{% endmacro %}{{ m(b = 2) }} | has no parameter b
          """)
  void a_wrong_call_says_what_is_wrong(String template, String message) {
    assertThatThrownBy(() -> render(template))
        .hasMessageContaining(message)
        .isInstanceOfSatisfying(
            ExpressionException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(ExpressionException.RUNTIME_ERROR);
              assertThat(e.line()).isEqualTo(1);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{% include 'file' %}",
        "{% render 'file' %}",
        "{% render 'file', a: 1 %}",
        "{% from 'file' import field %}",
        "{% liquid\nrender 'file'\n%}",
        "{% if false %}{% include 'file' %}{% endif %}"
      })
  void tags_that_read_other_templates_are_refused(String template) {
    assertThat(EXPRESSIONS.problems(new Expression("Liquid", template)))
        .singleElement()
        .asString()
        .contains("is not supported", "write the text here", "(line ");
    assertThatThrownBy(() -> render(template))
        .isInstanceOfSatisfying(
            ExpressionException.class,
            e -> assertThat(e.kind()).isEqualTo(ExpressionException.UNSUPPORTED_TAG));
  }
}
