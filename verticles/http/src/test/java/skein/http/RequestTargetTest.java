package skein.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTargetTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/elsa/api/workflow-instances",
        "/elsa/api/workflow-instances/",
        "/elsa/api/workflow-instances?searchTerm=a%2Fb%2e&x=/../..//",
        "/workflows/orders/a%20b%25%3A%7E~",
        "/elsa/api/workflow-definitions/a%2Fb%2f..c/execute",
        "/elsa/api/events/a%2Fb/trigger?x=%2F%2F",
        "/elsa/api/events/%C3%BC%2F%C3%BC/trigger",
        "/workflows/%C3%BC",
        "/workflows/a.b/..c/...",
        "/workflows/a;v=1/@b:c,d$e!f'(g)*h+"
      })
  void a_path_with_one_spelling_is_served(String target) {
    assertThat(RequestTarget.refusal(target)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "*",
        "elsa",
        "http://localhost/elsa/api",
        "/..",
        "/.",
        "/workflows/../elsa/api",
        "/workflows/./x",
        "/workflows/..?x",
        "//elsa",
        "/elsa//api",
        "/elsa/api//",
        "/workflows/%2e%2e/elsa",
        "/workflows/%2E./elsa",
        "/workflows/a%2fb",
        "/workflows/a%2Fb",
        "/elsa/api%2Fcluster",
        "/elsa%2Fapi/cluster",
        "/elsa/api/a%2F..%2Fb",
        "/elsa/api/a%2F../b",
        "/elsa/api/..%2Fb",
        "/elsa/api/a%2F.",
        "/elsa/api/a%2F%2Fb",
        "/elsa/api/%2Fb",
        "/elsa/api/a%2F/b",
        "/elsa/api/a%2F%2e%2e%2Fb",
        "/elsa/api/a%5cb",
        "/elsa/api/%C3%2F%BC",
        "/workflows/a%5cb",
        "/workflows/a%5Cb",
        "/workflows/a\\b",
        "/%65lsa/api",
        "/elsa/%41pi",
        "/elsa/%30",
        "/elsa/a%2Db%5f",
        "/elsa/%",
        "/elsa/%z",
        "/elsa/%zz",
        "/elsa/%4",
        "/elsa/%-1",
        "/elsa?a=%",
        "/elsa?a=%zz",
        "/elsa/%00",
        "/elsa/%0d%0a",
        "/elsa/%7f",
        "/elsa/\u0000",
        "/elsa/\t",
        "/elsa/a b",
        "/elsa/\u00fc",
        "/elsa#x",
        "/elsa/%c0%ae",
        "/elsa/%ff",
        "/elsa/%c3a%bc"
      })
  void a_path_that_others_may_read_otherwise_is_not(String target) {
    assertThat(RequestTarget.refusal(target)).isNotNull();
  }

  @Test
  void a_broken_percent_escape_is_told_with_its_cure() {
    assertThat(RequestTarget.refusal("/elsa?a=100%"))
        .contains("not followed by two hexadecimal digits", "%25");
  }

  @Test
  void a_long_path_takes_time_in_proportion() {
    var dots = "/..a".repeat(1_000_000);

    assertThat(RequestTarget.refusal(dots + "?%41")).isNull();
    assertThat(RequestTarget.refusal("/" + "%C3%BC".repeat(1_000_000))).isNull();
  }
}
