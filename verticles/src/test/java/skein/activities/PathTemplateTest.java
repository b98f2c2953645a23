package skein.activities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathTemplateTest {
  @Test
  void parameters_take_whole_segments_under_lower_case_names() {
    var template = PathTemplate.parse("/Users/{userId}/orders/{orderId}/");

    assertThat(template.match("/users/U-1/Orders/007"))
        .contains(Map.of("userid", "U-1", "orderid", "007"));
    assertThat(template.match("users/1/elsewhere/2")).isEmpty();
    assertThat(template.match("users/1/orders")).isEmpty();
    assertThat(template.match("users/1/orders/2/3")).isEmpty();
  }

  @Test
  void a_constraint_narrows_and_a_question_mark_leaves_open() {
    assertThat(PathTemplate.parse("a/{n:int}").match("a/12")).contains(Map.of("n", "12"));
    assertThat(PathTemplate.parse("a/{n:int}").match("a/x")).isEmpty();
    assertThat(PathTemplate.parse("a/{n?}").match("a")).contains(Map.of());
    assertThat(PathTemplate.parse("a/{*rest}").match("a/b/c")).contains(Map.of("rest", "b/c"));
  }

  @Test
  void the_more_exact_template_comes_first() {
    var sorted =
        Stream.of("a/{*rest}", "a/{x}", "a/b", "a/{x:int}")
            .map(PathTemplate::parse)
            .sorted()
            .map(PathTemplate::toString)
            .toList();

    assertThat(sorted).isEqualTo(List.of("a/b", "a/{x:int}", "a/{x}", "a/{*rest}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a/{", "a/}b", "a/{}", "a/x{y}", "a/{:int}"})
  void a_template_that_does_not_parse_is_refused(String template) {
    assertThatThrownBy(() -> PathTemplate.parse(template))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void the_empty_path_is_a_path() {
    assertThat(PathTemplate.parse("/").match("")).isEqualTo(Optional.of(Map.of()));
  }
}
