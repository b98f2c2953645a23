package skein.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import skein.identity.Issuer;
import skein.node.config.ConfigException;
import skein.node.config.NodeConfig;
import skein.node.config.OidcProvider;
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
    "security.oidc.ca-file, ca.pem, security.oidc.issuer: is needed with security.oidc.ca-file",
    "security.oidc.client-secret, short, security.oidc.client-id",
    "security.oidc.scopes, profile, openid",
    "security.oidc.providers, acme, security.oidc.providers.acme.issuer",
    "security.oidc.providers.acme.issuer, https://id.example.com, providers.acme.audience",
    "security.oidc.providers.acme.issuer, http://id.example.com, must be https",
    "security.oidc.providers.acme.client-secret, short, providers.acme.client-id",
    "security.oidc.providers.acme.tenants, no tenant!, neither the name of a tenant nor _default",
    "security.oidc.providers.acme.tenants, shop, security.oidc.providers.acme.tenants: is set",
    "security.oidc.providers.ac/me.issuer, https://id.example.com, not a valid name"
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

  @Test
  void providers_are_told_apart_by_their_issuers() {
    var same = "https://id.example.com";

    assertThatThrownBy(() ->
            config(
                "security.oidc.issuer",
                same,
                "security.oidc.audience",
                "skein",
                "security.oidc.providers.acme.issuer",
                same,
                "security.oidc.providers.acme.audience",
                "skein"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "security.oidc.providers.acme.issuer: is the issuer of security.oidc");
  }

  @Test
  void the_first_administrator_has_no_name_of_programs_or_of_people_of_a_provider() {
    for (var name : List.of("corp:ann", "Corp:ann", "application:ann", "certificate:ann")) {
      assertThatThrownBy(() -> withAdmin(name))
          .as(name)
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("security.admin-name: begins with ")
          .hasMessageContaining("choose another one");
    }
    assertThat(withAdmin("ann").security().admin().name()).isEqualTo("ann");
  }

  private static NodeConfig withAdmin(String name) {
    return config(
        "security.admin-name", name,
        "security.admin-password", "a-password-of-these-tests",
        "security.oidc.issuer", "https://id.example.com",
        "security.oidc.audience", "skein",
        "security.oidc.name-prefix", "corp:");
  }

  @Test
  void each_provider_has_settings_of_its_own_beside_the_one_without_a_name() {
    var providers =
        config(
                "security.oidc.issuer", "https://id.example.com",
                "security.oidc.audience", "skein",
                "security.oidc.providers.b.issuer", "https://b.example.com",
                "security.oidc.providers.b.audience", "skein-b",
                "security.oidc.providers.b.clock-skew", "1s",
                "security.oidc.providers.b.roles.staff", "viewer",
                "security.oidc.providers.a.issuer", "https://a.example.com",
                "security.oidc.providers.a.audience", "skein-a",
                "security.oidc.providers.a.name-prefix", "a/")
            .security()
            .providers();

    assertThat(providers).extracting(OidcProvider::key).containsExactly("", "a", "b");
    assertThat(providers)
        .extracting(provider -> provider.claims().namePrefix())
        .containsExactly("", "a/", "b:");
    assertThat(providers)
        .extracting(OidcProvider::clockSkew)
        .containsExactly(Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(1));
    assertThat(providers.getLast().claims().rolesHere()).containsExactly(entry("staff", "viewer"));
    assertThat(config().security().providers()).isEmpty();
  }

  private static Issuer issuer(String... settings) {
    var all =
        new ArrayList<>(
            List.of(
                "security.oidc.providers.a.issuer", "https://a.example.com",
                "security.oidc.providers.a.audience", "skein"));
    all.addAll(List.of(settings));
    var config = config(all.toArray(String[]::new));
    return SecurityWiring.issuer(config.security().providers().getFirst(), config.tenancy());
  }

  @Test
  void a_provider_is_bound_to_the_tenants_that_its_settings_list() {
    var bound =
        issuer(
            "tenancy.enabled",
            "true",
            "tenancy.claim",
            "org",
            "security.oidc.providers.a.tenants",
            "shop, bank, _default");

    assertThat(bound.claims().tenants())
        .isEqualTo(new Issuer.Tenants("org", Set.of("shop", "bank", "")));
    assertThat(issuer("tenancy.enabled", "true").claims().tenants())
        .isEqualTo(Issuer.Tenants.of("tenant_id"));
    assertThat(issuer().claims().tenants()).isEqualTo(Issuer.Tenants.DEFAULT_ONLY);
  }

  @Test
  void a_provider_is_not_bound_to_tenants_that_no_token_can_name() {
    for (var none : List.of("tenancy.enabled", "tenancy.claim")) {
      var settings = new HashMap<>(Map.of("tenancy.enabled", "true", "tenancy.claim", "org"));
      settings.put(none, none.endsWith("enabled") ? "false" : "");
      settings.put("security.oidc.providers.a.tenants", "shop");
      var flags =
          settings.entrySet().stream().flatMap(e -> Stream.of(e.getKey(), e.getValue())).toList();
      assertThatThrownBy(() -> issuer(flags.toArray(String[]::new)))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("security.oidc.providers.a.tenants: is set, and tenancy.enabled");
    }
  }
}
