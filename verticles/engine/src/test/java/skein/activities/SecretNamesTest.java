package skein.activities;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecretNamesTest {
  private static final SecretNames NAMES = SecretNames.DEFAULT;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Authorization",
        "PROXY-AUTHORIZATION",
        "cookie",
        "Set-Cookie",
        "X-Api-Key",
        "x-auth-token",
        "X-Amz-Security-Token",
        "X-Csrf-Token",
        "X-CSRFToken",
        "X-Vault-Token",
        "x_auth_token",
        "Api-Key",
        "X-Forwarded-Access-Token",
        "Ocp-Apim-Subscription-Key"
      })
  void headers_that_services_expect_credentials_in_are_known(String name) {
    assertThat(NAMES.isHeader(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Accept", "Idempotency-Key", "X-Request-Id", "User-Agent", "X-Tokens", "Keys"})
  void other_headers_are_no_secrets(String name) {
    assertThat(NAMES.isHeader(name)).isFalse();
  }

  @Test
  void what_is_configured_replaces_the_list_but_not_the_credentials_of_http_itself() {
    var own = new SecretNames(List.of("X-Mine*"), List.of());

    assertThat(own.isHeader("x-mine-too")).isTrue();
    assertThat(own.isHeader("X-Auth-Token")).isFalse();
    assertThat(own.isHeader("Authorization")).isTrue();
    assertThat(own.isParameter("token")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "http://a/b, http://a/b",
    "http://u:p@a/b, http://***@a/b",
    "https://a/b?x=1&API_KEY=s&y=2#f, https://a/b?x=1&API_KEY=***&y=2#f",
    "https://a/b?token=s$1, https://a/b?token=***",
    "https://a/b?access-token=s&api-key=t, https://a/b?access-token=***&api-key=***",
    "https://a/b@c, https://a/b@c",
    "https://a/b?mail=a@b, https://a/b?mail=a@b",
    "https://a/b?a?token=s&x=?, https://a/b?a?token=***&x=?"
  })
  void urls_are_shown_without_credentials(String url, String shown) {
    assertThat(NAMES.hideInUrl(url)).isEqualTo(shown);
  }

  @Test
  @Timeout(20) // it was minutes
  void a_url_of_many_question_marks_is_read_once() {
    var url = "https://a/?x=1" + "?".repeat(300_000);

    assertThat(NAMES.hideInUrl(url)).isEqualTo(url);
  }

  @Test
  void the_journal_shows_names_of_data_sources_and_no_connection_strings() {
    var source = SqlCall.SOURCE;

    assertThat(source.shown("billing", NAMES)).isEqualTo("billing");
    assertThat(source.shown("Server=a;Password=b", NAMES)).isEqualTo("***");
    assertThat(source.shown(null, NAMES)).isNull();
    assertThat(HttpCall.HEADERS.shown(Map.of("X-Api-Key", "s", "A", "b"), NAMES))
        .isEqualTo(Map.of("X-Api-Key", "***", "A", "b"));
    assertThat(HttpCall.HEADERS.shown("X-Api-Key: s", NAMES)).isEqualTo("***");
  }
}
