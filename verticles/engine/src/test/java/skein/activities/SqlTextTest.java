package skein.activities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlTextTest {
  @Test
  void values_are_taken_out_of_the_text() {
    var sql = SqlText.parse("select * from t where a = {{ Variables.A }} and b=@b");

    assertThat(sql.parts()).containsExactly("select * from t where a = ", " and b=", "");
    assertThat(sql.names()).containsExactly("Variables.A", "@b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select '@a' || \"@b\" || `@c`",
        "select 1 -- @a",
        "select /* @a */ 1",
        "select $$ @a $$, $x$ @b $x$",
        "select @@version, a@b, a @> b, 'it''s @a'"
      })
  void what_is_quoted_or_no_name_is_left_alone(String text) {
    assertThat(SqlText.parse(text).parts()).containsExactly(text);
  }

  /** A name of so many parts overflowed the stack when it was matched. */
  @Test
  void names_of_any_length_are_told_apart() {
    var long1 = "Variables" + ".a".repeat(100_000);
    for (var name :
        List.of(long1, long1 + ".", "Inputs.a", "Variables", "Variables..a", "Other.a")) {
      var problems = new ArrayList<String>();
      SqlCall.plan(
          Map.of("query", Map.of("expression", Map.of("type", "Sql", "value", "{{" + name + "}}"))),
          new SqlCall.Statement(SqlCall.QUERY),
          problems::add);
      assertThat(problems).hasSize(name.equals(long1) || name.equals("Inputs.a") ? 0 : 1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"select '{{Input.A}}'", "select {{Input.A", "select 1 -- {{Input.A}}"})
  void a_value_where_nothing_can_be_bound_is_refused(String text) {
    assertThatThrownBy(() -> SqlText.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
