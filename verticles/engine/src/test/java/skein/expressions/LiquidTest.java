package skein.expressions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LiquidTest {
  private static final Expressions EXPRESSIONS =
      new Expressions(ExpressionLimits.DEFAULT, EvaluationClocks.SYSTEM, Map.of("Region", "eu"));

  private final FakeScope scope = new FakeScope();

  private @Nullable Object render(String template) {
    return EXPRESSIONS.evaluate(new Expression("Liquid", template), "String", scope);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          plain | plain
          {{ Variables.Name }} is {{ Variables.Age }} | Jo is 41
          {{ Variables.Order.Lines[0].Sku }} {{ Variables.Order["Id"] }} | A1 7
          {{ Variables.Order.Lines.size }} {{ Variables.Order.Lines.first.Sku }} {{ Variables.Order.Lines.last.Sku }} | 2 A1 B2
          {{ Input.Message }} {{ Input.message }} | hi hi
          {{ Output.Adder.Total }} {{ Output.Adder }} {{ LastResult }} | 11 10 9
          {{ WorkflowInstanceId }}/{{ WorkflowDefinitionId }}/{{ WorkflowDefinitionVersionId }}/{{ WorkflowDefinitionVersion }}/{{ CorrelationId }} | instance-1/definition-1/version-1/3/c-1
          {{ Configuration.Region }} | eu
          [{{ Variables.Nope }}{{ Nope.a.b }}{{ Input.Nope }}] | []
          {{ Variables.Order }} | {"Id":7,"Lines":[{"Sku":"A1","Price":2.5},{"Sku":"B2","Price":10}]}
          {{ Variables.Order.Lines[1] ¦ json }} | {"Sku":"B2","Price":10}
          {{ Variables.Order ¦ keys ¦ join: "," }} | Id,Lines
          {{ Variables.Yes }} {{ Variables.Half }} {{ 1.50 }} {{ 3 }} | true 0.5 1.5 3
          {% if Variables.Empty %}yes{% else %}no{% endif %} | yes
          {% if Variables.Name == "Jo" and Variables.Age > 40 %}yes{% elsif true %}or{% endif %} | yes
          {% unless Variables.Age <= 40 %}old{% endunless %} | old
          {% if Variables.Empty == empty %}e{% endif %}{% if Variables.Nope == nil %}n{% endif %}{% if Variables.Nope == blank %}b{% endif %} | enb
          {% if "41" == Variables.Age %}same{% endif %}{% if Variables.Tags contains "b" %} in{% endif %}{% if Variables.Name contains "J" %} J{% endif %} | same in J
          {% case Variables.Name %}{% when "Al" %}1{% when "Bo", "Jo" %}2{% else %}3{% endcase %} | 2
          {% case Variables.Name %}{% when "Al" %}1{% else %}3{% endcase %} | 3
          {% for line in Variables.Order.Lines %}{{ forloop.index }}:{{ line.Sku }}{% unless forloop.last %},{% endunless %}{% endfor %} | 1:A1,2:B2
          {% for i in (1..5) %}{% if i == 4 %}stop{% break %}{% endif %}{% if i == 2 %}-{% continue %}{% endif %}{{ i }}{% endfor %}! | 1-3stop!
          {% for x in Variables.Nope %}x{% else %}none{% endfor %} | none
          {% for i in (1..6) reversed limit:2 offset:1 %}{{ i }}{% endfor %} | 32
          {% for pair in Variables.Order.Lines[0] %}{{ pair[0] }}={{ pair[1] }};{% endfor %} | Sku=A1;Price=2.5;
          {% assign x = Variables.Age ¦ plus: 1 %}{% capture y %}<{{ x }}>{% endcapture %}{{ y }} | <42>
          {% cycle "a", "b" %}{% cycle "a", "b" %}{% increment n %}{% increment n %}{% raw %}{{ x }}{% endraw %}{% comment %}no{% endcomment %} | ab01{{ x }}
          a {{- 1 -}} b | a1b
          """)
  void templates_see_their_scope(String template, String expected) {
    scope
        .with("Name", "Jo")
        .with("Age", 41L)
        .with("Yes", true)
        .with("Half", 0.5)
        .with("Empty", "")
        .with("Tags", List.of("a", "b"))
        .with("Order", order());
    scope.inputs.put("Message", "hi");
    scope.outputs.put("Adder.Result", 10L);
    scope.outputs.put("Adder.Total", 11L);
    scope.lastResult = 9L;
    scope.correlationId = "c-1";

    assertThat(render(template.replace('¦', '|'))).isEqualTo(expected);
  }

  @Test
  void links_are_kept_when_the_template_was_rendered() {
    assertThat(render("{{ 'A' | create_event_trigger_url: '01:00:00' }}"))
        .isEqualTo("event/A/01:00:00");
    assertThat(render("{{ 'B' | generate_bookmark_trigger_url }}")).isEqualTo("bookmark/B/null");
    assertThatThrownBy(() ->
            render(
                "{{ 'C' | create_event_trigger_url }}{{ 'nobody' | generate_bookmark_trigger_url }}"))
        .hasMessageContaining("nothing waits at nobody");

    assertThat(scope.links).containsExactly("event/A/01:00:00", "bookmark/B/null");
  }

  private static Map<String, Object> order() {
    var first = new java.util.LinkedHashMap<String, Object>();
    first.put("Sku", "A1");
    first.put("Price", 2.5);
    var second = new java.util.LinkedHashMap<String, Object>();
    second.put("Sku", "B2");
    second.put("Price", 10L);
    var order = new java.util.LinkedHashMap<String, Object>();
    order.put("Id", 7L);
    order.put("Lines", List.of(first, second));
    return order;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          "aBc" ¦ upcase | ABC
          "ABC" ¦ downcase ¦ capitalize | Abc
          "a" ¦ append: "b" ¦ prepend: "c" | cab
          "  a " ¦ strip ¦ append: "." | a.
          "a-b-a" ¦ replace: "a", "xx" | xx-b-xx
          "a-b-a" ¦ replace_first: "a", "x" | x-b-a
          "a-b-a" ¦ replace_last: "a", "x" | a-b-x
          "a-b-a" ¦ remove: "a" | -b-
          "a-b-a" ¦ remove_first: "a" | -b-a
          "abcdef" ¦ slice: 1, 3 | bcd
          "abcdef" ¦ slice: -2 | e
          "a,b,c" ¦ split: "," ¦ join: "+" | a+b+c
          "a,b,c" ¦ split: "," ¦ reverse ¦ first | c
          "abc" ¦ split: "" ¦ last | c
          "abcdefgh" ¦ truncate: 5 | ab...
          "a b c d" ¦ truncatewords: 2 | a b...
          "<b>&" ¦ escape | &lt;b&gt;&amp;
          "&lt;<" ¦ escape_once | &lt;&lt;
          "<p>a<br>b</p><!-- c -->" ¦ strip_html | ab
          "a b&c" ¦ url_encode | a+b%26c
          "Grüße(1).*" ¦ url_encode | Gr%C3%BC%C3%9Fe(1).*
          "Gr%c3%BC" ¦ url_decode | Grü
          "a+b%26c" ¦ url_decode | a b&c
          "Grüße" ¦ base64 | R3LDvMOfZQ==
          "Grüße" ¦ base64_encode ¦ base64_decode | Grüße
          "a" ¦ json | "a"
          nil ¦ json | null
          "x,y" ¦ split: "," ¦ json | ["x","y"]
          nil ¦ default: "d" | d
          "" ¦ default: "d" | d
          "b,a,C" ¦ split: "," ¦ sort ¦ join: "" | Cab
          "b,a,C" ¦ split: "," ¦ sort_natural ¦ join: "" | abC
          "a,b,a" ¦ split: "," ¦ uniq ¦ size | 2
          "a,b" ¦ split: "," ¦ concat: Variables.List ¦ join: "," | a,b,3,1,2
          Variables.List ¦ sort ¦ join: "," | 1,2,3
          Variables.List ¦ sum | 6
          Variables.People ¦ map: "name" ¦ join: "," | Al,Bo
          Variables.People ¦ where: "age", 2 ¦ map: "name" | Bo
          Variables.People ¦ where: "ok" ¦ map: "name" | Al
          "abc" ¦ md5 | 900150983cd24fb0d6963f7d28e17f72
          "abc" ¦ sha1 | a9993e364706816aba3e25717850c26c9cd0d89d
          "abc" ¦ sha256 | ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
          "" ¦ md5 | ~~
          "HelloWorld 2X" ¦ handle | hello-world2x
          "HelloWorld 2X" ¦ handleize | hello-world2x
          Variables.List ¦ base64 | WzMsMSwyXQ==
          Variables.People ¦ reject: "age", 2 ¦ map: "name" | Al
          Variables.People ¦ reject: "ok" ¦ map: "name" | Bo
          Variables.People ¦ find: "age", 2 ¦ map: "name" | Bo
          Variables.People ¦ find_index: "name", "Bo" | 1
          Variables.People ¦ has: "name", "Al" | true
          Variables.People ¦ has: "name", "Cy" | false
          Variables.List ¦ has: 3 | true
          Variables.List ¦ has: 4 | false
          Variables.People ¦ find_index: "name", "Cy" | ~~
          "x,yz" ¦ split: "," ¦ find: "z" | yz
          Variables.People ¦ sort: "age" ¦ map: "name" ¦ join: "," | Al,Bo
          -5 ¦ abs | 5
          7 ¦ divided_by: 2 | 3
          7 ¦ divided_by: 2.0 | 3.5
          7 ¦ modulo: 4 | 3
          1.5 ¦ times: 3 | 4.5
          "1.25" ¦ plus: 1 | 2.25
          10 ¦ minus: 3 ¦ at_most: 5 ¦ at_least: 6 | 6
          1.5 ¦ ceil | 2
          1.5 ¦ floor | 1
          1.456 ¦ round: 2 | 1.46
          2.5 ¦ round | 3
          "now" ¦ date: "%Y-%m-%d %H:%M:%S %z" | 2026-01-02 03:04:05 +0000
          "2020-02-03T04:05:06+02:00" ¦ date: "%-d %B %y %A %I:%M %p %j %s%%" | 3 February 20 Monday 04:05 AM 034 1580695506%
          0 ¦ date: "%F %T" | 1970-01-01 00:00:00
          "soon" ¦ date: "%F" | soon
          """)
  void filters_do_what_liquid_says(String expression, String expected) {
    scope
        .with("List", List.of(3L, 1L, 2L))
        .with(
            "People",
            List.of(Map.of("name", "Al", "age", 1L, "ok", true), Map.of("name", "Bo", "age", 2L)));

    assertThat(render("{{ " + expression.replace('¦', '|') + " }}")).isEqualTo(expected);
  }

  @Test
  void the_text_becomes_the_type_that_is_asked_for() {
    scope.with("Age", 41L);
    var expression = new Expression("Liquid", "{{ Variables.Age }}");

    assertThat(EXPRESSIONS.evaluate(expression, "Int32", scope)).isEqualTo(41L);
    assertThat(EXPRESSIONS.evaluate(new Expression("Liquid", "{\"a\":[1]}"), "JsonObject", scope))
        .isEqualTo(Map.of("a", List.of(1L)));
    assertThat(EXPRESSIONS.evaluate(new Expression("Liquid", ""), "Int32", scope)).isNull();
    assertThat(EXPRESSIONS.evaluate(new Expression("Liquid", null), "String", scope)).isEqualTo("");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {{ Variables.X | 1
          ab {{ 'x' ¦ nofilter }} | 1
          {% if x %} | 1
          {% nope %} | 1
          {% endif %} | 1
          {% include_relative file.txt %} | 1
          a$b {{ 'x' ¦ }} | 2
          a$$  {% for in y %}{% endfor %} | 3
          """)
  void a_template_that_does_not_parse_is_a_problem_with_its_place(String template, int line) {
    var source = template.replace('¦', '|').replace('$', '\n');

    var problems = EXPRESSIONS.problems(new Expression("Liquid", source));

    assertThat(problems)
        .singleElement()
        .asString()
        .startsWith("Liquid: ")
        .containsPattern("\\(line " + line + ", column [0-9]+\\)$");
    assertThatThrownBy(() -> render(source))
        .isInstanceOfSatisfying(
            ExpressionException.class,
            e -> assertThat(e.kind()).isEqualTo(ExpressionException.SYNTAX_ERROR));
  }

  @Test
  void the_place_of_an_unknown_filter_is_its_own() {
    assertThat(EXPRESSIONS.problems(new Expression("Liquid", "a\n {{ 'x' | nofilter }}")))
        .containsExactly("Liquid: there is no filter nofilter (line 2, column 11)");
    assertThat(EXPRESSIONS.problems(new Expression("Liquid", "{{ a | upcase }}"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{ 1 | divided_by: 0 }}",
        "{{ '%%' | base64_decode }}",
        "{{ 'x' | keys }}",
        "{{ '%zz' | url_decode }}",
        "{{ Configuration.Password }}",
      })
  void what_goes_wrong_says_where(String template) {
    assertThatThrownBy(() -> render("first\n" + template))
        .isInstanceOfSatisfying(
            ExpressionException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(ExpressionException.RUNTIME_ERROR);
              assertThat(e.line()).isEqualTo(2);
              assertThat(e).hasMessageStartingWith("Liquid: ").hasMessageContaining("(line 2, ");
            });
  }

  @Test
  void a_template_changes_nothing_and_sees_no_java_object() {
    scope.with("List", Arrays.asList(1L, null)).with("Number", new BigDecimal("1.10"));

    assertThat(
            render("{% assign List = 5 %}{{ Variables.List.class }}{{ Variables.List.getClass }}"))
        .isEqualTo("");
    assertThat(render("{{ Variables.Number }}{{ Variables.Number.scale }}")).isEqualTo("1.10");
    assertThat(scope.sets).isZero();
  }

  @Test
  void files_have_the_names_of_elsas_members() {
    scope.with(
        "File", Map.of("filename", "a.txt", "contentType", "t", "size", 3L, "content", "aGV5"));

    assertThat(
            render(
                "{{ Variables.File.FileName }} {{ Variables.File.Length }} {{ Variables.File.size }}"))
        .isEqualTo("a.txt 3 3");
  }

  @Test
  void two_renderings_of_one_template_are_alike() {
    var template = "{% increment n %}{{ 'now' | date: '%s' }}{% cycle 'a', 'b' %}";

    assertThat(render(template)).isEqualTo(render(template));
  }
}
