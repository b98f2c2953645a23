package skein.activities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "resume/{token}",
        "/Resume/now",
        "a/../b",
        "..",
        "./a",
        "a//b",
        "a/%2e%2e/b",
        "a/b%20c",
        "a?x=1",
        "a#b",
        "a\\b",
        "a/\u0007"
      })
  void a_path_that_no_request_can_reach_is_refused(String path) {
    assertThatThrownBy(() -> PathTemplate.check(path)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "resume", "a/resume/b", "resume/a/b", "a.b/..c", "Größe/{id}", "a b"})
  void other_paths_are_served(String path) {
    PathTemplate.check(path);
    assertThat(PathTemplate.parse(path).match(path)).isPresent();
  }

  @Test
  void a_constraint_narrows_and_a_question_mark_leaves_open() {
    assertThat(PathTemplate.parse("a/{n:int}").match("a/12")).contains(Map.of("n", "12"));
    assertThat(PathTemplate.parse("a/{n:int}").match("a/x")).isEmpty();
    assertThat(PathTemplate.parse("a/{n?}").match("a")).contains(Map.of());
    assertThat(PathTemplate.parse("a/{*rest}").match("a/b/c")).contains(Map.of("rest", "b/c"));
  }

  @Test
  void a_default_stands_for_what_the_path_leaves_out_and_keeps_its_case() {
    assertThat(PathTemplate.parse("a/{Id=Five}").match("a")).contains(Map.of("id", "Five"));
    assertThat(PathTemplate.parse("a/{id=5}").match("a/7")).contains(Map.of("id", "7"));
    assertThat(PathTemplate.parse("a/{id:int=5}").match("A/")).contains(Map.of("id", "5"));
    assertThat(PathTemplate.parse("a/{id:int=5}").match("a/x")).isEmpty();
    assertThat(PathTemplate.parse("a/{**rest=b}").match("a")).contains(Map.of("rest", "b"));
    assertThat(PathTemplate.parse("a/{x=1}/{y=2}").match("a/3"))
        .contains(Map.of("x", "3", "y", "2"));
    assertThat(PathTemplate.parse("{x=1}/b").match("b")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          int                  | 2147483647 | 2147483648
          long                 | -9         | 9223372036854775808
          bool                 | TRUE       | yes
          alpha                | abc        | a1
          guid                 | 0f8fad5b-d9cb-469f-a165-70867728950e | 0f8fad5b
          decimal              | -1.5e3     | 1,5
          datetime             | 2026-11-23T09:30:00Z | 23.11.2026
          min(18)              | 18         | 17
          max(10)              | -3         | 11
          range(1,3)           | 3          | 4
          length(2)            | ab         | abc
          length(2,3)          | abc        | a
          minlength(2)         | ab         | a
          maxlength(2)         | ab         | abc
          file                 | a.txt      | a
          nonfile              | a          | a.txt
          required             | a          | %20
          int:range(1,10)      | 7          | 70
          """)
  void constraints_are_those_of_aspnet(String constraint, String fits, String other) {
    var template = PathTemplate.parse("a/{x:" + constraint + "}");

    assertThat(template.match("a/" + fits)).contains(Map.of("x", fits));
    assertThat(template.match("a/" + other.replace("%20", " "))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a/{x:regex(^[A-Z]$)}", "a/{x:nope}", "a/{x:min(a)}", "a/{x:int:nope=1}"})
  void a_constraint_that_is_not_known_is_refused_by_name(String template) {
    assertThatThrownBy(() -> PathTemplate.check(template))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("which this server does not know");
    assertThat(PathTemplate.parse(template).match("a/anything")).isNotNull();
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
