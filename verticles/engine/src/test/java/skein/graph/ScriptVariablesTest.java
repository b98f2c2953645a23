package skein.graph;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptVariablesTest {
  @Test
  void names_are_found_in_each_tag_of_a_template_and_nowhere_else() {
    assertThat(
            ScriptVariables.ofLiquid(
                "{ Variables.no {{ Variables.a | x: Variables['b c'] }}{%if Variables.c%}{{}}"
                    + " Variables.no {%- endif -%} {{{ Variables.d }}} {{\n Variables.e\n}}"
                    + " {% if Variables.no"))
        .containsExactlyInAnyOrder("a", "b c", "c", "d", "e");
    assertThat(ScriptVariables.ofLiquid("{% assign {{ Variables.f }}")).containsExactly("f");
    assertThat(ScriptVariables.ofLiquid("{{ open {% if Variables.g %}")).containsExactly("g");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{{", "{%", "{", "{{%", "{{ Variables['", "{% Variables["})
  @Timeout(20) // it was minutes
  void a_template_whose_tags_do_not_end_is_read_once(String opening) {
    assertThat(ScriptVariables.ofLiquid(opening.repeat(300_000))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"'", "/*", "variables[", "var ", "\\", "`"})
  @Timeout(20)
  void a_script_whose_texts_do_not_end_is_read_once(String opening) {
    assertThat(ScriptVariables.ofJavaScript(opening.repeat(100_001))).isEmpty();
  }
}
