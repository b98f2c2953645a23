package skein.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import skein.activities.WorkResult;

class UsedSecretsTest {
  private static final String SECRET = "c4nary \"&\\ü/+x";
  private static final UsedSecrets USED = UsedSecrets.of(List.of(SECRET));

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void a_secret_is_hidden_in_the_forms_in_which_servers_repeat_it() {
    assertThat(USED.hiddenIn("sent: " + SECRET + "!")).isEqualTo("sent: ***!");
    assertThat(USED.hiddenIn("{\"a\":\"c4nary \\\"&\\\\ü/+x\"}")).isEqualTo("{\"a\":\"***\"}");
    assertThat(USED.hiddenIn("?a=c4nary+%22%26%5C%C3%BC%2F%2Bx&b")).isEqualTo("?a=***&b");
    assertThat(USED.hiddenIn("?a=c4nary%20%22%26%5C%C3%BC%2F%2Bx&b")).isEqualTo("?a=***&b");
    assertThat(USED.hiddenIn("334 " + base64(SECRET))).isEqualTo("334 ***");
    assertThat(USED.hiddenIn(Buffer.buffer("a " + SECRET + " é")).toString()).isEqualTo("a *** é");
  }

  @Test
  void of_a_header_what_follows_its_scheme_is_hidden_too_but_not_the_scheme() {
    var bearer = UsedSecrets.of(List.of("Bearer abcdef123"));
    var basic = UsedSecrets.of(List.of("Basic " + base64("kim:hunter22")));

    assertThat(bearer.hiddenIn("Bearer realm, not abcdef123")).isEqualTo("Bearer realm, not ***");
    assertThat(basic.hiddenIn("Basic realm, not hunter22")).isEqualTo("Basic realm, not ***");
  }

  @Test
  void texts_and_names_of_a_value_are_looked_at() {
    var bearer = UsedSecrets.of(List.of("abcdef123"));
    var value = Map.of("a", List.of("x abcdef123", 1L, true), "abcdef123", Map.of("b", "y"));

    assertThat(bearer.hiddenInJson(value))
        .isEqualTo(Map.of("a", List.of("x ***", 1L, true), "***", Map.of("b", "y")));
    assertThat(bearer.hiddenInFailure(new WorkResult.Failed("F", "no abcdef123", true)))
        .isEqualTo(new WorkResult.Failed("F", "no ***", true));
  }

  @Test
  void short_secrets_are_left_and_nothing_shows_them() {
    var few = UsedSecrets.of(List.of("abc", ""));

    assertThat(few.isNone()).isTrue();
    assertThat(few.hiddenIn("abc")).isEqualTo("abc");
    assertThat(USED.toString()).doesNotContain("c4nary");
    assertThat(USED.and(few).hiddenIn(SECRET)).isEqualTo("***");
  }
}
