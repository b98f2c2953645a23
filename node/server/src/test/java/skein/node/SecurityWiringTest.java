package skein.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.node.config.ConfigException;
import skein.node.config.NodeConfig;
import skein.node.config.Settings;

class SecurityWiringTest {
  private static NodeConfig config(String... settings) {
    var flags = new HashMap<String, String>();
    for (int i = 0; i < settings.length; i += 2) {
      flags.put(settings[i], settings[i + 1]);
    }
    return NodeConfig.from(new Settings(null, Map.of(), flags));
  }

  @Test
  void a_node_that_others_reach_does_not_start_without_a_word_on_who_is_let_in() {
    for (var host : List.of("0.0.0.0", "192.0.2.1", "::")) {
      assertThatThrownBy(() -> SecurityWiring.requireProtected(config("http.host", host)))
          .isInstanceOf(SecurityWiring.UnprotectedException.class)
          .hasMessageContaining(host)
          .hasMessageContaining("security.mode: authenticated")
          .satisfies(
              e -> assertThat(StartFailure.line(e)).startsWith("SECURITY_UNPROTECTED: The API"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "http.host, 127.0.0.1",
    "http.host, localhost",
    "http.host, ::1",
    "security.mode, open",
    "security.mode, authenticated",
    "node.roles, execution"
  })
  void it_starts_on_loopback_and_when_it_was_said(String key, String value) {
    assertThatCode(() -> SecurityWiring.requireProtected(config(key, value)))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "security.admin-password, short, 8 characters",
    "security.signing-key, short, 32 characters",
    "security.mode, closed, 'loopback, open, authenticated'",
    "security.oidc.issuer, https://id.example.com, security.oidc.audience",
    "security.oidc.issuer, http://id.example.com, must be https",
    "security.oidc.client-id, skein-console, security.oidc.issuer",
    "security.oidc.client-secret, short, security.oidc.client-id",
    "security.oidc.scopes, profile, openid"
  })
  void what_cannot_be_meant_is_refused_without_the_secret(String key, String value, String why) {
    assertThatThrownBy(() -> config(key, value))
        .isInstanceOf(ConfigException.class)
        .satisfies(e -> {
          var problems = String.join(" ", ((ConfigException) e).problems());
          assertThat(problems).contains(why);
          assertThat(key.endsWith("mode") || !problems.contains("short")).isTrue();
        });
  }
}
